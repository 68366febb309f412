"""Answers about positions, many at a time, wherever the network runs: here (`backends.py`), or at a server.

Positions of any games, for all seven powers, go into one batch; a position's answer does not depend on who else is in it, to
the last bit. An evaluator belongs to one thread; `clone` makes another for another thread.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from playmill.games.diplomacy.geography import NOBODY, POWER_COUNT
from playmill.games.diplomacy.state import winner
from playmill.nets.net_evaluator import NetEvaluator
from playmill.packs.diplomacy.neural.backends import open_backend
from playmill.packs.diplomacy.neural.checkpoint import DiplomacyCheckpoint, load
from playmill.packs.diplomacy.neural.features import encode
from playmill.packs.diplomacy.neural.logit_ids import LOGITS

if TYPE_CHECKING:
    from playmill.serve.opening import RemoteOpener


class DiplomacyEvaluator:
    """Encodes positions for a network, as many at a time as it answers at once."""

    def __init__(self, network: NetEvaluator) -> None:
        self.network, self.backend = network, network.backend

    def answer(self, states: Any) -> tuple[np.ndarray, np.ndarray]:
        """Scores [n, LOGITS] and values [n, 7] of positions, float32."""
        scores, values = np.empty((len(states), LOGITS), np.float32), np.empty((len(states), POWER_COUNT), np.float32)
        for begin in range(0, len(states), self.network.chunk):
            rows = slice(begin, begin + self.network.chunk)
            self.network.evaluate(encode(states[rows]), scores[rows], values[rows])
        decide_finished(states, values)
        return scores, values

    def values(self, states: Any) -> np.ndarray:
        """The values alone: the same numbers as those of `answer`, for half the work."""
        values = np.empty((len(states), POWER_COUNT), np.float32)
        for begin in range(0, len(states), self.network.chunk):
            rows = slice(begin, begin + self.network.chunk)
            self.network.evaluate_values(encode(states[rows]), values[rows])
        decide_finished(states, values)
        return values

    def clone(self) -> DiplomacyEvaluator:
        """An independent evaluator with the same answers, for another thread."""
        return DiplomacyEvaluator(self.network.clone())


def decide_finished(states: Any, values: np.ndarray) -> None:
    """Give a game that is won to its winner: no guess is needed."""
    for row, state in enumerate(states):
        champion = winner(state)
        if champion != NOBODY:
            values[row] = 0.0
            values[row, champion] = 1.0


def open_evaluator(
    source: Path | str | DiplomacyCheckpoint,
    backend: str = "auto",
    device: str = "cpu",
    opener: RemoteOpener | None = None,
) -> DiplomacyEvaluator:
    """An evaluator of a checkpoint; with an `opener` its network answers where that says."""
    checkpoint = load(Path(source)) if isinstance(source, Path | str) else source
    return DiplomacyEvaluator((opener or open_backend)(checkpoint, backend, device))
