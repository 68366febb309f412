"""Streams of a run's seed: each use of chance has words of its own."""

from __future__ import annotations

GAMES, WEIGHTS, TRAINING, GATES, MEASURES = range(5)
