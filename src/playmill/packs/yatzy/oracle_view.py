"""What the solved game says about a bot in a match of Yatzy: its boards, its choices, its wins, each with and without luck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from playmill.arena.statistics import Estimate, estimate, pair_means, wilson
from playmill.packs.yatzy.luck import Ledger
from playmill.packs.yatzy.luck_kernels import KINDS
from playmill.search.decisions import Array

# Two actions of the same worth are added up in different orders, so their values may differ in the last digits.
NO_REGRET_POINTS = 1e-9
QUANTILES = (0.5, 0.75, 0.9, 0.95, 0.99, 1.0)
REGRET_EDGES = (NO_REGRET_POINTS, 0.1, 0.3, 1.0, 3.0, 10.0)  # points; below the first: none


@dataclass(frozen=True)
class Boards:
    """Final scores on the bot's own boards, each a solitaire game. Trials of the intervals are pairs of games."""

    games: int
    mean: float
    sd: float
    median: float
    min: int
    max: int
    bonus_rate: float
    plain: Estimate
    fair: Estimate  # luck removed: V(start) - regret
    luck: Estimate  # near zero for anyone who can't foresee the dice
    variance_ratio: float | None  # plain over fair, game by game; None without any regret


@dataclass(frozen=True)
class Choices:
    """How often and how far the bot left the oracle's way."""

    count: int
    match_rate: float | None  # the oracle's own choice; masks that mean the same are the same
    no_regret_rate: float | None  # as good as it: ties count, too
    mean_regret: float | None  # points a decision; None where there was none
    quantiles: dict[str, float] | None = None  # of the regret, by share of decisions: "0.5", ...
    histogram: tuple[int, ...] | None = None  # decisions by regret, in the spans that REGRET_EDGES parts


@dataclass(frozen=True)
class Wins:
    """Results against the other bot; a draw is half a win. Trials of `paired` and `fair` are pairs of games."""

    wins: int
    losses: int
    draws: int
    rate: float
    wilson: tuple[float, float]
    paired: Estimate
    fair: Estimate  # luck reduced
    variance_ratio: float | None  # paired over fair; None where fair has none
    points: Estimate  # the bot's points less the other's
    fair_points: Estimate  # the same with luck removed


def see_boards(ledger: Ledger, bot: int) -> Boards:
    """The bot's own boards."""
    scores, fair = ledger.scores(bot), ledger.fair_scores(bot)
    return Boards(
        games=int(scores.size),
        mean=float(scores.mean()),
        sd=float(scores.std()),
        median=float(np.median(scores)),
        min=int(scores.min()),
        max=int(scores.max()),
        bonus_rate=float(ledger.has_bonus(bot).mean()),
        plain=estimate(pair_means(scores)),
        fair=estimate(pair_means(fair)),
        luck=estimate(pair_means(ledger.of(bot, ledger.luck))),
        variance_ratio=_ratio(scores, fair),
    )


def see_choices(ledger: Ledger, bot: int) -> dict[str, Choices]:
    """The bot's decisions: all, and by kind."""
    rows = ledger.choices(bot)
    return {"all": _choices(rows), **{kind: _choices(rows[rows["kind"] == i]) for i, kind in enumerate(KINDS)}}


def _choices(rows: Array) -> Choices:
    if rows.size == 0:
        return Choices(0, None, None, None)
    regret = rows["best"] - rows["chosen"]
    is_free = regret <= NO_REGRET_POINTS
    return Choices(
        count=int(rows.size),
        match_rate=float(rows["is_best"].mean()),
        no_regret_rate=float(is_free.mean()),
        mean_regret=float(regret.mean()),
        quantiles={f"{share:g}": float(np.quantile(regret, share)) for share in QUANTILES},
        histogram=tuple(np.bincount(np.digitize(regret, REGRET_EDGES), minlength=len(REGRET_EDGES) + 1).tolist()),
    )


def see_wins(ledger: Ledger, bot: int) -> Wins:
    """The bot's results."""
    scores, fair = ledger.match.scores(bot), ledger.fair_wins(bot)
    difference = ledger.scores(bot) - ledger.scores(1 - bot)
    return Wins(
        wins=int((scores == 1).sum()),
        losses=int((scores == 0).sum()),
        draws=int((scores == 0.5).sum()),
        rate=float(scores.mean()),
        wilson=wilson(float(scores.sum()), scores.size),
        paired=estimate(pair_means(scores)),
        fair=estimate(fair),
        variance_ratio=_ratio(pair_means(scores), fair),
        points=estimate(pair_means(difference)),
        fair_points=fair_difference(ledger, bot),
    )


def fair_difference(ledger: Ledger, bot: int) -> Estimate:
    """The bot's points less the other's with luck removed, pair by pair: exact, since luck is exact on either board."""
    return estimate(pair_means(ledger.fair_scores(bot) - ledger.fair_scores(1 - bot)))


def _ratio(plain: Array, fair: Array) -> float | None:
    """How many times fewer trials say as much without luck."""
    left = float(fair.var())
    return float(plain.var()) / left if left > NO_REGRET_POINTS**2 else None
