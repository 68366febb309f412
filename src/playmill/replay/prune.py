"""Which shards are kept: the newest, by index."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from playmill.core.errors import require_positive
from playmill.replay.meta import read_meta
from playmill.replay.shard import list_shards, remove_shard


@dataclass(frozen=True)
class PruneReport:
    """What a pruning did, as the event `replay_prune` records it."""

    before: int
    after: int
    removed: tuple[str, ...]  # file names, oldest first


def prune(folder: Path, max_shards: int | None = None, max_samples: int | None = None) -> PruneReport:
    """Delete all but the newest shards of the folder, oldest first, and say which."""
    shards = list_shards(folder)
    kept = newest(shards, max_shards, max_samples)
    old = shards[: len(shards) - len(kept)]
    for path in old:
        remove_shard(path)
    return PruneReport(len(shards), len(kept), tuple(path.name for path in old))


def newest(shards: list[Path], max_shards: int | None = None, max_samples: int | None = None) -> list[Path]:
    """The last of `shards`: at most so many, with at most so many samples together, but always the very last one."""
    if max_shards is not None:
        shards = shards[-require_positive("max_shards", max_shards) :]
    if max_samples is None:
        return shards
    room = require_positive("max_samples", max_samples)
    first = len(shards)
    while first > 0:
        room -= read_meta(shards[first - 1]).samples
        if room < 0 and first < len(shards):
            break
        first -= 1
    return shards[first:]
