"""A set of positions seen, and how often playouts came back to one."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import numpy as np

from playmill.sim.kernels import insert_keys


class TranspositionSet:
    """Keys of the states that playouts went through. Give one to `playout` or `playout_many`, or the same one to several.

    It counts, it does not cut playouts short: results never depend on who saw a position first. Any number of threads may
    add to it; the counts are the same in any order.
    """

    def __init__(self) -> None:
        self.visited = 0
        self.distinct = 0
        self._table = np.zeros(1 << 12, np.uint64)
        self._has_zero = False
        self._lock = threading.Lock()

    def add(self, keys: Iterable[int]) -> None:
        """Visit the states with these keys."""
        words = keys if isinstance(keys, np.ndarray) else np.fromiter(keys, np.uint64)
        with self._lock:
            self._reserve(self.distinct + words.size)
            self.distinct += insert_keys(self._table, words)
            if not self._has_zero and bool((words == 0).any()):
                self._has_zero = True
                self.distinct += 1
            self.visited += words.size

    def _reserve(self, count: int) -> None:
        """Make room for `count` keys at half load or less."""
        if 2 * count <= self._table.size:
            return
        grown = np.zeros(1 << (2 * count).bit_length(), np.uint64)
        insert_keys(grown, self._table)  # the empty places are zeros, which are passed over
        self._table = grown

    @property
    def hit_rate(self) -> float:
        """The share of visits that met a state seen before; 0 before the first visit."""
        return 1 - self.distinct / self.visited if self.visited else 0.0
