"""Search by solving the turn: the network values the ways a turn can close, and everything inside it follows exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.errors import UsageError
from playmill.games.game import Game
from playmill.games.heads import TOGO_OPP, WIN, column_count, column_of
from playmill.games.yatzy import ends as turn
from playmill.games.yatzy.turn import END_COUNT, KEEP_COUNT
from playmill.search.decisions import Array, Decisions, TurnEvaluator
from playmill.search.exact_kernels import look_up
from playmill.search.settings import ExactTurnSettings

LANES = 64


class ExactTurnSearch:
    """A `Searcher` for Yatzy: one batch of evaluations a turn, none for its later decisions.

    Besides decisions it hands out what each turn was worth before its first roll (`take_turn_starts`): the low-noise target
    that the score-to-go head learns from. Values of decisions are points or wins, as the settings say turn by turn.
    """

    values_are_wins = False

    def __init__(self, game: Game, settings: ExactTurnSettings, evaluator: TurnEvaluator, slots: int) -> None:
        if game.name != "yatzy":
            raise UsageError(f"search.kind exact_turn: {game.name} has no exactly solvable turn; use puct")
        missing = {WIN, TOGO_OPP} - set(evaluator.heads)
        if missing:
            raise UsageError(f"search.kind exact_turn: the network lacks the heads {sorted(missing)}; make it with togo: true")
        self.game, self.settings, self.evaluator, self.slots = game, settings, evaluator, slots
        self._heads = tuple(column_of(evaluator.heads, head, game.players) for head in (WIN, TOGO_OPP))
        self._solved_turn = np.full(slots, -1, np.int64)
        self._ends = np.zeros((slots, END_COUNT))
        self._keeps = np.zeros((slots, 2, KEEP_COUNT))
        self._by_win = np.zeros(slots, np.bool_)
        self._turn_starts: list[tuple[Array, Array, Array, Array]] = []
        rows = LANES * END_COUNT
        self._features = np.zeros((rows, game.feature_count), np.float32)
        self._values = np.zeros((rows, column_count(evaluator.heads, game.players)), np.float32)
        self._points = np.zeros((rows, 1), np.float32)
        self._row_of = np.zeros((END_COUNT, LANES), np.int32)
        self._block = np.zeros((END_COUNT, LANES)), np.zeros((KEEP_COUNT, LANES))
        self._scratch = game.records(1)
        self._evaluations = 0

    def search(self, slots: Array, records: Array, streams: Array, with_noise: bool) -> Decisions:
        before = self._evaluations
        new = np.flatnonzero(self._solved_turn[slots] != records["turn"])
        for first in range(0, new.size, LANES):
            some = new[first : first + LANES]
            self._solve(slots[some], records[some])
        return self._decisions(slots, records, {"evaluations": self._evaluations - before})

    def _solve(self, slots: Array, records: Array) -> None:
        """Solve the turns that these slots are in."""
        lanes = len(slots)
        row_of = self._row_of[:, :lanes]
        by_win = records["turn"] >= self.settings.win_from_turn
        utility = by_win.astype(np.int8)
        rows = turn.end_rows(records, utility, self._scratch, self._features, row_of)
        values, head_win, head_togo = self._evaluate(rows, bool(by_win.any()))
        self._evaluations += rows
        ends, work = (np.ascontiguousarray(block[:, :lanes]) for block in self._block)
        turn.end_utilities(records, row_of, values, head_win, head_togo, utility, ends)
        out: tuple[Any, ...] = np.empty((lanes, END_COUNT)), np.empty((lanes, 2, KEEP_COUNT)), np.empty(lanes)
        turn.solve_turns(ends, work, *out)
        self._ends[slots], self._keeps[slots], value = out
        self._by_win[slots] = by_win
        self._solved_turn[slots] = records["turn"]
        starts = records.copy()
        turn.before_rolls(starts)
        self._turn_starts.append((slots, starts, value, by_win))

    def _evaluate(self, rows: int, needs_wins: bool) -> tuple[Array, int, int]:
        """The values of the first `rows` ends, and their columns for win and points; points alone where that will do."""
        if needs_wins:
            self.evaluator.evaluate_values(self._features[:rows], self._values[:rows])
            return self._values, self._heads[0], self._heads[1]
        if rows:
            self.evaluator.evaluate_head(TOGO_OPP, self._features[:rows], self._points[:rows])
        return self._points, 0, 0

    def take_turn_starts(self) -> list[tuple[Array, Array, Array, Array]]:
        """The turns solved since the last call: slots, records before the roll, values, and whether those are wins."""
        starts, self._turn_starts = self._turn_starts, []
        return starts

    def _decisions(self, slots: Array, records: Array, stats: dict[str, int]) -> Decisions:
        decisions = Decisions.blank(len(slots), self.game.max_legal, self.game.players)
        softness = np.where(self._by_win[slots], self.settings.win_softness, self.settings.points_softness)
        look_up(slots, records, self._ends, self._keeps, softness, *decisions.columns())
        decisions.stats.update(stats)
        return decisions

    def moved(self, slots: Array, actions: Array, records: Array) -> None:
        """Nothing to do: a turn's solution is looked up by its number."""

    def forget(self, slots: Array) -> None:
        self._solved_turn[slots] = -1
