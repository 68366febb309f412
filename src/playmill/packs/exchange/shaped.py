"""The head `shaped` of EXCHANGE's networks: each side's outcome with its reward terms, on the scale that a search backs up.

A side's target is its utility (win 1, loss -1, a draw -0.5 for both) plus what the reward terms add, clipped to [-1, 1]. It is
clipped, not squashed by a tanh: a search mixes a network's answers with the exact utilities of games that are over, and a sure
win that the network calls 0.76 would lose to any drawn-out way to it. Clipped, every utility stays what it is worth.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from playmill.games.game import Game
from playmill.games.heads import EXPECTED, LOST, OUTCOME_PART, WON, Array, Column, Head, Told, of_outcome

SHAPED = "shaped"


def shaped_outcome(place: int, told: Told) -> Array:
    """The target of the player at this place, counted from the mover, [n]."""
    target: Array = np.clip(told.utilities[:, place] + told.shaping[:, place], LOST, WON)
    return target


def _columns(game: Game) -> dict[str, Column]:
    return {SHAPED: partial(shaped_outcome, 0), f"{SHAPED}_1": partial(shaped_outcome, 1)}


def _two_sides(game: Game) -> str | None:
    return None if game.players == 2 else "two players"


HEAD = Head(
    SHAPED, "each side's outcome with its reward terms", lambda players: players, "tanh", _columns, EXPECTED, "square",
    OUTCOME_PART, of_outcome(lambda game: np.eye(game.players)), _two_sides,
)  # fmt: skip
