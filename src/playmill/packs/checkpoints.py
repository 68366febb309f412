"""Checkpoints whose game nobody has named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playmill.nets.checkpoint import AnyNet, Checkpoint, load_checkpoint, read_payload
from playmill.nets.families import NetFamily, family_of
from playmill.nets.pretrained import model_path
from playmill.packs.registry import find_game, find_pack, pack_of


def open_checkpoint(path: Path) -> Checkpoint:
    """The checkpoint in the file, with the pack of its game loaded."""
    path = model_path(path)
    if (game := _game_in(path)) is not None:
        find_pack(game)
    return load_checkpoint(path)


def find_family(game: str) -> NetFamily:
    """The family of the networks of a game, given by its name or by "module:ATTR"."""
    own = pack_of(game).family
    return family_of(find_game(game)) if own is None else own()


def read_network(path: Path, game: str | None = None) -> tuple[AnyNet, NetFamily]:
    """The network in a file of any family, and its family; one of another game than the given one is refused."""
    path = model_path(path)
    family = find_family(game or _game_in(path) or load_checkpoint(path).meta.game)  # the last says what the file lacks
    return family.read(path), family


def _game_in(path: Path) -> str | None:
    """The game that a file names, if it names one."""
    meta = read_payload(path).get("meta")
    found: Any = meta.get("game") if isinstance(meta, dict) else None
    return found if isinstance(found, str) else None
