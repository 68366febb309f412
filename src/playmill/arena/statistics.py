"""What games say about a strength: means with their errors, intervals, and pairs as trials."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from playmill.core.errors import UsageError
from playmill.search.decisions import Array

CONFIDENCE = 0.95
PAIR_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # what a pair of games can score


@dataclass(frozen=True)
class Estimate:
    """A mean over independent trials, its standard error, and the interval around it; one trial has neither of these."""

    trials: int
    mean: float
    se: float | None
    low: float | None
    high: float | None


def estimate(trials: Array, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of independent trials with Student's interval, which takes at least two of them."""
    if trials.size == 0:
        raise UsageError("a mean needs at least one independent trial, got none")
    mean = float(trials.mean())
    if trials.size == 1:
        return Estimate(1, mean, None, None, None)
    se = float(trials.std(ddof=1) / math.sqrt(trials.size))
    reach = t_of(confidence, trials.size - 1) * se
    return Estimate(int(trials.size), mean, se, mean - reach, mean + reach)


def rate_estimate(trials: Array, confidence: float = CONFIDENCE) -> Estimate:
    """The same for a rate, with an interval inside [0, 1]: where all trials came out alike, Wilson's, as Student's is empty."""
    found = estimate(trials, confidence)
    if found.se is None or found.low is None or found.high is None:
        return found
    low, high = wilson(float(trials.sum()), trials.size, confidence) if found.se == 0 else (found.low, found.high)
    return replace(found, low=max(0.0, low), high=min(1.0, high))


def pair_means(games: Array) -> Array:
    """One number a pair out of one a game: games 2i and 2i + 1 may share their dice, so only the pair is a trial."""
    return games.reshape(-1, 2).mean(axis=1)  # type: ignore[no-any-return]


def pair_counts(games: Array) -> Array:
    """How many pairs scored 0, 0.25, 0.5, 0.75 and 1, int64 [5]; `games` are 0, 0.5 or 1."""
    return np.bincount(np.rint(4 * pair_means(games)).astype(np.int64), minlength=PAIR_SCORES.size)


def wilson(successes: float, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval for a rate; a draw may count as half a success, which makes it a little too wide."""
    if trials < 1 or not 0 <= successes <= trials:
        raise UsageError(f"wilson: expected 0 to {trials} successes of at least one trial, got {successes} of {trials}")
    z, rate = z_of(confidence), successes / trials
    middle = (rate + z * z / (2 * trials)) / (1 + z * z / trials)
    reach = z / (1 + z * z / trials) * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    # The ends are 0 and 1 exactly where nothing or everything succeeded; rounding must not say otherwise.
    return (0.0 if successes == 0 else middle - reach), (1.0 if successes == trials else middle + reach)


def z_of(confidence: float) -> float:
    """How many standard errors an interval reaches to either side: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def t_of(confidence: float, freedom: int) -> float:
    """The same where the standard error is itself estimated: wider for few trials, right to 1 %.

    Closed forms for one and two degrees of freedom; from there on Cornish and Fisher's expansion of Student's quantile
    (Abramowitz and Stegun 26.7.5), three terms.
    """
    if freedom == 1:
        return math.tan(math.pi * confidence / 2)
    if freedom == 2:
        return confidence * math.sqrt(2 / (1 - confidence**2))
    z = z_of(confidence)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
