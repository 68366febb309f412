"""A test that stops as soon as it knows: Wald's sequential ratio test, generalised to pairs of games.

The question is whether the candidate's mean pair score is `score0` (or less) or `score1` (or more). A pair scores 0, 0.25, 0.5,
0.75 or 1 with unknown probabilities; each hypothesis fixes only their mean, so the likelihood under it is that of the
distribution with this mean that fits the counts best (the empirical likelihood, as Fishtest uses it for chess engines).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from playmill.arena.statistics import PAIR_SCORES
from playmill.search.decisions import Array

Decision = Literal["continue", "accept", "reject"]

# An outcome not seen yet is not impossible: without it, a few equal pairs would seem to be proof.
UNSEEN = 1e-3
HALVINGS = 50


@dataclass(frozen=True)
class SequentialTest:
    """Accept `score1` or reject it; `alpha` is the chance to accept at score0, `beta` to reject at score1."""

    score0: float
    score1: float
    alpha: float
    beta: float

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test rejects and accepts."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Array) -> Array:
        """The log-likelihood ratio of score1 to score0 for pair counts [..., 5]; above 0 speaks for score1."""
        counts = np.maximum(counts, UNSEEN)
        return (counts * (_log_tilt(counts, self.score0) - _log_tilt(counts, self.score1))).sum(axis=-1)  # type: ignore[no-any-return]

    def ratio_of(self, trials: Array) -> float:
        """The same for trials that are any numbers, by the normal approximation; for luck-reduced pairs."""
        variance = max(float(trials.var()), UNSEEN / trials.size)
        away = 2 * float(trials.mean()) - self.score0 - self.score1
        return trials.size * (self.score1 - self.score0) * away / (2 * variance)

    def decide(self, ratio: float) -> Decision:
        """What a ratio says."""
        low, high = self.bounds
        return "accept" if ratio >= high else "reject" if ratio <= low else "continue"


def _log_tilt(counts: Array, mean: float) -> Array:
    """log(1 + t * (score - mean)) by outcome, for the t that gives share / (1 + t * (score - mean)) the wanted mean."""
    shares = counts / counts.sum(axis=-1, keepdims=True)
    away = PAIR_SCORES - mean
    # Between these ends all probabilities are positive, and the mean falls as t grows: halve the interval.
    low = np.full((*shares.shape[:-1], 1), -1 / (1 - mean))
    high = np.full_like(low, 1 / mean)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_above = (shares * away / (1 + middle * away)).sum(axis=-1, keepdims=True) > 0
        low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
    return np.log1p((low + high) / 2 * away)
