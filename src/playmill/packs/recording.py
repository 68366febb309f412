"""A recorded game by its file: a shard of a run, or a game that `playmill play` kept."""

from __future__ import annotations

from pathlib import Path

from playmill.core.errors import UsageError
from playmill.packs.registry import find_game
from playmill.replay.meta import read_meta
from playmill.replay.recorded_game import RecordedGame
from playmill.replay.saved_game import read_saved
from playmill.replay.shard_games import read_game

DATA, META = ".safetensors", ".meta.json"


def open_recording(path: Path, number: int | None) -> RecordedGame:
    """Game `number` of the file, by default its first."""
    if path.is_dir():
        raise UsageError(f"{path}: expected a file, got a folder; a run's games are in its replay/shard_*{DATA}")
    if path.name.endswith(META):
        path = path.with_name(path.name.removesuffix(META) + DATA)
    if path.suffix == DATA:
        return read_game(path, find_game(read_meta(path).game), number)
    saved = read_saved(path)
    if number not in (None, 0):
        raise UsageError(f"{path}: --game: expected 0, as the file holds one game, got {number}")
    return saved.record(path, find_game(saved.game))
