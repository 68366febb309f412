"""A pool of blocks in memory: the rows that were read last, ready to be copied into batches.

Why not map the files and let the system do it: a row looked at in a mapped file makes the page around it resident, and
recent kernels (measured on 6.18) whole 2 MB folios. One batch of 1024 rows out of 10 million made 2.4 GB resident.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from playmill.core.errors import PlaymillError
from playmill.games.game import Game
from playmill.replay import kernels
from playmill.replay.columns import ShardFile


@dataclass(frozen=True)
class Widths:
    """Of a row's features, policy and targets; a policy is as wide as the logits, or with slots as the most actions."""

    features: int
    logits: int
    policy: int
    targets: int
    has_slots: bool

    @classmethod
    def of(cls, game: Game, targets: int) -> Widths:
        policy = game.max_legal if game.has_slots else game.logits
        return cls(game.feature_count, game.logits, policy, targets, game.has_slots)

    @property
    def row_bytes(self) -> int:
        return 4 * (self.features + (3 if self.has_slots else 1) * self.policy + self.targets)


class BlockPool:
    """Fixed room for `slots` blocks of `block_rows` rows; the block that came first goes first."""

    def __init__(self, slots: int, block_rows: int, blocks: int, widths: Widths) -> None:
        """`blocks`: how many there are in all."""
        self.slots, self.block_rows, self.widths = slots, block_rows, widths
        rows = slots * block_rows
        self.features, self.policy, self.targets = (
            np.empty((rows, width), np.float32) for width in (widths.features, widths.policy, widths.targets)
        )
        self.places = np.empty((rows, 2 * widths.policy if widths.has_slots else 0), np.int32)
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
            what = "slots" if self.widths.has_slots else "actions"
            last = self.widths.logits - 1
            raise PlaymillError(f"{shard.path}: sample {first + bad}: expected policy {what} 0..{last}, got others")
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
            probs = shard.read(file, "policy_prob", begin, np.empty(entries, np.float32))
            name, width = ("policy_slots", (entries, 2)) if self.widths.has_slots else ("policy_action", (entries,))
            where = shard.read(file, name, begin, np.empty(width, np.int32))
        policy, has_policy = self.policy[rows], self.has_policy[rows, 0]
        if not self.widths.has_slots:
            return int(kernels.spread(offsets, where, probs, policy, has_policy))
        places = self.places[rows].reshape(count, -1, 2)
        return int(kernels.spread_slots(offsets, where, probs, self.widths.logits, policy, places, has_policy))
