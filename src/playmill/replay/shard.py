"""Shards on disk: `shard_000000.safetensors` holds the tables, `shard_000000.meta.json` says what they mean.

The data is written first and the meta last, each by temp file and rename, so a shard is there exactly when its meta is.
What a kill leaves behind (temp files, data without meta) nobody reads, and the next writer's `prepare_folder` removes.
A folder has one writing process at a time; its threads may write different shards side by side.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.numpy import load, save

from playmill.core.disk import DiskError, reading, writing
from playmill.core.errors import PlaymillError
from playmill.core.files import atomic_write
from playmill.games.game import Game
from playmill.replay.meta import ShardMeta, ShardOrigin, meta_path, read_meta
from playmill.replay.tables import Array, GamesTable, ShardData, check_offsets, check_shapes

_DATA_NAME = re.compile(r"shard_(\d{6,})\.safetensors")
_HASH_BLOCK = 1 << 20


def shard_path(folder: Path, index: int) -> Path:
    """Where shard number `index` has its data file."""
    return folder / f"shard_{index:06d}.safetensors"


def shard_index(path: Path) -> int:
    """The number in a data file's name."""
    found = _DATA_NAME.fullmatch(path.name)
    if found is None:
        raise PlaymillError(f"{path}: expected a name such as shard_000000.safetensors")
    return int(found[1])


def list_shards(folder: Path) -> list[Path]:
    """The data files of all whole shards, by index. Damage is not looked for here: reading refuses it."""
    paths = [path for path in _data_files(folder) if meta_path(path).exists()]
    return sorted(paths, key=shard_index)


def prepare_folder(folder: Path) -> int:
    """Make the folder, remove what a killed writer left in it, and return the index of the next shard."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    whole = list_shards(folder)
    for path in {*folder.glob(".shard_*.tmp"), *_data_files(folder)} - set(whole):
        path.unlink()
    return shard_index(whole[-1]) + 1 if whole else 0


@dataclass(frozen=True)
class PackedShard:
    """A shard's two files as they go to disk; equal content gives equal bytes."""

    content: bytes
    meta: str


def pack_shard(index: int, data: ShardData, meta: ShardOrigin) -> PackedShard:
    """The files of a shard, wherever they will lie."""
    columns = data.columns()
    whole = _counted(meta, columns)
    _check_tables(shard_path(Path(), index), columns, whole)
    # No safetensors metadata: its keys come out in any order, and bytes should depend on content only.
    content = save(columns)
    digest = hashlib.sha256(content).hexdigest()
    return PackedShard(content, whole.model_copy(update={"size_bytes": len(content), "sha256": digest}).text())


def write_packed(folder: Path, index: int, shard: PackedShard) -> Path:
    """Write a packed shard and return its data file."""
    path = shard_path(folder, index)
    if meta_path(path).exists():
        raise PlaymillError(f"{path}: a shard is there already, and shards are never rewritten; see `prepare_folder`")
    atomic_write(path, shard.content)
    try:
        atomic_write(meta_path(path), shard.meta)
    except DiskError:
        path.unlink()  # without its meta it would only take up the space that is missing
        raise
    return path


def write_shard(folder: Path, index: int, data: ShardData, meta: ShardOrigin) -> Path:
    """Write one shard and return its data file."""
    return write_packed(folder, index, pack_shard(index, data, meta))


def read_shard(path: Path, game: Game | None = None) -> tuple[ShardData, ShardMeta]:
    """A shard's tables in memory and its meta, all of it checked; given a `game`, also that it is that game's."""
    meta = read_meta(path, game)
    check_file(path, meta)
    try:
        columns: dict[str, Array] = load(path.read_bytes())
    except SafetensorError as error:
        raise PlaymillError(f"{path}: expected a safetensors file, got one that can't be parsed ({error})") from None
    _check_tables(path, columns, meta)
    return ShardData.from_columns(columns), meta


def read_games(path: Path) -> GamesTable:
    """A shard's table of games; nothing else of it is read or checked."""
    with safe_open(path, "numpy") as file:
        return GamesTable(**{field.name: file.get_tensor(field.name) for field in fields(GamesTable)})


def check_file(path: Path, meta: ShardMeta) -> None:
    """Refuse a data file that is missing, torn or damaged; memory use is one block."""
    if not os.path.lexists(path):
        raise PlaymillError(f"{path}: missing, though its meta is there; remove {meta_path(path).name}")
    with reading(path):
        size = path.stat().st_size
    if size != meta.size_bytes:
        raise PlaymillError(f"{path}: torn: expected {meta.size_bytes} bytes, got {size}; remove the shard")
    digest = hashlib.sha256()
    with reading(path), path.open("rb") as file:
        while block := file.read(_HASH_BLOCK):
            digest.update(block)
    if digest.hexdigest() != meta.sha256:
        raise PlaymillError(f"{path}: damaged: expected sha256 {meta.sha256}, got {digest.hexdigest()}; remove the shard")


def check_origin(path: Path, origin: ShardOrigin, first_game: int, games: int) -> None:
    """Refuse a shard that is damaged or not the one that a writer with this origin has for these games."""
    _, meta = read_shard(path)
    told = {**_facts(meta), "first_game": meta.first_game, "games": meta.games}
    for name, expected in {**_facts(origin), "first_game": first_game, "games": games}.items():
        if (got := told.get(name)) != expected:
            raise PlaymillError(
                f"{meta_path(path)}: {name}: expected {expected!r}, got {got!r}; remove the shard or choose another folder"
            )


def _facts(origin: ShardOrigin) -> dict[str, Any]:
    """What an origin says, one fact a name, so that an error names what differs."""
    facts = {name: getattr(origin, name) for name in ShardOrigin.model_fields if name != "players"}
    players = {f"players[{i}].{name}": fact for i, player in enumerate(origin.players) for name, fact in dict(player).items()}
    return {**facts, "players": len(origin.players), **players}


def remove_shard(path: Path) -> None:
    """Delete a shard, its meta first: after a kill in between, what is left counts as no shard."""
    meta_path(path).unlink(missing_ok=True)
    path.unlink(missing_ok=True)


def _data_files(folder: Path) -> list[Path]:
    return [path for path in folder.glob("shard_*.safetensors") if _DATA_NAME.fullmatch(path.name)]


def _counted(meta: ShardOrigin, columns: dict[str, Array]) -> ShardMeta:
    """The meta with the tables' counts; size and hash are still open."""
    numbers = columns["game_number"]
    return ShardMeta(
        **meta.model_dump(),
        samples=len(columns["state"]),
        games=len(numbers),
        first_game=int(numbers[0]) if len(numbers) else -1,
        size_bytes=0,
        sha256="",
    )


def _check_tables(path: Path, columns: dict[str, Array], meta: ShardMeta) -> None:
    check_shapes(str(path), columns, lengths(meta), meta.actions)
    check_offsets(str(path), columns)
    player, last = columns["player"], len(meta.players) - 1
    if len(player) and not (player.min() >= 0 and player.max() <= last):
        raise PlaymillError(f"{path}: player: expected 0..{last}, got {player.min()}..{player.max()}")


def lengths(meta: ShardMeta) -> dict[str, int]:
    """The lengths that a meta promises, by their names in the tables' layout."""
    names = {"record bytes": meta.record_bytes, "targets": len(meta.target_names)}
    return {"samples": meta.samples, "games": meta.games, **names}
