"""PUCT for many games at once: rounds of gathering and evaluating until every game has had its budget."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from playmill.core.errors import UsageError
from playmill.core.evaluation import BatchMeter, Evaluator
from playmill.games.game import Game
from playmill.games.heads import MARGIN, POINTS_UNIT, TOGO_OPP, TOGO_OWN, Aim, check_heads, column_of, worth_of
from playmill.games.many import encode_all
from playmill.search import others, roots
from playmill.search.decisions import Array, Decisions, Tells, Waiting
from playmill.search.params import make_params
from playmill.search.settings import PuctSettings
from playmill.search.trees import CHOICE, COUNTERS, EVEN, REUSED_FROM, make_batch, make_trees


class PuctSearch:
    """A `Searcher`. Memory is taken once, for `lanes` games; one thread uses it at a time."""

    def __init__(self, game: Game, settings: PuctSettings, evaluator: Evaluator, lanes: int) -> None:
        _check(game, settings, evaluator.heads)
        self.game, self.settings, self.evaluator, self.lanes = game, settings, evaluator, lanes
        self.in_turn = evaluator.in_turn
        self._is_gumbel = settings.selection == "gumbel"
        values = Tells.WINS if settings.points_scale is None else Tells.POINTS  # those are leads in points
        self.tells = Tells.POLICY | Tells.PRIORS | values | (Tells.AFTERSTATES if settings.afterstates else Tells.NOTHING)
        self.params = make_params(settings)
        self.trees = make_trees(game, lanes, max(settings.budgets), settings.inflight)
        self.buffer, self.meter = evaluator.open_buffer(game, lanes * settings.inflight), BatchMeter(lanes * settings.inflight)
        self.batch = make_batch(game, self.buffer, _worth(game, evaluator.heads, settings))
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
        epsilon = (1.0 if self._is_gumbel else self.settings.dirichlet_epsilon) if with_noise else 0.0
        roots.begin(self.game, self.trees, lanes, records, streams, self._kept)
        while rows := roots.advance(
            self.game, self.trees, lanes, budgets, self.settings.inflight, self.params, epsilon, alpha, self.batch
        ):
            yield from self._evaluate(rows)
        decisions = yield from self._decisions(lanes, records, self._news())
        return replace(decisions, noisy_priors=self._noisy(lanes, decisions, epsilon), is_fallback=self._fell_back(lanes))

    def _noisy(self, lanes: Array, decisions: Decisions, epsilon: float) -> Array | None:
        """The priors that descents from the roots went by; Gumbel's noise is added to logits, and is no prior."""
        if epsilon == 0 or self._is_gumbel:
            return None
        noise = self.trees.noise[lanes]
        mixed: Array = (1 - epsilon) * decisions.priors + epsilon * noise
        return np.where(np.isnan(noise[:, :1]), decisions.priors, mixed).astype(np.float32)

    def _fell_back(self, lanes: Array) -> Array:
        even: Array = self.trees.nodes["status"][lanes, 0] & EVEN != 0
        return even

    def _evaluate(self, rows: int) -> Waiting[None]:
        """Have the first rows of the batch answered."""
        self.meter.add(rows)
        if not self.evaluator.submit(self.buffer, rows):
            yield
        self.evaluator.collect(self.buffer)

    def _news(self) -> dict[str, int]:
        """How far each counter rose since the last call; visits kept when games moved on belong to the search after that."""
        told, self._told = self._told, self.trees.counters.copy()
        rises = zip(COUNTERS, (self._told - told).tolist(), strict=True)
        counted = {name: rise for number, (name, rise) in enumerate(rises) if rise or number < REUSED_FROM}
        return {**counted, **self.meter.take()}

    def _decisions(self, lanes: Array, records: Array, stats: dict[str, int]) -> Waiting[Decisions]:
        decisions = Decisions.blank(len(lanes), self.game.max_legal, self.game.players)
        roots.read(self.trees, lanes, *decisions.columns())
        if self._is_gumbel or self.settings.improvement_temperature is not None:
            count, _, *columns = decisions.columns()
            roots.improve(self.trees, lanes, self._improvement_temperature(decisions), count, *columns)
        self._tell_others(lanes, decisions)
        decisions.stats.update(stats)
        if Tells.POINTS in self.tells:
            return replace(decisions, togo=(yield from self._points_to_come(records, decisions)))
        return decisions

    def _improvement_temperature(self, decisions: Decisions) -> Array:
        """How much a value must differ to make an action e times as likely in the improved policy, by row."""
        temperature = np.full(decisions.count.size, self.settings.improvement_temperature or 0.0)
        if self._is_gumbel:
            roots.temperature_by_visits(self.params, decisions.count, decisions.visits, temperature)
        return temperature

    def _tell_others(self, lanes: Array, decisions: Decisions) -> None:
        """Fill the values of those who are not to move."""
        if self.game.is_two_player_zero_sum or Tells.POINTS in self.tells:
            others.opposed(decisions.value, decisions.mover)
            return
        is_improved, nodes, edges = self._is_gumbel or self.settings.improvement_temperature is not None, *self._scratch[:2]
        sums = np.zeros((self.game.max_legal, self.game.players))
        others.added_up(
            self.trees, lanes, self.params.luck, is_improved, nodes, edges, sums,
            decisions.policy, decisions.priors, decisions.visits, decisions.value,
        )  # fmt: skip

    def _points_to_come(self, records: Array, decisions: Decisions) -> Waiting[Array]:
        """What the movers may still expect for themselves; the opponents' part is the network's."""
        rows, head = len(records), column_of(self.evaluator.heads, TOGO_OPP, self.game.players)
        encode_all(self.game, records, self.batch.features[:rows])
        yield from self._evaluate(rows)
        opponents, togo = POINTS_UNIT * self.batch.values[:rows, head].astype(np.float64), np.empty(rows)
        assert self.settings.points_scale is not None
        value, scale = (decisions.value, decisions.mover), self.settings.points_scale
        roots.points_to_come(self.game, records, *value, opponents, scale, self.batch.scores, togo)
        return togo

    def moved(self, lanes: Array, actions: Array, records: Array) -> None:
        if self.settings.reuse and not self._is_gumbel:
            roots.follow(self.game, self.trees, lanes, actions, records, self._kept, *self._scratch)

    def forget(self, lanes: Array) -> None:
        self._kept[lanes] = False


def _check(game: Game, settings: PuctSettings, heads: tuple[str, ...]) -> None:
    """Refuse what the game or the network can't do."""
    check_heads(game, heads)
    if settings.selection == "gumbel" and (settings.improvement_temperature is not None or settings.try_all):
        raise UsageError("search.puct.selection: gumbel has a policy of its own; leave out improvement_temperature and try_all")
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
