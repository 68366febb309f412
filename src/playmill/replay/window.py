"""Which shards are trained on and kept: the newest, by index."""

from __future__ import annotations

from pathlib import Path

from playmill.core.errors import require_positive
from playmill.replay.meta import read_meta


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
