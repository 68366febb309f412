"""Observers: told of every step of a playout as it happens."""

from __future__ import annotations

from typing import Protocol

from playmill.games.state import State
from playmill.sim.results import PlayoutResult


class Observer(Protocol):
    """Give one to `Simulator.playout`. One call a step, so sums over steps count each decision once."""

    def on_step(self, before: State, index: int, candidates: int, applied: bool, attempted: int) -> None:
        """Step `index` was taken from `before`.

        `candidates` were offered, tried or not; `attempted` is the one that was applied, or the last one rejected.
        """

    def on_completed(self, result: PlayoutResult) -> None:
        """The playout ended."""


class BranchingObserver:
    """Counts steps and the candidates offered at them; may watch many playouts in turn."""

    def __init__(self) -> None:
        self.steps = 0
        self.total_candidates = 0

    def on_step(self, before: State, index: int, candidates: int, applied: bool, attempted: int) -> None:
        self.steps += 1
        self.total_candidates += candidates

    def on_completed(self, result: PlayoutResult) -> None:
        pass

    @property
    def branching_factor(self) -> float:
        """Mean candidates a step; 0 before the first step."""
        return self.total_candidates / self.steps if self.steps else 0.0
