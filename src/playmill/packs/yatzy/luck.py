"""Luck removed from Yatzy games: score = V(start) + luck - regret, exactly, for every board that was ever played.

V is the solved solitaire game's value. Luck is the sum over rolls of (value after the roll - its expectation before), regret
the sum over decisions of (best value - value of the choice). Whoever plays can't foresee the dice, so luck has mean zero,
and score - luck = V(start) - regret has the player's own mean with a fraction of the variance. A player who does foresee
them shows: its luck is not zero on average.

Each seat of a two-player game counts as one solitaire game on its own board; a bot that plays for the win gives points away
on purpose, and that is regret like any other. A win has no such identity, since nobody solved the two-player game. There the
luck of a guessed win probability is taken off: its mean is zero whatever the guess, and how much of it to take is fitted on
other games than it is taken from, so there is no bias either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from playmill.arena.match import Match
from playmill.arena.statistics import pair_means
from playmill.core.errors import UsageError
from playmill.core.executor import Threads, count_threads
from playmill.games.yatzy.hands import UPPER_GOAL
from playmill.games.yatzy.oracle import Oracle
from playmill.games.yatzy.rules import YATZY
from playmill.packs.yatzy.luck_kernels import APPRAISAL, appraise
from playmill.search.decisions import Array

GAMES_PER_PIECE = 256
MIN_FIT = 8  # trials


@dataclass(frozen=True)
class Ledger:
    """What luck and choices made of each board, and what the oracle thinks of each decision."""

    match: Match
    start: float  # V(start)
    luck: Array  # float64 [games, 2], by player
    regret: Array  # float64 [games, 2], never negative
    win_luck: Array  # float64 [games, 2], by player: luck in its guessed probability to win
    decisions: Array  # APPRAISAL, one a decision

    @classmethod
    def join(cls, ledgers: Sequence[Ledger]) -> Ledger:
        """The ledger of several matches of the same bots, one after the other."""
        columns = ("luck", "regret", "win_luck", "decisions")
        joined: dict[str, Any] = {name: np.concatenate([getattr(ledger, name) for ledger in ledgers]) for name in columns}
        return replace(ledgers[0], match=Match.join([ledger.match for ledger in ledgers]), **joined)

    def of(self, bot: int, column: Array) -> Array:
        """The entries of a [games, 2] column that are the bot's."""
        return column[np.arange(len(column)), self.match.seat_of(bot)]

    def scores(self, bot: int) -> Array:
        """The bot's final points, float64 [games]."""
        return self.of(bot, self.match.finals["total"]).astype(np.float64)

    def fair_scores(self, bot: int) -> Array:
        """The same without luck: V(start) - regret."""
        return self.start - self.of(bot, self.regret)

    def has_bonus(self, bot: int) -> Array:
        has_bonus: Array = self.of(bot, self.match.finals["upper"]) == UPPER_GOAL
        return has_bonus

    def fair_wins(self, bot: int) -> Array:
        """A number a pair, [games / 2]: its score less luck. Single ones may lie outside 0..1; their mean is unbiased."""
        return without_luck(pair_means(self.match.scores(bot)), pair_means(self.of(bot, self.win_luck)))

    def choices(self, bot: int) -> Array:
        """The decisions that the bot made itself, APPRAISAL; drawn opening moves are not among them."""
        return self.decisions[self.match.chosen_by(bot, self.decisions["player"])]


def without_luck(trials: Array, luck: Array) -> Array:
    """The trials less a share of their luck, which has mean zero; the share for one half is fitted on the other half.

    Fitted on the same trials it would follow their accidents, and the mean would be off by about one part in their number.
    """
    shares = np.empty(trials.size)
    for half in (0, 1):
        shares[half::2] = _share(trials[1 - half :: 2], luck[1 - half :: 2])
    return trials - shares * luck


def _share(trials: Array, luck: Array) -> float:
    """The share that leaves the least variance; all of it where there is too little to fit."""
    spread = float((luck * luck).sum())  # no matrix product: its last digits depend on the machine
    if trials.size < MIN_FIT or spread == 0:
        return 1.0
    return float(((trials - trials.mean()) * luck).sum()) / spread


def keep_ledger(oracle: Oracle, match: Match, workers: int = 1) -> Ledger:
    """Walk through a match of Yatzy and write down luck and regret; the same for any number of threads."""
    if match.game.ruleset != YATZY.ruleset:
        raise UsageError(f"{match.game.name}: luck is known only for yatzy, whose solitaire game is solved")
    rows = _appraise(oracle, match, workers)
    games, board = match.seeds.size, 2 * match.game_of + rows["player"]
    first_wins = np.bincount(match.game_of, rows["win"] - rows["win_expected"], games)
    return Ledger(
        match=match,
        start=oracle.expected_score(),
        luck=np.bincount(board, rows["best"] - rows["expected"], 2 * games).reshape(games, 2),
        regret=np.bincount(board, rows["best"] - rows["chosen"], 2 * games).reshape(games, 2),
        win_luck=np.stack([first_wins, -first_wins], axis=1),  # the two probabilities add up to 1
        decisions=rows,
    )


def _appraise(oracle: Oracle, match: Match, workers: int) -> Any:
    """One APPRAISAL for each action of the match."""
    states, rows = match.states(), np.zeros(match.actions.size, np.dtype((np.record, APPRAISAL)))
    edges = [*match.offsets[:-1:GAMES_PER_PIECE].tolist(), match.actions.size]
    parts = [slice(a, b) for a, b in pairwise(edges)]
    tasks = (AppraisalTask(oracle.table, states[part], match.actions[part]) for part in parts)
    threads = min(workers, count_threads(None))  # here in any case: it takes a moment, and the table is large
    for number, part_rows in Threads(threads).run(appraise_piece, tasks):
        rows[parts[number]] = part_rows
    return rows


@dataclass(frozen=True)
class AppraisalTask:
    """Decisions of whole games, in order."""

    table: Array
    states: Array
    actions: Array


def appraise_piece(task: AppraisalTask) -> Array:
    """One APPRAISAL for each decision."""
    rows: Array = np.zeros(task.actions.size, np.dtype((np.record, APPRAISAL)))
    appraise(task.table, task.states, task.actions, rows)
    return rows
