"""Statistics of playout lengths: exact, O(1) a playout, the same in any order."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from playmill.core.errors import UsageError
from playmill.sim.kernels import count_lengths


class Lengths:
    """Running statistics of applied actions per playout.

    Lengths are whole numbers, so the sums of them and of their squares are kept as integers. That is as cheap as Welford's
    update and exact: no rounding, hence no dependence on the order in which workers report.
    """

    def __init__(self) -> None:
        self.count = 0
        self.progressed = 0
        self.total = 0
        self._squares = 0
        self._counts = np.zeros(64, np.int64)
        self._min = 0
        self._max = 0

    def add(self, applied: int) -> None:
        """Count one more playout."""
        self._min = applied if self.count == 0 else min(self._min, applied)
        self._max = max(self._max, applied)
        self.count += 1
        self.progressed += applied > 0
        self.total += applied
        self._squares += applied * applied
        self._reserve(applied)
        self._counts[applied] += 1

    def extend(self, applied: np.ndarray[Any, Any]) -> None:
        """Count many more playouts at once."""
        if applied.size == 0:
            return
        lowest, highest = int(applied.min()), int(applied.max())
        self._min = lowest if self.count == 0 else min(self._min, lowest)
        self._max = max(self._max, highest)
        self._reserve(highest)
        counts = np.zeros_like(self._counts)
        count_lengths(applied, counts)
        self._counts += counts
        lengths = np.flatnonzero(counts)
        self.count += int(applied.size)
        self.progressed += int(applied.size - counts[0])
        self.total += sum(int(n) * int(counts[n]) for n in lengths)
        self._squares += sum(int(n) ** 2 * int(counts[n]) for n in lengths)

    def _reserve(self, applied: int) -> None:
        if applied >= self._counts.size:
            grown = np.zeros(2 * applied + 1, np.int64)
            grown[: self._counts.size] = self._counts
            self._counts = grown

    @property
    def min(self) -> int:
        return self._min

    @property
    def max(self) -> int:
        return self._max

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else math.nan

    @property
    def variance(self) -> float:
        """Population variance."""
        if self.count == 0:
            return math.nan
        return (self.count * self._squares - self.total * self.total) / (self.count * self.count)

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def histogram(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """How many playouts had each length; index = length, last index = the longest."""
        return self._counts[: self._max + 1].copy()

    def percentile(self, p: float) -> int:
        """The nearest-rank percentile; p <= 0 is the minimum, p >= 100 the maximum."""
        if self.count == 0:
            raise UsageError("percentile: no playouts were run")
        if p <= 0:
            return self._min
        if p >= 100:
            return self._max
        # As a fraction, or 7 % of 100 playouts would be rank 8 by rounding.
        rank = math.ceil(Fraction(p).limit_denominator(10**6) * self.count / 100)
        return int(np.searchsorted(np.cumsum(self._counts), rank))
