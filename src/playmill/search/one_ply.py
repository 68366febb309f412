"""One ply for many games at once: every outcome of every action is judged by the network, all of them in full batches.

An action is worth the exact expectation over what chance can make of it; a child that ends the game counts as it ended.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from playmill.core.evaluation import VALUES, BatchMeter, Evaluator
from playmill.games.game import Game
from playmill.games.heads import Aim, check_heads, worth_of
from playmill.games.many import movers
from playmill.search.decisions import Array, Decisions, Tells, Waiting
from playmill.search.expectation import check_listed
from playmill.search.expectation_kernels import add_up, decide, encode_children, list_children, make_children, take_answers
from playmill.search.one_ply_settings import OnePlySettings

ROWS_A_LANE = 16  # of a batch; more would only make its memory larger
LEAST_ROWS, MOST_ROWS = 64, 4096  # a single position has dozens of children; the largest pass of a GPU


class OnePlySearch:
    """A `Searcher` without chance or memory of its own: it needs no stream, no noise, and keeps nothing between moves."""

    tells = Tells.POLICY | Tells.WINS

    def __init__(self, game: Game, settings: OnePlySettings, evaluator: Evaluator, lanes: int) -> None:
        check_listed(game)
        check_heads(game, evaluator.heads)
        self.game, self.settings, self.evaluator, self.lanes = game, settings, evaluator, lanes
        self.in_turn = evaluator.in_turn
        rows = min(max(lanes * ROWS_A_LANE, LEAST_ROWS), MOST_ROWS)
        self._buffer, self._meter = evaluator.open_buffer(game, rows), BatchMeter(rows)
        self._children, self._asked = make_children(game, rows), np.zeros(rows, np.int32)
        self._worth = worth_of(game, evaluator.heads, Aim())

    def search(self, lanes: Array, records: Array, streams: Array, with_noise: bool) -> Waiting[Decisions]:
        game, children = self.game, self._children
        decisions = Decisions.blank(len(records), game.max_legal, game.players)
        movers(game, records, decisions.mover)
        sums, cursor = np.zeros((len(records), game.max_legal, game.players)), np.zeros(3, np.int64)
        while found := list_children(game, records, cursor, decisions.count, decisions.actions, children):
            rows = encode_children(game, children, found, self._buffer.features, self._asked)
            yield from self._evaluate(rows)
            take_answers(self._asked, rows, children.mover, self._buffer.values, self._worth, children.utilities)
            add_up(children, found, sums)
        fallbacks = decide(sums, self.settings.temperature, np.empty(game.max_legal), *decisions.columns())
        decisions.stats.update(fallbacks=fallbacks, **self._meter.take())
        return replace(decisions, is_fallback=np.isnan(decisions.own_value))

    def _evaluate(self, rows: int) -> Waiting[None]:
        """Have the first rows of the buffer answered; none where every child is an end."""
        if rows:
            self._meter.add(rows)
            if not self.evaluator.submit(self._buffer, rows, VALUES):
                yield
            self.evaluator.collect(self._buffer)

    def moved(self, lanes: Array, actions: Array, records: Array) -> None:
        """Nothing is kept."""

    def forget(self, lanes: Array) -> None:
        """Nothing is kept."""
