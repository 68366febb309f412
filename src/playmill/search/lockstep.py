"""PUCT for many games at once: rounds of gathering and evaluating until every game has had its budget."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from playmill.core.errors import UsageError
from playmill.games.game import Game
from playmill.search import roots
from playmill.search.decisions import Array, Decisions, Evaluator
from playmill.search.rule import make_rule
from playmill.search.settings import PuctSettings
from playmill.search.trees import CHOICE, COUNTERS, make_batch, make_trees

POINTS_UNIT = 100.0  # points that one unit of a score-to-go head is worth


class PuctSearch:
    """A `Searcher`. Memory is taken once, for `slots` games; one thread uses it at a time.

    `values_are_wins`: else they are leads in points. `asks_afterstates`: it wants samples of afterstates to learn from.
    """

    def __init__(self, game: Game, settings: PuctSettings, evaluator: Evaluator, slots: int) -> None:
        _check(game, settings, evaluator.heads)
        self.game, self.settings, self.evaluator, self.slots = game, settings, evaluator, slots
        self.values_are_wins = settings.points_scale is None
        self.asks_afterstates = settings.afterstates
        self.rule = make_rule(settings)
        self.trees = make_trees(game, slots, max(settings.budgets), settings.inflight)
        self.batch = make_batch(game, slots * settings.inflight, _head_weights(evaluator.heads, settings))
        self._kept = np.zeros(slots, np.bool_)
        self._told = np.zeros(len(COUNTERS), np.int64)
        self._scratch = (
            np.zeros(self.trees.nodes.shape[1], np.int32),
            np.zeros(self.trees.edges.shape[1], np.int32),
            np.zeros(self.trees.choices.shape[1], CHOICE),
        )

    def search(self, slots: Array, records: Array, streams: Array, with_noise: bool) -> Decisions:
        budgets = np.array(self.settings.budgets, np.int32)
        alpha = self.settings.dirichlet_alpha if with_noise else 0.0
        epsilon = self.settings.dirichlet_epsilon if with_noise else 0.0
        roots.begin(self.game, self.trees, slots, records, streams, self._kept)
        while rows := roots.advance(
            self.game, self.trees, slots, budgets, self.settings.inflight, self.rule, epsilon, alpha, self.batch
        ):
            self._evaluate(rows)
        return self._decisions(slots, records, self._news())

    def _evaluate(self, rows: int) -> None:
        """Have the first rows of the batch answered."""
        batch = self.batch
        self.evaluator.evaluate(batch.features[:rows], batch.logits[:rows], batch.values[:rows])

    def _news(self) -> dict[str, int]:
        """How far each counter rose since the last call; visits kept when games moved on belong to the search after that."""
        told, self._told = self._told, self.trees.counters.copy()
        return dict(zip(COUNTERS, (self._told - told).tolist(), strict=True))

    def _decisions(self, slots: Array, records: Array, stats: dict[str, int]) -> Decisions:
        decisions = Decisions.blank(len(slots), self.game.max_legal)
        roots.read(self.trees, slots, *decisions.columns())
        if self.settings.policy_softness is not None:
            count, _, policy, priors, values, visits, value = decisions.columns()
            roots.improve(self.trees, slots, self.settings.policy_softness, count, policy, priors, values, visits, value)
        decisions.stats.update(stats)
        return decisions if self.values_are_wins else replace(decisions, togo=self._points_to_come(records, decisions.value))

    def _points_to_come(self, records: Array, value: Array) -> Array:
        """What the movers may still expect for themselves; the opponents' part is the network's."""
        rows, head = len(records), self.evaluator.heads.index("togo_opp")
        roots.encode_all(self.game, records, self.batch.features[:rows])
        self._evaluate(rows)
        opponents, togo = POINTS_UNIT * self.batch.values[:rows, head].astype(np.float64), np.empty(rows)
        assert self.settings.points_scale is not None
        roots.points_to_come(self.game, records, value, opponents, self.settings.points_scale, self.batch.scores, togo)
        return togo

    def moved(self, slots: Array, actions: Array, records: Array) -> None:
        if self.settings.reuse:
            roots.follow(self.game, self.trees, slots, actions, records, self._kept, *self._scratch)

    def forget(self, slots: Array) -> None:
        self._kept[slots] = False


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
