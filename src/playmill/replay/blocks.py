"""A pool of blocks in memory: the rows that were read last, ready to be copied into batches.

Why not map the files and let the system do it: a row looked at in a mapped file makes the page around it resident, and
recent kernels (measured on 6.18) whole 2 MB folios. One batch of 1024 rows out of 10 million made 2.4 GB resident.
"""

from __future__ import annotations

import numpy as np

from playmill.core.errors import PlaymillError
from playmill.replay import kernels
from playmill.replay.columns import ShardFile


class BlockPool:
    """Fixed room for `slots` blocks of `block_rows` rows; the block that came first goes first."""

    def __init__(self, slots: int, block_rows: int, blocks: int, widths: tuple[int, int, int]) -> None:
        """`blocks`: how many there are in all; `widths`: of a row's features, policy and targets."""
        self.slots, self.block_rows = slots, block_rows
        rows = slots * block_rows
        self.features, self.policy, self.targets = (np.empty((rows, width), np.float32) for width in widths)
        self.has_policy = np.empty((rows, 1), np.bool_)
        self.slot_of = np.full(blocks, -1, np.int64)  # where each block is, -1 if not here
        self._owner = np.full(slots, -1, np.int64)
        self._next = 0

    def load(self, block: int, shard: ShardFile, first: int, count: int) -> None:
        """Read rows first..first + count - 1 of a shard as the block number `block`."""
        slot, self._next = self._next, (self._next + 1) % self.slots
        self._empty(slot)
        start = slot * self.block_rows
        bad = self._fill(slice(start, start + count), shard, first, count)
        if bad >= 0:
            last = self.policy.shape[1] - 1
            raise PlaymillError(f"{shard.path}: sample {first + bad}: expected policy actions 0..{last}, got others")
        self._owner[slot], self.slot_of[block] = block, slot

    def _empty(self, slot: int) -> None:
        if self._owner[slot] >= 0:
            self.slot_of[self._owner[slot]] = -1
        self._owner[slot] = -1

    def _fill(self, rows: slice, shard: ShardFile, first: int, count: int) -> int:
        """Fill the pool's `rows` from the file; returns the first row whose policy makes no sense, or -1."""
        with shard.open() as file:
            shard.read(file, "features", first, self.features[rows])
            shard.read(file, "targets", first, self.targets[rows])
            offsets = shard.read(file, "policy_offset", first, np.empty(count + 1, np.int32))
            begin, entries = int(offsets[0]), max(int(offsets[-1]) - int(offsets[0]), 0)
            actions = shard.read(file, "policy_action", begin, np.empty(entries, np.int32))
            probs = shard.read(file, "policy_prob", begin, np.empty(entries, np.float32))
        bad: int = kernels.spread(offsets, actions, probs, self.policy[rows], self.has_policy[rows, 0])
        return bad
