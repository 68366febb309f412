"""Evaluators without a network: for tests, and to measure what a search costs by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.kernels import hash_bytes
from playmill.nets.net_evaluator import Array, NetEvaluator, NetShape

S40 = np.uint64(40)
TO_UNIT = 2.0**-23  # a word's top 24 bits, 0..2, before 1 is taken away


class TableEvaluator(NetEvaluator):
    """Answers that look random but are a pure function of a row's bytes and the seed, all in -1..1."""

    backend = "table"

    def __init__(self, shape: NetShape, seed: int = 0) -> None:
        super().__init__(shape)
        self.seed = seed

    def clone(self) -> TableEvaluator:
        return TableEvaluator(self.shape, self.seed)

    def _fill(self, features: Array, logits: Array, values: Array) -> None:
        fill_from_hash(features.view(np.uint8), np.uint64(self.seed), values, logits)

    def _fill_values(self, features: Array, values: Array) -> None:
        fill_from_hash(features.view(np.uint8), np.uint64(self.seed), values, values[:, :0])


class UniformEvaluator(NetEvaluator):
    """Zeros: every action alike, every position even."""

    backend = "uniform"

    def clone(self) -> UniformEvaluator:
        return UniformEvaluator(self.shape)

    def _fill(self, features: Array, logits: Array, values: Array) -> None:
        logits[:] = 0
        values[:] = 0

    def _fill_values(self, features: Array, values: Array) -> None:
        values[:] = 0


@kernel
def fill_from_hash(rows: Any, seed: Any, values: Any, logits: Any) -> None:
    """Fill float32 `values` [n, H] and `logits` [n, L] from uint8 `rows`; word h of a row's stream is value h."""
    for i in range(len(rows)):
        stream = mix_word(seed, hash_bytes(rows[i]))
        for h in range(values.shape[1]):
            values[i, h] = unit_of(mix_word(stream, np.uint64(h)))
        for a in range(logits.shape[1]):
            logits[i, a] = unit_of(mix_word(stream, np.uint64(values.shape[1] + a)))


@kernel
def unit_of(word: Any) -> Any:
    """A number in -1..1, exact in float32, out of a word's top 24 bits."""
    return np.float32(np.float64(word >> S40) * TO_UNIT - 1.0)
