"""PUCT for many games at once: rounds of gathering, evaluating and answering until every game has had its budget."""

from __future__ import annotations

import numpy as np

from playmill.games.game import Game
from playmill.search import roots
from playmill.search.decisions import Array, Decisions, Evaluator
from playmill.search.puct import answer
from playmill.search.settings import PuctSettings
from playmill.search.trees import COUNTERS, EDGE, make_trees


class PuctSearch:
    """A `Searcher`. Memory is taken once, for `slots` games; one thread uses it at a time."""

    def __init__(self, game: Game, settings: PuctSettings, evaluator: Evaluator, slots: int) -> None:
        self.game, self.settings, self.evaluator, self.slots = game, settings, evaluator, slots
        self.trees = make_trees(game, slots, max(settings.budgets), settings.inflight)
        rows = slots * settings.inflight
        self._features = np.zeros((rows, game.feature_count), np.float32)
        self._logits = np.zeros((rows, game.logits), np.float32)
        self._values = np.zeros((rows, len(evaluator.heads)), np.float32)
        self._heads = _head_weights(evaluator.heads, settings.margin_weight)
        self._actions = np.zeros(game.max_legal, np.int32)
        self._weights = np.zeros(game.max_legal)
        self._scores = np.zeros(game.players)
        self._kept = np.zeros(slots, np.bool_)
        self._told: dict[str, int] = {}
        self._scratch = (
            np.zeros(self.trees.nodes.shape[1], np.int32),
            np.zeros(self.trees.edges.shape[1], np.int32),
            np.zeros(self.trees.edges.shape[1], EDGE),
        )

    def search(self, slots: Array, records: Array, streams: Array, with_noise: bool) -> Decisions:
        budgets = np.array(self.settings.budgets, np.int32)
        alpha = self.settings.dirichlet_alpha if with_noise else 0.0
        epsilon = self.settings.dirichlet_epsilon if with_noise else 0.0
        roots.begin(self.game, self.trees, slots, records, streams, self._kept)
        while True:
            rows = roots.gather(
                self.game, self.trees, slots, budgets, self.settings.inflight, self.settings.c_puct, epsilon, alpha,
                self._features, self._scores,
            )  # fmt: skip
            if rows == 0:
                break
            self.evaluator.evaluate(self._features[:rows], self._logits[:rows], self._values[:rows])
            answer(self.game, self.trees, rows, self._logits, self._values, self._heads, self._actions, self._weights)
        return self._decisions(slots, self._news())

    def _news(self) -> dict[str, int]:
        """How far each counter rose since the last call; visits kept when games moved on belong to the search after that."""
        now = {name: int(self.trees.cursors[name].sum()) for name in COUNTERS}
        news = {name: now[name] - self._told.get(name, 0) for name in COUNTERS}
        self._told = now
        return news

    def _decisions(self, slots: Array, stats: dict[str, int]) -> Decisions:
        decisions = Decisions.blank(len(slots), self.game.max_legal)
        roots.read(self.trees, slots, *decisions.columns())
        decisions.stats.update(stats)
        return decisions

    def moved(self, slots: Array, actions: Array, records: Array) -> None:
        if self.settings.reuse:
            roots.follow(self.game, self.trees, slots, actions, records, self._kept, *self._scratch)

    def forget(self, slots: Array) -> None:
        self._kept[slots] = False


def _head_weights(heads: tuple[str, ...], margin_weight: float) -> Array:
    """How a leaf's value is made up of the evaluator's heads."""
    weights = dict.fromkeys(heads, 0.0)
    weights[heads[0]] = 1.0
    if margin_weight > 0 and "margin" in weights:
        weights["win"], weights["margin"] = 1 - margin_weight, margin_weight
    return np.array([weights[head] for head in heads])
