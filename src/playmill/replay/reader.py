"""Random access to the samples of many shards, whatever their size, in a fixed amount of memory."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from playmill.core.errors import PlaymillError
from playmill.games.game import Game
from playmill.replay import kernels
from playmill.replay.blocks import BlockPool, row_bytes
from playmill.replay.columns import ShardFile
from playmill.replay.sampling import CHAPTER_BLOCKS
from playmill.replay.tables import Array

# Blocks long enough to be read at a stretch, short enough that a chapter has many of them.
BLOCK_BYTES = 64 << 10
MAX_BLOCK_ROWS = 256


class ReplayBatch(NamedTuple):
    """Samples gathered for one step, a row each.

    A policy's entry a is that of logit a, where every action has one logit. In a game with a `logit_ids` kernel, entry k is
    that of the k-th legal action, and `logit_ids` says on which logits it stands. Of actions with the same effect there is
    one. A row without a policy has zeros everywhere: nobody decides there.
    """

    features: Array  # float32 [n, features], flat
    policy: Array  # float32 [n, entries]
    bias: Array  # float32 [n, entries], to be added to the entries' logits: 0 for legal actions, NO_ACTION for what is none
    logit_ids: Array  # int64 [n, entries, 2], the number of logits for none; [n, 0, 2] where every action has one logit
    has_policy: Array  # bool [n]
    targets: Array  # float32 [n, targets]: NaN = absent

    @classmethod
    def blank(cls, game: Game, n: int, targets: int) -> ReplayBatch:
        """Room for n rows, as a kernel fills them."""
        has_logit_ids = "logit_ids" in game.kernels
        entries = game.max_legal if has_logit_ids else game.logits
        features, policy, bias, found = (
            np.zeros((n, width), np.float32) for width in (game.feature_count, entries, entries, targets)
        )
        logit_ids = np.full((n, entries if has_logit_ids else 0, 2), game.logits, np.int64)
        return cls(features, policy, bias, logit_ids, np.zeros(n, np.bool_), found)


class ReplayReader:
    """Samples 0..len - 1 of a fixed list of shards, in their order; for one thread.

    Opening reads every file once, to check it. After that blocks of rows are read when they are asked for, and the newest
    two chapters of them (at most 64 MB) are kept: numbers in the order of `SampleOrder` read each block once an epoch.
    States are encoded when they are gathered: a block holds them in a fifth of the room, and a kernel is fast enough.
    """

    def __init__(self, paths: list[Path], game: Game) -> None:
        self.game = game
        self._shards = [ShardFile(path, game) for path in paths]
        self.target_names = _common_names(self._shards)
        targets = len(self.target_names)
        block_rows = _block_rows(row_bytes(game, targets))
        self._block_shard, self._block_row = _cut(self._shards, block_rows)
        self.block_starts = _starts(self._shards, self._block_shard, self._block_row)
        blocks = len(self._block_shard)
        self._pool = BlockPool(min(2 * CHAPTER_BLOCKS, blocks), block_rows, blocks, game, targets)
        self._spare, self._actions = game.records(1), np.empty(game.max_legal, np.int32)

    def __len__(self) -> int:
        return int(self.block_starts[-1])

    def batch(self, numbers: Array, symmetries: Array | None = None) -> ReplayBatch:
        """The samples with these numbers, int64 [n], in that order; each under its symmetry, int64 [n], or as it was played."""
        self._check_numbers(numbers)
        symmetries = np.zeros(len(numbers), np.int64) if symmetries is None else symmetries
        blocks = np.searchsorted(self.block_starts, numbers, side="right") - 1
        within = numbers - self.block_starts[blocks]
        batch = ReplayBatch.blank(self.game, len(numbers), len(self.target_names))
        rows = np.arange(len(numbers))
        # What is here is gathered before anything is read: reading may push it out.
        while rows.size:
            is_here = self._pool.slot_of[blocks[rows]] >= 0
            self._gather(blocks, within, rows[is_here], symmetries, batch)
            rows = rows[~is_here]
            for block in np.unique(blocks[rows])[: self._pool.slots].tolist():
                self._load(block)
        return batch

    def _gather(self, blocks: Array, within: Array, rows: Array, symmetries: Array, batch: ReplayBatch) -> None:
        """Fill these rows of `batch`, whose blocks are in the pool."""
        places = self._pool.slot_of[blocks[rows]] * self._pool.block_rows + within[rows]
        bad = kernels.gather(self.game, self._pool.rows, places, rows, symmetries, self._spare, self._actions, batch)
        if bad >= 0:
            block = blocks[bad]
            path, sample = self._shards[self._block_shard[block]].path, self._block_row[block] + within[bad]
            raise PlaymillError(f"{path}: sample {sample}: expected a policy over legal actions, ascending, got others")

    def _load(self, block: int) -> None:
        count = int(self.block_starts[block + 1] - self.block_starts[block])
        self._pool.load(block, self._shards[self._block_shard[block]], int(self._block_row[block]), count)

    def _check_numbers(self, numbers: Array) -> None:
        """Refuse numbers that there is no sample or no symmetry for: kernels don't look."""
        if numbers.dtype != np.int64 or numbers.ndim != 1:
            raise PlaymillError(f"replay: expected sample numbers int64 [n], got {numbers.dtype} {list(numbers.shape)}")
        if len(numbers) and not (numbers.min() >= 0 and numbers.max() < len(self)):
            raise PlaymillError(f"replay: expected sample numbers 0..{len(self) - 1}, got {numbers.min()}..{numbers.max()}")


def _block_rows(size: int) -> int:
    """Rows a block, so many bytes each: a power of two, about `BLOCK_BYTES` together."""
    rows = min(max(BLOCK_BYTES // size, 1), MAX_BLOCK_ROWS)
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


def _common_names(shards: list[ShardFile]) -> tuple[str, ...]:
    """The target columns, which must be the same everywhere."""
    names = shards[0].meta.target_names if shards else ()
    for shard in shards:
        if shard.meta.target_names != names:
            first, got = shards[0].path.name, list(shard.meta.target_names)
            raise PlaymillError(f"{shard.path}: target_names: expected {list(names)} as in {first}, got {got}")
    return names
