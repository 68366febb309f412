"""Random access to the samples of many shards, whatever their size, in a fixed amount of memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from playmill.core.errors import PlaymillError
from playmill.games.game import Game
from playmill.replay import kernels
from playmill.replay.blocks import BlockPool, Widths
from playmill.replay.columns import ShardFile
from playmill.replay.sampling import CHAPTER_BLOCKS
from playmill.replay.tables import Array

# Blocks long enough to be read at a stretch, short enough that a chapter has many of them.
BLOCK_BYTES = 64 << 10
MAX_BLOCK_ROWS = 256


@dataclass(frozen=True)
class Batch:
    """Samples gathered for one step, a row each."""

    features: Array  # float32 [n, features], flat
    policy: Array  # float32 [n, logits], zeros where there is none; with slots [n, entries]
    has_policy: Array  # bool [n]
    targets: Array  # float32 [n, targets]: NaN = absent
    slots: Array | None = None  # int32 [n, entries, 2]: the logits of each entry of `policy`, -1 = none; None: its own


class ReplayReader:
    """Samples 0..len - 1 of a fixed list of shards, in their order; for one thread.

    Opening reads every file once, to check it. After that blocks of rows are read when they are asked for, and the newest
    two chapters of them (at most 64 MB) are kept: numbers in the order of `SampleOrder` read each block once an epoch.
    """

    def __init__(self, paths: list[Path], game: Game) -> None:
        self.game = game
        self._shards = [ShardFile(path, game) for path in paths]
        _check_slots(self._shards, game)
        self.target_names = _common_names(self._shards)
        widths = Widths.of(game, len(self.target_names))
        block_rows = _block_rows(widths.row_bytes)
        self._block_shard, self._block_row = _cut(self._shards, block_rows)
        self.block_starts = _starts(self._shards, self._block_shard, self._block_row)
        blocks = len(self._block_shard)
        self._pool = BlockPool(min(2 * CHAPTER_BLOCKS, blocks), block_rows, blocks, widths)

    def __len__(self) -> int:
        return int(self.block_starts[-1])

    def batch(self, numbers: Array) -> Batch:
        """The samples with these numbers, int64 [n], in that order."""
        self._check_numbers(numbers)
        blocks = np.searchsorted(self.block_starts, numbers, side="right") - 1
        within = numbers - self.block_starts[blocks]
        batch = self._new_batch(len(numbers))
        missing = np.unique(blocks[self._pool.slot_of[blocks] < 0])
        # What is here is copied before anything is read: reading may push it out.
        self._copy(blocks, within, batch)
        for first in range(0, len(missing), max(self._pool.slots, 1)):
            for block in missing[first : first + self._pool.slots].tolist():
                self._load(block)
            self._copy(blocks, within, batch)
        return batch

    def _new_batch(self, n: int) -> Batch:
        pool = self._pool
        features, policy, targets = (np.empty((n, p.shape[1]), np.float32) for p in (pool.features, pool.policy, pool.targets))
        slots = np.empty((n, policy.shape[1], 2), np.int32) if self.game.has_slots else None
        return Batch(features, policy, np.empty(n, np.bool_), targets, slots)

    def _copy(self, blocks: Array, within: Array, batch: Batch) -> None:
        """Fill the rows of `batch` whose blocks are in the pool."""
        slots = self._pool.slot_of[blocks]
        places = np.where(slots >= 0, slots * self._pool.block_rows + within, -1)
        kernels.copy_rows(self._pool.features, places, batch.features)
        kernels.copy_rows(self._pool.policy, places, batch.policy)
        kernels.copy_rows(self._pool.targets, places, batch.targets)
        kernels.copy_rows(self._pool.has_policy, places, batch.has_policy[:, None])
        if batch.slots is not None:
            kernels.copy_rows(self._pool.places, places, batch.slots.reshape(len(places), -1))

    def _load(self, block: int) -> None:
        count = int(self.block_starts[block + 1] - self.block_starts[block])
        self._pool.load(block, self._shards[self._block_shard[block]], int(self._block_row[block]), count)

    def _check_numbers(self, numbers: Array) -> None:
        """Kernels trust; this is where they can."""
        if numbers.dtype != np.int64 or numbers.ndim != 1:
            raise PlaymillError(f"replay: expected sample numbers int64 [n], got {numbers.dtype} {list(numbers.shape)}")
        if len(numbers) and not (numbers.min() >= 0 and numbers.max() < len(self)):
            raise PlaymillError(f"replay: expected sample numbers 0..{len(self) - 1}, got {numbers.min()}..{numbers.max()}")


def _block_rows(row_bytes: int) -> int:
    """Rows a block: a power of two, about `BLOCK_BYTES` of them."""
    rows = min(max(BLOCK_BYTES // row_bytes, 1), MAX_BLOCK_ROWS)
    return 1 << (rows.bit_length() - 1)


def _cut(shards: list[ShardFile], block_rows: int) -> tuple[Array, Array]:
    """Each block's shard and its first row there; a block lies in one shard, so a shard's last one may be short."""
    firsts = [np.arange(0, shard.meta.samples, block_rows) for shard in shards]
    owners = [np.full(len(rows), i) for i, rows in enumerate(firsts)]
    none = np.empty(0, np.int64)
    return np.concatenate([none, *owners]), np.concatenate([none, *firsts])


def _starts(shards: list[ShardFile], block_shard: Array, block_row: Array) -> Array:
    """The number of each block's first sample, and at the end of all samples, int64 [blocks + 1]."""
    ends = np.concatenate(([0], np.cumsum([shard.meta.samples for shard in shards], dtype=np.int64)))
    return np.append(ends[block_shard] + block_row, ends[-1]).astype(np.int64)


def _check_slots(shards: list[ShardFile], game: Game) -> None:
    """Refuse shards without slots for a game that has them, and the other way round."""
    for shard in shards:
        if ("policy_slots" in shard.columns) != game.has_slots:
            wanted, got = ("with", "none") if game.has_slots else ("without", "some")
            raise PlaymillError(f"{shard.path}: policy_slots: {game.name} has shards {wanted} them, got {got}")


def _common_names(shards: list[ShardFile]) -> tuple[str, ...]:
    """The target columns, which must be the same everywhere."""
    names = shards[0].meta.target_names if shards else ()
    for shard in shards:
        if shard.meta.target_names != names:
            first, got = shards[0].path.name, list(shard.meta.target_names)
            raise PlaymillError(f"{shard.path}: target_names: expected {list(names)} as in {first}, got {got}")
    return names
