"""The face of everything that answers positions: features in, logits and values out, a whole batch at a time.

An evaluator belongs to one thread; `clone` makes another for another thread. A position's answer does not depend on who else
is in the batch: not on its size, its order or its neighbours, to the last bit. Self-play is repeatable because of that, and
`tests/nets/test_row_invariance.py` holds every backend to it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.core.errors import UsageError
from playmill.core.evaluation import POLICY, VALUES, EvalBuffer, LocalEvaluator
from playmill.games.game import Game
from playmill.games.heads import WIN, column_count, column_of

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class NetShape:
    """How wide the rows are, and what the values are called."""

    features: int
    logits: int
    heads: tuple[str, ...]
    feature_type: str = "float32"  # how small a feature may be made on its way, as the game has it
    players: int = 2

    @property
    def columns(self) -> int:
        """Of the values."""
        return column_count(self.heads, self.players)

    @classmethod
    def of_game(cls, game: Game, heads: tuple[str, ...] = (WIN,)) -> NetShape:
        """The shape that any network of the game has."""
        return cls(game.feature_count, game.logits, heads, game.feature_type, game.players)


class NetEvaluator(LocalEvaluator, ABC):
    """Checks the caller's arrays, then lets the backend fill them, at most `chunk` rows at a time."""

    backend: str
    chunk = 1024
    pass_rows: int | None = None  # where answers depend on it to the last bit: how many rows a pass has

    def __init__(self, shape: NetShape) -> None:
        self.shape = shape
        self.heads, self.logits, self.features = shape.heads, shape.logits, shape.features
        self._columns = shape.columns

    @property
    def columns(self) -> int:
        return self._columns

    def evaluate(self, features: Array, logits: Array, values: Array) -> None:
        """Fill `logits` [n, L] and `values` [n, H] for `features` [n, F]; C-contiguous float32, the caller's own."""
        count = len(features)
        check_rows("features", features, count, self.features)
        check_rows("logits", logits, count, self.logits)
        check_rows("values", values, count, self.columns)
        for begin in range(0, count, self.chunk):
            rows = slice(begin, begin + self.chunk)
            self._fill(features[rows], logits[rows], values[rows])

    def evaluate_values(self, features: Array, values: Array) -> None:
        """Fill `values` alone: the same numbers as `evaluate`, for less work."""
        count = len(features)
        check_rows("features", features, count, self.features)
        check_rows("values", values, count, self.columns)
        for begin in range(0, count, self.chunk):
            rows = slice(begin, begin + self.chunk)
            self._fill_values(features[rows], values[rows])

    def evaluate_head(self, head: str, features: Array, values: Array) -> None:
        """Fill `values` [n, 1] with one head alone: the same numbers again, for less work where the network allows it."""
        count = len(features)
        check_rows("features", features, count, self.features)
        check_rows("values", values, count, 1)
        for begin in range(0, count, self.chunk):
            rows = slice(begin, begin + self.chunk)
            self._fill_head(head, features[rows], values[rows])

    @abstractmethod
    def clone(self) -> NetEvaluator:
        """An independent evaluator with the same answers, for another thread."""

    @abstractmethod
    def _fill(self, features: Array, logits: Array, values: Array) -> None:
        """Answer 1 to `chunk` rows."""

    @abstractmethod
    def _fill_values(self, features: Array, values: Array) -> None:
        """Answer the values of 1 to `chunk` rows."""

    def _fill_head(self, head: str, features: Array, values: Array) -> None:
        """Answer one head of 1 to `chunk` rows."""
        every = np.empty((len(features), self.columns), np.float32)
        self._fill_values(features, every)
        values[:, 0] = every[:, column_of(self.heads, head, self.shape.players)]


class BufferedEvaluator(NetEvaluator):
    """The base of evaluators that answer from elsewhere: rows in others' memory go through a buffer of their own."""

    _own: EvalBuffer | None = None

    @abstractmethod
    def _own_buffer(self) -> EvalBuffer:
        """A buffer of `chunk` rows that gets all logits."""

    def _fill(self, features: Array, logits: Array, values: Array) -> None:
        own = self._ask(features, POLICY)
        logits[:], values[:] = own.logits[: len(features)], own.values[: len(features)]

    def _fill_values(self, features: Array, values: Array) -> None:
        values[:] = self._ask(features, VALUES).values[: len(features)]

    def _fill_head(self, head: str, features: Array, values: Array) -> None:
        values[:] = self._ask(features, head).head[: len(features)]

    def _ask(self, features: Array, what: str) -> EvalBuffer:
        """Have rows in the caller's memory answered by way of the evaluator's own buffer."""
        if self._own is None:
            self._own = self._own_buffer()
        self._own.features[: len(features)] = features
        self.submit(self._own, len(features), what)
        self.collect(self._own)
        return self._own


def check_rows(name: str, array: Array, count: int, width: int) -> None:
    """Raise unless `array` is float32 [count, width] in one piece: backends write to its memory without looking."""
    if array.dtype != np.float32 or array.shape != (count, width) or not array.flags.c_contiguous:
        order = "" if array.flags.c_contiguous else ", not contiguous"
        raise UsageError(
            f"evaluator: {name}: expected contiguous float32 [{count}, {width}], got {array.dtype} {list(array.shape)}{order}"
        )
