"""How long a search may go on, and what ended it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from playmill.core.errors import UsageError

NO_LIMIT = np.iinfo(np.int64).max
REMEMBERED = 4  # an iteration counts as so many nodes at least: once all profiles are remembered, there are no new ones
SLICE_MS = 5.0  # between two looks at the clock
WATCH_MS = 500.0  # between two words to somebody who watches

# Hears from a search, in its own thread and between two slices of it: iterations and nodes so far, milliseconds since it began.
Watch = Callable[[int, int, float], None]

NODES_PER_MS = 50  # about; how much a search prepares goes by it where only a time is given


@dataclass(frozen=True)
class Budget:
    """At most so many iterations, nodes (profiles adjudicated and evaluated) or milliseconds; None is no limit.

    Iterations and nodes give the same answer every time; a movetime doesn't. A search looks at its nodes between iterations, so
    it may do one iteration more. Whoever watches changes nothing.
    """

    iterations: int | None = None
    nodes: int | None = None
    movetime_ms: float | None = None
    watch: Watch | None = field(default=None, compare=False, repr=False)
    is_each: bool = False  # where several powers are asked for in one call: for each of them, as if it were asked for alone

    def __post_init__(self) -> None:
        for name in ("iterations", "nodes", "movetime_ms"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise UsageError(f"budget: {name}: expected a number above 0, got {value}")

    @property
    def is_open(self) -> bool:
        return self.iterations is None and self.nodes is None and self.movetime_ms is None

    @property
    def kind(self) -> str:
        """The first limit that is set, the one that repeats exactly first."""
        limits = {"iterations": self.iterations, "nodes": self.nodes, "movetime": self.movetime_ms}
        return next((name for name, value in limits.items() if value is not None), "none")

    @property
    def likely_nodes(self) -> int | None:
        """How many nodes it may come to; None where neither nodes nor a time limit it."""
        if self.nodes is None and self.movetime_ms is not None:
            return int(min(self.movetime_ms * NODES_PER_MS, NO_LIMIT // 2))
        return self.nodes

    def less(self, nodes: int, movetime_ms: float, share: float) -> Budget:
        """The budget without so many nodes and so much time, but at least this share of either; iterations stay."""
        left_nodes = None if self.nodes is None else max(1, int(self.nodes * share), self.nodes - nodes)
        left_ms = None if self.movetime_ms is None else max(self.movetime_ms * share, self.movetime_ms - movetime_ms)
        return replace(self, nodes=left_nodes, movetime_ms=left_ms)

    def nodes_left(self, nodes: int, elapsed_ms: float, nodes_per_ms: float) -> int:
        """How many nodes there are still to use, after so many and so much time."""
        left = NO_LIMIT if self.nodes is None else max(self.nodes - nodes, 0)
        if self.movetime_ms is None:
            return left
        return min(left, int(max(self.movetime_ms - elapsed_ms, 0.0) * nodes_per_ms))


class Clock:
    """A budget that is being used up. `stop` is an array of one number, which a thread may set to end the search."""

    def __init__(self, budget: Budget, stop: np.ndarray) -> None:
        self.budget = budget
        self._stop = stop
        self._began = time.perf_counter()
        self._slice = 1
        self._told_ms = 0.0

    @property
    def elapsed_ms(self) -> float:
        return (time.perf_counter() - self._began) * 1000

    def ended_by(self, iterations: int, nodes: int) -> str:
        """What ends the search now: stop, iterations, nodes or movetime; empty while it may go on."""
        budget = self.budget
        self._tell(iterations, nodes)
        if self._stop[0]:
            return "stop"
        if budget.iterations is not None and iterations >= budget.iterations:
            return "iterations"
        if budget.nodes is not None and (nodes >= budget.nodes or iterations >= budget.nodes // REMEMBERED):
            return "nodes"
        if budget.movetime_ms is not None and self.elapsed_ms >= budget.movetime_ms:
            return "movetime"
        return ""

    def _tell(self, iterations: int, nodes: int) -> None:
        now = self.elapsed_ms
        if self.budget.watch is not None and now - self._told_ms >= WATCH_MS:
            self._told_ms = now
            self.budget.watch(iterations, nodes, now)

    def slice_of(self, iterations: int) -> int:
        """How many iterations to do before the next look; all that are left where no clock runs and nobody watches."""
        budget = self.budget
        left = NO_LIMIT if budget.iterations is None else budget.iterations - iterations
        if budget.movetime_ms is None and budget.watch is None:
            return int(left)
        done_ms = self.elapsed_ms
        if iterations > 0:
            rest = SLICE_MS if budget.movetime_ms is None else max(budget.movetime_ms - done_ms, 0.0)
            self._slice = max(1, int(min(SLICE_MS, rest) * iterations / max(done_ms, 1e-3)))
        return int(min(left, self._slice))
