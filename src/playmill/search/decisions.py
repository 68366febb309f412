"""What a search says about each position it was asked about, and the face that all searches share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Decisions:
    """One row a position, `count[i]` entries of each row in use; actions are those that differ in effect, ascending."""

    count: Array  # int32 [n]
    actions: Array  # int32 [n, max_legal]
    policy: Array  # float32 [n, max_legal]: the target, summing to 1
    priors: Array  # float32 [n, max_legal]: what the network said, without noise
    values: Array  # float32 [n, max_legal]: of each action, seen by the mover; NaN where nothing looked
    visits: Array  # int32 [n, max_legal]
    value: Array  # float32 [n, players]: of the position to each player, by seat; NaN where nobody knows
    mover: Array  # int8 [n]: who is to move
    stats: dict[str, int] = field(default_factory=dict)
    togo: Array | None = None  # float64 [n]: expected points to come of the mover, from searches that play for points

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


class Evaluator(Protocol):
    """Anything that answers a batch: a network here or elsewhere, a table, an oracle. It belongs to one thread."""

    heads: tuple[str, ...]  # names in `games/heads.py`; their columns stand side by side

    def evaluate(self, features: Array, logits: Array, values: Array) -> None:
        """Fill `logits` [n, logits] and `values` [n, columns] for `features` [n, ...], all float32."""


class TurnEvaluator(Evaluator, Protocol):
    """An evaluator that also gives values without a policy, all of them or one head's."""

    def evaluate_values(self, features: Array, values: Array) -> None:
        """Fill `values` [n, columns]."""

    def evaluate_head(self, head: str, features: Array, values: Array) -> None:
        """Fill `values` [n, 1] with one head."""


class Searcher(Protocol):
    """A search over a fixed number of slots, each of which holds one game for as long as it lasts."""

    slots: int

    def search(self, slots: Array, records: Array, streams: Array, with_noise: bool) -> Decisions:
        """Look at `records`, unfinished states that stand in `slots`; imagined chance and noise come from `streams`."""

    def moved(self, slots: Array, actions: Array, records: Array) -> None:
        """The games in `slots` went on by `actions` and now stand at `records`: what is known of them may be kept."""

    def forget(self, slots: Array) -> None:
        """New games begin in `slots`."""
