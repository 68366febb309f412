"""How rates are measured: warm up, then short rounds in turn; of each side the best round counts.

A neighbour on the machine can only slow a round down, so the best one is nearest to what the code does when left alone.
Sides that are compared take turns round by round, so that a busy minute meets all of them and their ratio stays fair.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

ROUNDS = 5
CALL_S = 0.2  # what a call of the measured code may take: long, so that starting and ending its threads costs little


@dataclass(frozen=True)
class Round:
    """One turn of one side: how much it did, in how long."""

    count: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.count / self.seconds


Side = Callable[[float], Round]
Name = TypeVar("Name", bound=Hashable)


class Paced:
    """A side made of `work(size) -> count`: it works until the time is up, in sizes that take about CALL_S each.

    By the clock on the wall, or by `time.process_time`, which neighbours that take cores away don't move.
    """

    def __init__(self, work: Callable[[int], int], clock: Callable[[], float] = time.perf_counter) -> None:
        self._work, self._clock = work, clock
        self._size = 1

    def __call__(self, seconds: float) -> Round:
        """Work for `seconds` or a little longer; 0 makes one call."""
        count, began = 0, self._clock()
        while True:
            count += self._call()
            elapsed = self._clock() - began
            if elapsed >= seconds:
                return Round(count, elapsed)

    def _call(self) -> int:
        began = self._clock()
        count = self._work(self._size)
        if self._clock() - began < CALL_S / 2:
            self._size *= 2
        return count


def best_rates(sides: Mapping[Name, Side], seconds: float) -> dict[Name, float]:
    """Each side's best rate over ROUNDS rounds, for which it gets about `seconds` in all."""
    for side in sides.values():
        side(0.0)  # compiles
        side(seconds / ROUNDS)  # finds its pace
    rates = dict.fromkeys(sides, 0.0)
    for _ in range(ROUNDS):
        for name, side in sides.items():
            rates[name] = max(rates[name], side(seconds / ROUNDS).rate)
    return rates


def least_seconds(work: Callable[[], object], seconds: float) -> float:
    """The shortest time that `work()` took, of as many calls as fit into `seconds`, at least one; a first one compiles."""
    work()
    best, end = float("inf"), time.perf_counter() + seconds
    while True:
        began = time.perf_counter()
        work()
        now = time.perf_counter()
        best = min(best, now - began)
        if now >= end:
            return best
