"""PUCT for many games at once: rounds of gathering and evaluating until every game has had its budget."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from playmill.core.errors import UsageError
from playmill.games.game import Game
from playmill.games.heads import MARGIN, POINTS_UNIT, TOGO_OPP, TOGO_OWN, Aim, check_heads, column_of, worth_of
from playmill.search import others, roots
from playmill.search.decisions import Array, Decisions, Evaluator
from playmill.search.rule import make_rule
from playmill.search.settings import PuctSettings
from playmill.search.trees import CHOICE, COUNTERS, make_batch, make_trees


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
        self.batch = make_batch(game, slots * settings.inflight, _worth(game, evaluator.heads, settings))
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
        decisions = Decisions.blank(len(slots), self.game.max_legal, self.game.players)
        roots.read(self.trees, slots, *decisions.columns())
        if self.settings.policy_softness is not None:
            count, _, *columns = decisions.columns()
            roots.improve(self.trees, slots, self.settings.policy_softness, count, *columns)
        self._tell_others(slots, decisions)
        decisions.stats.update(stats)
        return decisions if self.values_are_wins else replace(decisions, togo=self._points_to_come(records, decisions))

    def _tell_others(self, slots: Array, decisions: Decisions) -> None:
        """Fill the values of those who are not to move."""
        if self.game.is_two_player_zero_sum or not self.values_are_wins:
            others.opposed(decisions.value, decisions.mover)
            return
        softness, nodes, edges = self.settings.policy_softness or 0.0, *self._scratch[:2]
        sums = np.zeros((self.game.max_legal, self.game.players))
        others.added_up(
            self.trees, slots, self.rule.luck, softness, nodes, edges, sums,
            decisions.policy, decisions.priors, decisions.visits, decisions.value,
        )  # fmt: skip

    def _points_to_come(self, records: Array, decisions: Decisions) -> Array:
        """What the movers may still expect for themselves; the opponents' part is the network's."""
        rows, head = len(records), column_of(self.evaluator.heads, TOGO_OPP, self.game.players)
        roots.encode_all(self.game, records, self.batch.features[:rows])
        self._evaluate(rows)
        opponents, togo = POINTS_UNIT * self.batch.values[:rows, head].astype(np.float64), np.empty(rows)
        assert self.settings.points_scale is not None
        value, scale = (decisions.value, decisions.mover), self.settings.points_scale
        roots.points_to_come(self.game, records, *value, opponents, scale, self.batch.scores, togo)
        return togo

    def moved(self, slots: Array, actions: Array, records: Array) -> None:
        if self.settings.reuse:
            roots.follow(self.game, self.trees, slots, actions, records, self._kept, *self._scratch)

    def forget(self, slots: Array) -> None:
        self._kept[slots] = False


def _check(game: Game, settings: PuctSettings, heads: tuple[str, ...]) -> None:
    """Refuse what the game or the network can't do."""
    check_heads(game, heads)
    if settings.afterstates and "afterstate" not in game.kernels:
        raise UsageError(f"search.puct.afterstates: {game.name} has no 'afterstate' kernel; leave it out")
    if settings.points_scale is not None and "points" not in game.kernels:
        raise UsageError(f"search.puct.points_scale: {game.name} is not scored in points; leave it out")
    if settings.points_scale is not None and not {TOGO_OWN, TOGO_OPP} <= set(heads):
        raise UsageError("search.puct.points_scale: the network lacks the heads togo_own and togo_opp; make it with togo: true")


def _worth(game: Game, heads: tuple[str, ...], settings: PuctSettings) -> Array:
    """How a leaf's utilities are made up of the evaluator's answers."""
    margin_weight = settings.margin_weight if MARGIN in heads else 0.0
    return worth_of(game, heads, Aim(margin_weight, settings.points_scale))
