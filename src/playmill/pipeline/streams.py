"""Streams of a run's seed: each use of chance has words of its own."""

from __future__ import annotations

from playmill.core.seeds import mix

GAMES, WEIGHTS, TRAINING, GATES, MEASURES = range(5)


def iteration_seed(seed: int, stream: int, iteration: int) -> int:
    """The seed of one use of chance in one iteration of a run."""
    return mix(mix(seed, stream), iteration)
