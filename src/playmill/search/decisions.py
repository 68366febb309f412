"""What a search says about each position it was asked about, and the face that all searches share."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import Any, Protocol, TypeVar

import numpy as np

Array = np.ndarray[Any, Any]
T = TypeVar("T")

# Work that yields while its evaluations are out, and comes to a T; a network in the same thread never makes it wait.
Waiting = Generator[None, None, T]


def finish(work: Waiting[T]) -> T:
    """Run a search to its end, waiting for every evaluation that it asks for; return what it returns."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


class Tells(Flag):
    """What can be learned from decisions besides the action: a search, and whoever plays by it, declares it."""

    NOTHING = 0
    POLICY = auto()  # `policy` is worth learning
    WINS = auto()  # `value` is the utility of each player at the end
    POINTS = auto()  # `togo` is there
    TURN_STARTS = auto()  # `turn_starts` are there
    PRIORS = auto()  # `priors` are a network's, and `visits` were counted
    AFTERSTATES = auto()  # it asks its network about afterstates, so the network should learn them
    MOVES = auto()  # it thinks nothing that could be told, but its moves are worth imitating


@dataclass(frozen=True)
class TurnStarts:
    """Turns that a search has solved, one row each, and what they are worth before their roll."""

    lanes: Array  # int64 [n]
    records: Array  # the game's records [n], before the roll
    worth: Array  # float64 [n], seen by the mover
    is_win: Array  # bool [n]: worth is that of a win; else points to come


@dataclass(frozen=True)
class Decisions:
    """One row a position, `count[i]` entries of each row in use; actions are those that differ in effect, ascending."""

    count: Array  # int32 [n]
    actions: Array  # int32 [n, max_legal]
    policy: Array  # float32 [n, max_legal]: the target, summing to 1
    priors: Array  # float32 [n, max_legal]: what the network said, without noise; zeros where none was asked for them
    values: Array  # float32 [n, max_legal]: of each action, seen by the mover; NaN where nothing looked
    visits: Array  # int32 [n, max_legal]
    value: Array  # float32 [n, players]: of the position to each player, by seat; NaN where nobody knows
    mover: Array  # int8 [n]: who is to move
    stats: dict[str, int] = field(default_factory=dict)
    togo: Array | None = None  # float64 [n]: expected points to come of the mover, from searches that play for points
    turn_starts: TurnStarts | None = None
    noisy_priors: Array | None = None  # float32 [n, max_legal]: with Dirichlet noise, where a root had any
    is_fallback: Array | None = None  # bool [n]: answers were not finite, priors or policy were made uniform; None: never

    @classmethod
    def blank(cls, rows: int, max_legal: int, players: int) -> Decisions:
        """Room for so many positions, for a kernel to fill."""
        shape = (rows, max_legal)
        return cls(
            count=np.zeros(rows, np.int32),
            actions=np.zeros(shape, np.int32),
            policy=np.zeros(shape, np.float32),
            priors=np.zeros(shape, np.float32),
            values=np.full(shape, np.nan, np.float32),
            visits=np.zeros(shape, np.int32),
            value=np.full((rows, players), np.nan, np.float32),
            mover=np.zeros(rows, np.int8),
        )

    def columns(self) -> tuple[Array, ...]:
        """The arrays in their order, as kernels take them."""
        return self.count, self.actions, self.policy, self.priors, self.values, self.visits, self.value, self.mover

    @property
    def own_value(self) -> Array:
        """Float32 [n]: what each position is worth to its mover."""
        own: Array = self.value[np.arange(len(self.mover)), self.mover]
        return own


class Searcher(Protocol):
    """A search over a fixed number of lanes, each of which holds one game for as long as it lasts."""

    lanes: int
    tells: Tells
    in_turn: int  # as its evaluator's

    def search(self, lanes: Array, records: Array, streams: Array, with_noise: bool) -> Waiting[Decisions]:
        """Look at `records`, unfinished states that stand in `lanes`; imagined chance and noise come from `streams`."""

    def moved(self, lanes: Array, actions: Array, records: Array) -> None:
        """The games in `lanes` went on by `actions` and now stand at `records`: what is known of them may be kept."""

    def forget(self, lanes: Array) -> None:
        """Drop what is kept of the games in `lanes`: new ones begin there."""
