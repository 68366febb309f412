"""A folder of games that are of no run: with its settings and its network in it, it alone says how to play them again."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from playmill import __version__
from playmill.core.commit import source_commit
from playmill.core.documents import fit, parse_object, read_bytes
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.files import atomic_write
from playmill.nets.checkpoint import Checkpoint, load_checkpoint
from playmill.pipeline.seating import keep_network
from playmill.pipeline.settings import RunSettings
from playmill.runs.folder import PROTOCOL_VERSION, RunFolder

NOTE_VERSION = 1


class SelfPlayNote(BaseModel):
    """`selfplay.json`: whose games lie in the folder."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: str = "playmill.selfplay"
    version: int = NOTE_VERSION
    protocol_version: int = PROTOCOL_VERSION
    playmill: str = __version__
    commit: str | None = None
    game: str = Field(description="The game's name.")
    settings_hash: str = Field(description="Of every setting in config.yaml but `workers`.")
    model: str = Field(description="SHA-256 of the weights of models/best.pt.")


def read_note(folder: RunFolder) -> SelfPlayNote | None:
    """The folder's note, None if it has none; refused if another playmill wrote it or it is damaged."""
    if not folder.note.exists():
        return None
    content = parse_object(read_bytes(folder.note), str(folder.note), PlaymillError)
    if content.get("version") != NOTE_VERSION:
        way_out = "go on with the playmill that wrote it, or choose another folder"
        raise PlaymillError(f"{folder.note}: version: expected {NOTE_VERSION}, got {content.get('version')!r:.40}; {way_out}")
    return fit(SelfPlayNote, str(folder.note), content, PlaymillError)


def keep_selfplay(folder: RunFolder, settings: RunSettings, text: str, network: Checkpoint, source: Path | None) -> None:
    """Before the first game: put settings, network and note into the folder. Later: refuse any others than those."""
    wanted = SelfPlayNote(
        game=settings.game,
        settings_hash=settings.digest(),
        model=network.meta.weights_sha256,
        commit=source_commit(),
    )
    found = read_note(folder)
    if found is None:
        _refuse_other_network(folder, wanted.model)
        keep_network(network, source, folder.best)
        atomic_write(folder.config, text)
        atomic_write(folder.note, wanted.model_dump_json(indent=1) + "\n")
        return
    if found.settings_hash != wanted.settings_hash:
        own = f"go on with its own, {folder.config}, or choose a new folder"
        raise UsageError(f"{folder.root}: its games have other settings; {own}")
    if found.model != wanted.model:
        raise _other_network(folder)


def _refuse_other_network(folder: RunFolder, weights: str) -> None:
    """The network that is there must be the one that is to play."""
    if folder.best.exists() and load_checkpoint(folder.best).meta.weights_sha256 != weights:
        raise _other_network(folder)


def _other_network(folder: RunFolder) -> UsageError:
    return UsageError(f"{folder.root}: its games are played by {folder.best}, not by these weights; choose a new folder")
