"""Search by solving the turn: the network values the ways a turn can close, and everything inside it follows exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from playmill.core.errors import UsageError
from playmill.core.evaluation import VALUES, BatchMeter, Evaluator
from playmill.games.game import Game
from playmill.games.heads import TOGO_OPP, WIN, column_of
from playmill.games.yatzy import ends as turn
from playmill.games.yatzy.turn import END_COUNT, KEEP_COUNT
from playmill.packs.yatzy.exact_kernels import look_up
from playmill.packs.yatzy.exact_settings import ExactTurnSettings
from playmill.search.decisions import Array, Decisions, Tells, TurnStarts, Waiting

BLOCK = 64  # games whose turns are solved together


class ExactTurnSearch:
    """A `Searcher` for Yatzy: one batch of evaluations a turn, none for its later decisions.

    Besides decisions it tells what each turn was worth before its first roll: the low-noise target that the score-to-go head
    learns from. Values of decisions are points or wins, as the settings say turn by turn.
    """

    tells = Tells.POLICY | Tells.TURN_STARTS

    def __init__(self, game: Game, settings: ExactTurnSettings, evaluator: Evaluator, lanes: int) -> None:
        missing = {WIN, TOGO_OPP} - set(evaluator.heads)
        if missing:
            raise UsageError(f"search.kind exact_turn: the network lacks the heads {sorted(missing)}; make it with togo: true")
        self.game, self.settings, self.evaluator, self.lanes = game, settings, evaluator, lanes
        self.in_turn = evaluator.in_turn
        self._heads = (column_of(evaluator.heads, WIN, game.players), column_of(evaluator.heads, TOGO_OPP, game.players))
        self._solved_turn = np.full(lanes, -1, np.int64)
        self._ends = np.zeros((lanes, END_COUNT))
        self._keeps = np.zeros((lanes, 2, KEEP_COUNT))
        self._by_win = np.zeros(lanes, np.bool_)
        self._is_unknown = np.zeros(lanes, np.bool_)  # turns for which the network's answers are no numbers
        self._buffer, self._meter = evaluator.open_buffer(game, BLOCK * END_COUNT), BatchMeter(BLOCK * END_COUNT)
        self._row_of = np.zeros((END_COUNT, BLOCK), np.int32)
        self._block = np.zeros((END_COUNT, BLOCK)), np.zeros((KEEP_COUNT, BLOCK))
        self._scratch = game.records(1)
        self._evaluations = 0

    def search(self, lanes: Array, records: Array, streams: Array, with_noise: bool) -> Waiting[Decisions]:
        before = self._evaluations
        new = np.flatnonzero(self._solved_turn[lanes] != records["turn"])
        solved = []
        for first in range(0, new.size, BLOCK):
            some = new[first : first + BLOCK]
            solved.append((yield from self._solve(lanes[some], records[some])))
        decisions = self._decisions(lanes, records, {"evaluations": self._evaluations - before})
        return replace(decisions, turn_starts=self._turn_starts(lanes[new], records[new], solved))

    def _solve(self, lanes: Array, records: Array) -> Waiting[Array]:
        """Solve the turns that these lanes are in; return what they are worth before their roll."""
        count = len(lanes)
        row_of = self._row_of[:, :count]
        by_win = records["turn"] >= self.settings.win_from_turn
        utility = by_win.astype(np.int8)
        rows = turn.end_rows(self.game, records, utility, self._scratch, self._buffer.features, row_of)
        values, head_win, head_togo = yield from self._evaluate(rows, bool(by_win.any()))
        self._evaluations += rows
        ends, work = (np.ascontiguousarray(block[:, :count]) for block in self._block)
        turn.end_utilities(records, row_of, values, head_win, head_togo, utility, ends)
        is_wrong = (row_of >= 0) & ~np.isfinite(ends)
        ends[is_wrong] = 0.0
        out: tuple[Any, ...] = np.empty((count, END_COUNT)), np.empty((count, 2, KEEP_COUNT)), np.empty(count)
        turn.solve_turns(ends, work, *out)
        self._ends[lanes], self._keeps[lanes], worth = out
        self._by_win[lanes] = by_win
        self._is_unknown[lanes] = is_wrong.any(axis=0)
        worth[self._is_unknown[lanes]] = np.nan
        self._solved_turn[lanes] = records["turn"]
        return worth  # type: ignore[no-any-return]

    def _turn_starts(self, lanes: Array, records: Array, worth: list[Array]) -> TurnStarts | None:
        """The turns that were solved just now, if any was."""
        if not worth:
            return None
        turn.before_rolls(records)
        return TurnStarts(lanes, records, np.concatenate(worth), self._by_win[lanes])

    def _evaluate(self, rows: int, needs_wins: bool) -> Waiting[tuple[Array, int, int]]:
        """The values of the first `rows` ends, and their columns for win and points; points alone where that will do."""
        if rows:
            self._meter.add(rows)
            if not self.evaluator.submit(self._buffer, rows, VALUES if needs_wins else TOGO_OPP):
                yield
            self.evaluator.collect(self._buffer)
        return (self._buffer.values, *self._heads) if needs_wins else (self._buffer.head, 0, 0)

    def _decisions(self, lanes: Array, records: Array, stats: dict[str, int]) -> Decisions:
        decisions = Decisions.blank(len(lanes), self.game.max_legal, self.game.players)
        temperature = np.where(self._by_win[lanes], self.settings.win_temperature, self.settings.points_temperature)
        look_up(lanes, records, self._ends, self._keeps, temperature, *decisions.columns())
        is_unknown = self._is_unknown[lanes]
        fallbacks = self._fall_back(decisions, np.flatnonzero(is_unknown))
        decisions.stats.update(stats, fallbacks=fallbacks, **self._meter.take())
        return replace(decisions, is_fallback=is_unknown)

    def _fall_back(self, decisions: Decisions, rows: Array) -> int:
        """Where nothing is known of a turn every action is alike, as in PUCT, and nothing is learned; return how often."""
        for i in rows.tolist():
            count = decisions.count[i]
            decisions.policy[i, :count] = 1 / count
            decisions.values[i, :count] = np.nan
            decisions.value[i] = np.nan
        return int(rows.size)

    def moved(self, lanes: Array, actions: Array, records: Array) -> None:
        """Nothing to do: a turn's solution is looked up by its number."""

    def forget(self, lanes: Array) -> None:
        self._solved_turn[lanes] = -1
