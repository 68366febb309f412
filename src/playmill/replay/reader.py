"""Random access to the samples of many shards, whatever their size, in a fixed amount of memory."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, Self

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
LEAST_ROWS = 32  # that are worth another thread

Make = Callable[[tuple[int, ...], Any], Array]


class ReplayBatch(NamedTuple):
    """Samples gathered for one step, a row each.

    A policy's entry a is that of logit a, where every action has one logit. In a game with a `logit_ids` kernel, entry k is
    that of the k-th legal action, and `logit_ids` says on which logits it stands. Of actions with the same effect there is
    one. A row without a policy has zeros everywhere: nobody decides there.
    """

    features: Array  # float32 [n, features], flat; [0, features] in a batch of halves
    halves: Array  # uint16 [n, features]: the same as bfloat16s, whose bits these are; else [0, features]
    policy: Array  # float32 [n, entries]
    bias: Array  # float32 [n, entries], to be added to the entries' logits: 0 for legal actions, NO_ACTION for what is none
    logit_ids: Array  # int64 [n, entries, 2], the number of logits for none; [n, 0, 2] where every action has one logit
    has_policy: Array  # bool [n]
    targets: Array  # float32 [n, targets]: NaN = absent

    @classmethod
    def room(cls, game: Game, n: int, targets: int, is_halved: bool = False, make: Make = np.empty) -> ReplayBatch:
        """Room for n rows, of arrays that `make(shape, dtype)` makes, whatever is in them."""
        has_logit_ids = "logit_ids" in game.kernels
        entries = game.max_legal if has_logit_ids else game.logits
        return cls(
            features=make((0 if is_halved else n, game.feature_count), np.float32),
            halves=make((n if is_halved else 0, game.feature_count), np.uint16),
            policy=make((n, entries), np.float32),
            bias=make((n, entries), np.float32),
            logit_ids=make((n, entries if has_logit_ids else 0, 2), np.int64),
            has_policy=make((n,), np.bool_),
            targets=make((n, targets), np.float32),
        )


class Scratch(NamedTuple):
    """What one thread writes on while it gathers."""

    record: Array  # one of the game's records
    actions: Array  # int32 [max_legal]
    features: Array  # float32 [features]
    no_logit: int  # what stands for none among `logit_ids`

    @classmethod
    def of(cls, game: Game) -> Self:
        return cls(game.records(1), np.empty(game.max_legal, np.int32), np.empty(game.feature_count, np.float32), game.logits)


class ReplayReader:
    """Samples 0..len - 1 of a fixed list of shards, in their order; to be asked by one thread.

    Opening reads every file once, to check it. After that blocks of rows are read when they are asked for, and the newest
    two chapters of them (at most 64 MB) are kept: numbers in the order of `SampleOrder` read each block once an epoch.
    States are encoded when they are gathered: a block holds them in a fifth of the room, and a kernel is fast enough.
    Several threads may share that, some rows each; a batch is the same for any number of them.
    """

    def __init__(self, paths: list[Path], game: Game, threads: int = 1) -> None:
        self.game = game
        self._shards = [ShardFile(path, game) for path in paths]
        self.target_names = _common_names(self._shards)
        targets = len(self.target_names)
        block_rows = _block_rows(row_bytes(game, targets))
        self._block_shard, self._block_row = _cut(self._shards, block_rows)
        self.block_starts = _starts(self._shards, self._block_shard, self._block_row)
        blocks = len(self._block_shard)
        self._pool = BlockPool(min(2 * CHAPTER_BLOCKS, blocks), block_rows, blocks, game, targets)
        self._scratch = [Scratch.of(game) for _ in range(threads)]
        # The caller's thread takes a part, too. Threads are started by the first work, and end with the reader.
        self._helpers = ThreadPoolExecutor(max(threads - 1, 1), "reader")

    def __len__(self) -> int:
        return int(self.block_starts[-1])

    def room(self, n: int, is_halved: bool = False, make: Make = np.empty) -> ReplayBatch:
        """Room for a batch of n samples."""
        return ReplayBatch.room(self.game, n, len(self.target_names), is_halved, make)

    def batch(self, numbers: Array, symmetries: Array | None = None, room: ReplayBatch | None = None) -> ReplayBatch:
        """The samples with these numbers, int64 [n], in that order; each under its symmetry, int64 [n], or as it was played.

        They are put into `room`, if that is given, whatever was in it.
        """
        self._check_numbers(numbers)
        symmetries = np.zeros(len(numbers), np.int64) if symmetries is None else symmetries
        blocks = np.searchsorted(self.block_starts, numbers, side="right") - 1
        within = numbers - self.block_starts[blocks]
        batch = room or self.room(len(numbers))
        rows = np.arange(len(numbers))
        # Rows of loaded blocks are gathered before another block is loaded, which may evict theirs.
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
        parts = min(len(self._scratch), max(rows.size // LEAST_ROWS, 1))
        cuts = [slice(part * rows.size // parts, (part + 1) * rows.size // parts) for part in range(parts)]

        def gather(part: int) -> Any:
            mine, scratch = cuts[part], self._scratch[part]
            return kernels.gather(self.game, self._pool.rows, places[mine], rows[mine], symmetries, scratch, batch)

        others = [self._helpers.submit(gather, part) for part in range(1, parts)]
        for bad in [gather(0), *(other.result() for other in others)]:
            if bad >= 0:
                self._refuse(blocks[bad], within[bad])

    def _refuse(self, block: int, within: int) -> None:
        """Raise for a row that can't be: the first of a batch, whichever thread came to it."""
        path, sample = self._shards[self._block_shard[block]].path, self._block_row[block] + within
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
