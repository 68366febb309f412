"""A pool of blocks in memory: the rows that were read last, ready to be gathered into batches.

Why not map the files and let the system do it: a row looked at in a mapped file makes the page around it resident, and
recent kernels (measured on 6.18) whole 2 MB folios. One batch of 1024 rows out of 10 million made 2.4 GB resident.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from playmill.core.errors import PlaymillError
from playmill.games.game import Game
from playmill.replay.columns import ShardFile
from playmill.replay.tables import Array, action_type

PROB = np.dtype(np.float32)


class PoolRows(NamedTuple):
    """The rows as the files have them. The policy's entries lie block by block, with room for `max_legal` a row."""

    records: Array  # the game's records [n]
    targets: Array  # float32 [n, targets]
    policy_first: Array  # int64 [n]: where a row's entries begin
    policy_end: Array  # int64 [n]: and end
    policy_action: Array  # of `action_type` [n * max_legal]
    policy_prob: Array  # float32 [n * max_legal]


def row_bytes(game: Game, targets: int) -> int:
    """What a row takes at most."""
    entry = action_type(game.actions).itemsize + PROB.itemsize
    return game.state.itemsize + 4 * targets + entry * game.max_legal


class BlockPool:
    """Fixed room for `slots` blocks of `block_rows` rows; the oldest block is evicted first (FIFO)."""

    def __init__(self, slots: int, block_rows: int, blocks: int, game: Game, targets: int) -> None:
        """`blocks`: how many there are in all."""
        self.slots, self.block_rows, self.max_legal = slots, block_rows, game.max_legal
        n = slots * block_rows
        entries = n * game.max_legal
        # Not touched before it is used: most policies are shorter than they may be.
        self.rows = PoolRows(
            records=np.empty(n, game.state),
            targets=np.empty((n, targets), np.float32),
            policy_first=np.empty(n, np.int64),
            policy_end=np.empty(n, np.int64),
            policy_action=np.empty(entries, action_type(game.actions)),
            policy_prob=np.empty(entries, PROB),
        )
        self.slot_of = np.full(blocks, -1, np.int64)  # where each block is, -1 if not here
        self._owner = np.full(slots, -1, np.int64)
        self._next = 0

    def load(self, block: int, shard: ShardFile, first: int, count: int) -> None:
        """Read rows first..first + count - 1 of a shard as the block number `block`."""
        slot, self._next = self._next, (self._next + 1) % self.slots
        self._empty(slot)
        self._fill(slot * self.block_rows, shard, first, count)
        self._owner[slot], self.slot_of[block] = block, slot

    def _empty(self, slot: int) -> None:
        if self._owner[slot] >= 0:
            self.slot_of[self._owner[slot]] = -1
        self._owner[slot] = -1

    def _fill(self, start: int, shard: ShardFile, first: int, count: int) -> None:
        """Fill the pool's rows from `start` on from the file."""
        pool, rows, room = self.rows, slice(start, start + count), start * self.max_legal
        with shard.open() as file:
            shard.read(file, "state", first, pool.records[rows])
            shard.read(file, "targets", first, pool.targets[rows])
            offsets = shard.read(file, "policy_offset", first, np.empty(count + 1, np.int32))
            self._check(shard, first, np.diff(offsets))
            entries = slice(room, room + int(offsets[-1] - offsets[0]))
            shard.read(file, "policy_action", int(offsets[0]), pool.policy_action[entries])
            shard.read(file, "policy_prob", int(offsets[0]), pool.policy_prob[entries])
        pool.policy_first[rows] = room + offsets[:-1] - offsets[0]
        pool.policy_end[rows] = room + offsets[1:] - offsets[0]

    def _check(self, shard: ShardFile, first: int, counts: Array) -> None:
        """Refuse policies that there is no room for."""
        wrong = np.flatnonzero((counts < 0) | (counts > self.max_legal))
        if wrong.size:
            raise PlaymillError(
                f"{shard.path}: sample {first + wrong[0]}: expected a policy of 0..{self.max_legal} actions, "
                f"got {counts[wrong[0]]}"
            )
