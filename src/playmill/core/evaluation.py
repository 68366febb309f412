"""How a search and whatever answers its positions meet: rows are submitted, and collected when they have been answered.

An evaluator owns the memory that a batch travels in, so that it can be pinned for a GPU or a message for a server. A search
writes its rows into a buffer, submits them, lets other games go on if the answers are still out, and collects. An evaluator in
the same thread answers while it is told (`LocalEvaluator`), and nobody ever waits.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

Array = np.ndarray[Any, Any]

# What is asked for: logits and values, or values alone. A head's name asks for that head alone.
POLICY, VALUES = "policy", "values"
ALONE, LIST_END = -1, -2  # in place of a second logit: there is none; neither is the first, and the row's list ends here
BATCHES_LE = "batches_le_"  # and a power of two: how search counts its batches by their size


class Shaped(Protocol):
    """A game, as far as the width of its rows is concerned."""

    @property
    def feature_count(self) -> int: ...

    @property
    def logits(self) -> int: ...

    @property
    def max_legal(self) -> int: ...


@dataclass
class EvalBuffer:
    """The memory of a search's batches, a position a row; at most one batch is out at a time.

    With `asked`, the logits that make up each action's are named with its row and only those sums come back; without (its
    second length is 0) `logits` are all that the network has.
    """

    features: Array  # float32 [rows, features], or uint8 where an evaluator takes them smaller: written by the search
    asked: Array  # int32 [rows, actions or 0, 2]: written by the search; ALONE where an action's logit has no second part,
    # and (0, LIST_END) behind the last one, if there is room: what stands beyond is not answered
    logits: Array  # float32 [rows, logits], or where they are asked for [rows, actions]
    values: Array  # float32 [rows, columns]
    head: Array  # float32 [rows, 1]: where one head alone is asked for

    @classmethod
    def plain(cls, shape: Shaped, rows: int, columns: int) -> EvalBuffer:
        """Ordinary arrays, for an evaluator that answers with all logits."""
        return cls(
            features=np.zeros((rows, shape.feature_count), np.float32),
            asked=np.zeros((rows, 0, 2), np.int32),
            logits=np.zeros((rows, shape.logits), np.float32),
            values=np.zeros((rows, columns), np.float32),
            head=np.zeros((rows, 1), np.float32),
        )


class BatchMeter:
    """How full a search's batches are."""

    def __init__(self, room: int) -> None:
        self.room = room  # rows that a batch can have
        self._sizes: Counter[int] = Counter()

    def add(self, rows: int) -> None:
        self._sizes[rows] += 1

    def take(self) -> dict[str, int]:
        """What was counted since the last call; it depends on how games are spread over lanes and threads.

        `batches_le_N` are the batches of at most N rows that are too large for half of N, for a histogram.
        """
        sizes, self._sizes = self._sizes, Counter()
        batches, rows = sizes.total(), sum(rows * count for rows, count in sizes.items())
        counts = {"batches": batches, "batch_rows": rows, "batch_room": batches * self.room}
        for rows, count in sizes.items():
            name = f"{BATCHES_LE}{1 << (rows - 1).bit_length()}"
            counts[name] = counts.get(name, 0) + count
        return counts


class Evaluator(Protocol):
    """Anything that answers a batch: a network here or elsewhere, a table, an oracle. It belongs to one thread.

    `in_turn` is how many groups of games a thread should keep going so that one is at work while the others wait.
    """

    heads: tuple[str, ...]
    in_turn: int

    def open_buffer(self, shape: Shaped, rows: int) -> EvalBuffer:
        """Memory for batches of up to `rows` positions of a game."""

    def submit(self, buffer: EvalBuffer, rows: int, what: str = POLICY) -> bool:
        """Have the buffer's first rows answered; return whether they are already, so that `collect` will not wait."""

    def collect(self, buffer: EvalBuffer) -> None:
        """Wait for the answers of the batch that is out; then they stand in the buffer."""


class LocalEvaluator:
    """The face of evaluators that answer in the thread that asks; a kind of them says how it fills rows."""

    heads: tuple[str, ...]
    in_turn = 1

    @property
    def columns(self) -> int:
        """Of the values; one a head, unless a kind knows better."""
        return len(self.heads)

    def open_buffer(self, shape: Shaped, rows: int) -> EvalBuffer:
        return EvalBuffer.plain(shape, rows, self.columns)

    def submit(self, buffer: EvalBuffer, rows: int, what: str = POLICY) -> bool:
        if what == POLICY:
            self.evaluate(buffer.features[:rows], buffer.logits[:rows], buffer.values[:rows])
        elif what == VALUES:
            self.evaluate_values(buffer.features[:rows], buffer.values[:rows])
        else:
            self.evaluate_head(what, buffer.features[:rows], buffer.head[:rows])
        return True

    def collect(self, buffer: EvalBuffer) -> None:
        """Nothing to wait for."""

    def evaluate(self, features: Array, logits: Array, values: Array) -> None:
        """Fill `logits` [n, logits] and `values` [n, columns] for `features` [n, features], all float32."""
        raise NotImplementedError

    def evaluate_values(self, features: Array, values: Array) -> None:
        """Fill `values` [n, columns] alone."""
        raise NotImplementedError

    def evaluate_head(self, head: str, features: Array, values: Array) -> None:
        """Fill `values` [n, 1] with one head alone."""
        raise NotImplementedError
