"""How a match under way stands, for whoever looks on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from playmill.core.executor import Hear
from playmill.search.decisions import Array

ROUNDING = 1e-9  # a mean of equal utilities is no more exact


@dataclass(frozen=True)
class Standing:
    """What bot 0 has made of the games that have ended so far."""

    games: int = 0
    score: float = 0.0  # wins, a draw half
    points: float = 0.0  # its own, all games together; 0 where a game has none
    ratio: float | None = None  # what a sequential test said at its last look
    before: int = 0  # games of other matches that were played before this one

    @property
    def done(self) -> int:
        """Games ended, those of other matches with them."""
        return self.before + self.games

    @property
    def win_rate(self) -> float:
        return self.score / max(self.games, 1)

    @property
    def mean_points(self) -> float:
        return self.points / max(self.games, 1)

    def plus(self, more: Standing) -> Standing:
        """The same after more games of the same match."""
        return replace(self, games=self.games + more.games, score=self.score + more.score, points=self.points + more.points)


Progress = Callable[[Standing], None]


def count_games(progress: Callable[[int], None] | None) -> Progress | None:
    """For one who only counts games."""
    return None if progress is None else lambda standing: progress(standing.done)


def after(before: int, progress: Progress | None) -> Progress | None:
    """For a match that is played after so many games of others."""
    return None if progress is None else lambda standing: progress(replace(standing, before=before))


def leads_of(column: Array, is_own: Array) -> Array:
    """By how much a bot's seats have more than the others on average, game by game; both arrays are [n, players]."""
    own = np.where(is_own, column, 0.0).sum(axis=1) / is_own.sum(axis=1)
    others = np.where(is_own, 0.0, column).sum(axis=1) / (~is_own).sum(axis=1)
    leads: Array = own - others
    return leads


def scores_of(returns: Array, is_own: Array) -> Array:
    """1 for each game that a bot won, 0.5 for a draw, 0 for a loss: whether its seats have more than the others.

    `returns` are the players' utilities, of any sum. A draw is when both sides have the same, whatever that is worth.
    """
    leads = leads_of(returns, is_own)
    scores: Array = 0.5 + 0.5 * np.sign(np.where(np.abs(leads) < ROUNDING, 0.0, leads))
    return scores


def adding_up(progress: Progress | None) -> Hear:
    """For tasks that tell how the games stand that have just ended: `progress` hears the sum."""
    total = Standing()

    def hear(_: int, more: Standing) -> None:
        nonlocal total
        total = total.plus(more)
        if progress is not None:
            progress(total)

    return hear
