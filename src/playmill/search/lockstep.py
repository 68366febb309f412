"""PUCT for many games at once: rounds of gathering and evaluating until every game has had its budget."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from playmill.core.errors import UsageError
from playmill.core.evaluation import Evaluator
from playmill.games.game import Game
from playmill.games.many import encode_all
from playmill.search import roots
from playmill.search.decisions import Array, Decisions, Tells, Waiting
from playmill.search.rule import make_rule
from playmill.search.settings import PuctSettings
from playmill.search.trees import CHOICE, COUNTERS, make_batch, make_trees

POINTS_UNIT = 100.0  # points that one unit of a score-to-go head is worth


class PuctSearch:
    """A `Searcher`. Memory is taken once, for `lanes` games; one thread uses it at a time."""

    def __init__(self, game: Game, settings: PuctSettings, evaluator: Evaluator, lanes: int) -> None:
        _check(game, settings, evaluator.heads)
        self.game, self.settings, self.evaluator, self.lanes = game, settings, evaluator, lanes
        self.in_turn = evaluator.in_turn
        values = Tells.WINS if settings.points_scale is None else Tells.POINTS  # those are leads in points
        self.tells = Tells.POLICY | values | (Tells.AFTERSTATES if settings.afterstates else Tells.NOTHING)
        self.rule = make_rule(settings)
        self.trees = make_trees(game, lanes, max(settings.budgets), settings.inflight)
        self.buffer = evaluator.open_buffer(game, lanes * settings.inflight)
        self.batch = make_batch(game, self.buffer, _head_weights(evaluator.heads, settings))
        self._kept = np.zeros(lanes, np.bool_)
        self._told = np.zeros(len(COUNTERS), np.int64)
        self._scratch = (
            np.zeros(self.trees.nodes.shape[1], np.int32),
            np.zeros(self.trees.edges.shape[1], np.int32),
            np.zeros(self.trees.choices.shape[1], CHOICE),
        )

    def search(self, lanes: Array, records: Array, streams: Array, with_noise: bool) -> Waiting[Decisions]:
        budgets = np.array(self.settings.budgets, np.int32)
        alpha = self.settings.dirichlet_alpha if with_noise else 0.0
        epsilon = self.settings.dirichlet_epsilon if with_noise else 0.0
        roots.begin(self.game, self.trees, lanes, records, streams, self._kept)
        while rows := roots.advance(
            self.game, self.trees, lanes, budgets, self.settings.inflight, self.rule, epsilon, alpha, self.batch
        ):
            yield from self._evaluate(rows)
        return (yield from self._decisions(lanes, records, self._news()))

    def _evaluate(self, rows: int) -> Waiting[None]:
        """Have the first rows of the batch answered."""
        if not self.evaluator.submit(self.buffer, rows):
            yield
        self.evaluator.collect(self.buffer)

    def _news(self) -> dict[str, int]:
        """How far each counter rose since the last call; visits kept when games moved on belong to the search after that."""
        told, self._told = self._told, self.trees.counters.copy()
        return dict(zip(COUNTERS, (self._told - told).tolist(), strict=True))

    def _decisions(self, lanes: Array, records: Array, stats: dict[str, int]) -> Waiting[Decisions]:
        decisions = Decisions.blank(len(lanes), self.game.max_legal)
        roots.read(self.trees, lanes, *decisions.columns())
        if self.settings.policy_softness is not None:
            count, _, policy, priors, values, visits, value = decisions.columns()
            roots.improve(self.trees, lanes, self.settings.policy_softness, count, policy, priors, values, visits, value)
        decisions.stats.update(stats)
        if Tells.POINTS in self.tells:
            return replace(decisions, togo=(yield from self._points_to_come(records, decisions.value)))
        return decisions

    def _points_to_come(self, records: Array, value: Array) -> Waiting[Array]:
        """What the movers may still expect for themselves; the opponents' part is the network's."""
        rows, head = len(records), self.evaluator.heads.index("togo_opp")
        encode_all(self.game, records, self.batch.features[:rows])
        yield from self._evaluate(rows)
        opponents, togo = POINTS_UNIT * self.batch.values[:rows, head].astype(np.float64), np.empty(rows)
        assert self.settings.points_scale is not None
        roots.points_to_come(self.game, records, value, opponents, self.settings.points_scale, self.batch.scores, togo)
        return togo

    def moved(self, lanes: Array, actions: Array, records: Array) -> None:
        if self.settings.reuse:
            roots.follow(self.game, self.trees, lanes, actions, records, self._kept, *self._scratch)

    def forget(self, lanes: Array) -> None:
        self._kept[lanes] = False


def _check(game: Game, settings: PuctSettings, heads: tuple[str, ...]) -> None:
    """Refuse what the game or the network can't do."""
    if settings.afterstates and "afterstate" not in game.kernels:
        raise UsageError(f"search.puct.afterstates: {game.name} has no 'afterstate' kernel; leave it out")
    if settings.points_scale is not None and "points" not in game.kernels:
        raise UsageError(f"search.puct.points_scale: {game.name} is not scored in points; leave it out")
    if settings.points_scale is not None and not {"togo_own", "togo_opp"} <= set(heads):
        raise UsageError("search.puct.points_scale: the network lacks the heads togo_own and togo_opp; make it with togo: true")


def _head_weights(heads: tuple[str, ...], settings: PuctSettings) -> Array:
    """How a leaf's value is made up of the evaluator's heads."""
    weights, margin_weight = dict.fromkeys(heads, 0.0), settings.margin_weight
    if settings.points_scale is not None:
        weights["togo_own"], weights["togo_opp"] = POINTS_UNIT / settings.points_scale, -POINTS_UNIT / settings.points_scale
        return np.array(list(weights.values()))
    weights[heads[0]] = 1.0
    if margin_weight > 0 and "margin" in weights:
        weights["win"], weights["margin"] = 1 - margin_weight, margin_weight
    return np.array([weights[head] for head in heads])
