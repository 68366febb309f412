"""Players of all kinds behind one call:

    player = make_player("rm_plus", strength=100)
    decision = player.decide(state, powers=[0, 3], stream=7, budget=Budget(iterations=200))
    decision.orders[3]      # int32, legal, one a unit; what `phases.advance` takes

`random` plays any legal order, `heuristic` the set that looks best, `cartesian` and `rm_plus` search, and `neural` is RM+ with
a network. Retreats and builds are by judgement for all but the first. The same state, powers, stream and budget give the same
orders, unless the budget is a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from playmill.core.errors import UsageError, unknown_name
from playmill.core.extras import require_extra
from playmill.core.seeds import mix
from playmill.games.diplomacy.adjustments import power_of_adjustment
from playmill.games.diplomacy.geography import POWER_COUNT, PROVINCE_OF
from playmill.games.diplomacy.orders import location_of
from playmill.games.diplomacy.state import BUILDS, STATE, UNIT_LIMIT
from playmill.packs.diplomacy.search.budgets import NODES_PER_MS, Budget
from playmill.packs.diplomacy.search.cartesian import CartesianSearch
from playmill.packs.diplomacy.search.evaluation import evaluate_states
from playmill.packs.diplomacy.search.heuristics import adjustment_orders, is_movement, retreat_orders
from playmill.packs.diplomacy.search.lookahead import greedy_profile
from playmill.packs.diplomacy.search.order_work import new_order_work
from playmill.packs.diplomacy.search.random_orders import RandomOrders
from playmill.packs.diplomacy.search.rm_plus import JointSearch, Scorer, Strategies, ValueFunction
from playmill.packs.diplomacy.search.settings import OrderSearchSettings
from playmill.search.noise import choose

if TYPE_CHECKING:
    from playmill.packs.diplomacy.neural.evaluator import DiplomacyEvaluator

ALL_POWERS = tuple(range(POWER_COUNT))
MAX_STRENGTH = 100
RM_PLUS_STRENGTH = 80  # below, Cartesian search plays
MAIN_SHARE = 1 / 2  # of an RM+ player's nodes or time, at least; the rest is for polishing, which may need less
MEASURED_NODES = 500  # from so many on, polishing tells its pace
PACE_KEPT = 0.8  # of the pace, if it was lower: other work on the machine must not count as ours
NO_BUDGET = "none"  # nothing was searched


@dataclass(frozen=True)
class Decision:
    """Orders for the powers that were asked for, and what the player thinks of the position."""

    orders: dict[int, np.ndarray]  # int32 by power; empty where there is nothing to order
    values: np.ndarray  # float64 [7], summing to 1
    nodes: int = 0
    iterations: int = 0
    used: str = NO_BUDGET  # iterations, nodes, movetime, stop, width (nothing was left to try) or none
    strategies: Strategies | None = None  # of an RM+ search


@dataclass(frozen=True)
class BestSoFar:
    """What a search has found so far: the set that it would play now, and what it thinks each power can expect."""

    orders: np.ndarray  # int32, of one power
    values: np.ndarray  # float64 [7]


class DiplomacyPlayer:
    """The kind that plays by judgement alone, and the base of the others: they differ in how they move."""

    kind = "heuristic"

    def __init__(self, settings: OrderSearchSettings) -> None:
        self.settings = settings
        self.stop = np.zeros(1, np.int64)  # a thread may set it to 1: the search then ends at once
        self._work = new_order_work(settings.order_weights)
        self._orders = np.zeros(UNIT_LIMIT, np.int32)
        self._states = np.zeros(1, STATE)

    def decide(
        self, state: Any, powers: Sequence[int] | None = None, stream: int = 0, budget: Budget | None = None
    ) -> Decision:
        """Orders for some powers, all of them by default; an open budget leaves it to the player's strength."""
        wanted = ALL_POWERS if powers is None else tuple(powers)
        self._states[0] = state
        if is_movement(self._states[0]):
            return self.move(self._states[0], wanted, stream, budget or Budget())
        return self.settle(self._states[0], wanted, stream)

    def move(self, state: Any, powers: Sequence[int], stream: int, budget: Budget) -> Decision:
        """Orders for a movement phase."""
        count = greedy_profile(state, self._work, self._orders)
        return Decision(self._split(state, count, powers), self._value(state))

    def settle(self, state: Any, powers: Sequence[int], stream: int) -> Decision:
        """Orders for a retreat or build phase."""
        fill = adjustment_orders if state.phase == BUILDS else retreat_orders
        count = fill(state, self._work, self._orders)
        return Decision(self._split(state, count, powers), self._value(state))

    def best_so_far(self, power: int) -> BestSoFar | None:
        """What a search would play now, asked by whoever watches it; None from players that don't search."""
        return None

    def _split(self, state: Any, count: int, powers: Sequence[int]) -> dict[int, np.ndarray]:
        return split_orders(state, self._orders[:count], powers)

    def _value(self, state: Any) -> np.ndarray:
        values: np.ndarray = evaluate_states(self._states, self.settings.weights)[0]
        return values


class RandomPlayer(DiplomacyPlayer):
    """Any legal order for every unit, each as likely."""

    kind = "random"

    def __init__(self, settings: OrderSearchSettings) -> None:
        super().__init__(settings)
        self._random = RandomOrders(settings.rules)

    def move(self, state: Any, powers: Sequence[int], stream: int, budget: Budget) -> Decision:
        return self.settle(state, powers, stream)

    def settle(self, state: Any, powers: Sequence[int], stream: int) -> Decision:
        orders = self._random.draw(state, stream)
        return Decision(split_orders(state, orders, powers), self._value(state))


class CartesianPlayer(DiplomacyPlayer):
    """The best combination of orders against what the others are expected to order, searched power by power."""

    kind = "cartesian"

    def __init__(self, settings: OrderSearchSettings, default: Budget) -> None:
        super().__init__(settings)
        self._search = CartesianSearch(settings)
        self._default = default
        self.stop = self._search.stop

    def move(self, state: Any, powers: Sequence[int], stream: int, budget: Budget) -> Decision:
        limit = replace(self._default, watch=budget.watch) if budget.is_open else _shared(budget, len(powers))
        found = {power: self._search.run(state, power, limit, stream) for power in powers}
        orders = {power: one.orders for power, one in found.items()}
        values = np.mean([one.values for one in found.values()], axis=0) if found else self._value(state)
        nodes = sum(one.nodes for one in found.values())
        return Decision(orders, values, nodes, used=_last_used([one.used for one in found.values()]))

    def best_so_far(self, power: int) -> BestSoFar | None:
        memory, units = self._search.memory[0], int(np.count_nonzero(self._states[0].power == power))
        return BestSoFar(memory.own[:units].copy(), memory.values.copy())


class RmPlusPlayer(DiplomacyPlayer):
    """A draw from the average strategy of a search over everybody's candidates, polished; one search serves all powers."""

    kind = "rm_plus"

    def __init__(
        self,
        settings: OrderSearchSettings,
        default: Budget,
        score: Scorer | None = None,
        value: ValueFunction | None = None,
    ) -> None:
        super().__init__(settings)
        self._search = JointSearch(settings, score, value)
        self._default = default
        self._pace: float | None = None  # nodes a ms of polishing, as measured last
        self.stop = self._search.stop

    def move(self, state: Any, powers: Sequence[int], stream: int, budget: Budget) -> Decision:
        began, whole = time.perf_counter(), self.budget_of(budget)
        found = self._search.run(state, self.main_part(whole, len(powers)), stream)
        return self.take(found, powers, stream, whole, time.perf_counter() - began)

    def best_so_far(self, power: int) -> BestSoFar | None:
        found = self._search.strategies()
        return BestSoFar(found.sets[power][int(np.argmax(found.weights[power]))], found.values)

    def budget_of(self, budget: Budget | None) -> Budget:
        """What a decision may cost: the player's own where nothing is said."""
        if budget is None:
            return self._default
        return replace(self._default, watch=budget.watch) if budget.is_open else budget

    def main_part(self, budget: Budget, powers: int) -> Budget:
        """What of a budget is for the search itself: all but what polishing so many sets can use, and at least its share."""
        if not self.settings.polish:
            return budget
        nodes = self.settings.polish_nodes * (1 if budget.is_each else powers)
        return budget.less(nodes, nodes / (self._pace or NODES_PER_MS), MAIN_SHARE)

    def take(self, found: Strategies, powers: Sequence[int], stream: int, budget: Budget, seconds: float) -> Decision:
        """The decision that a search's result comes to; `seconds` is how long the search took."""
        orders = {power: self._pick(found, power, mix(stream, power)) for power in powers}
        nodes = found.nodes
        if self.settings.polish and powers:
            nodes += self._polish(orders, found, stream, budget, seconds)
        return Decision(orders, found.values, nodes, found.iterations, found.used, found)

    def _polish(self, orders: dict[int, np.ndarray], found: Strategies, stream: int, budget: Budget, seconds: float) -> int:
        """Make the sets better, one after the other, each with its part of what is left; return the nodes that took."""
        began, nodes = time.perf_counter(), 0
        # Polishing is the faster of the two: where it seemed slower, something else was going on.
        pace = max(self._pace or 0.0, found.nodes / max(1000 * seconds, 1e-3))
        for done, power in enumerate(orders):
            now = time.perf_counter()
            others, since, sets = (0, now, 1) if budget.is_each else (nodes, began, len(orders) - done)
            share = budget.nodes_left(found.nodes + others, 1000 * (seconds + now - since), pace) // sets
            limit = min(share, self.settings.polish_nodes)
            orders[power], used = self._search.polish(power, orders[power], limit, mix(stream, POWER_COUNT + power))
            nodes += used
        if nodes >= MEASURED_NODES:
            self._pace = max(nodes / (1000 * (time.perf_counter() - began)), PACE_KEPT * (self._pace or 0.0))
        return nodes

    def _pick(self, found: Strategies, power: int, word: int) -> np.ndarray:
        row = choose(found.weights[power], self.settings.play_temperature, np.uint64(word))
        picked: np.ndarray = found.sets[power][row]
        return picked


# ------------------------------------------------------------------ making players


def _scaled(strength: int, low: float, high: float) -> int:
    return round(low + (high - low) * strength / MAX_STRENGTH)


def _cartesian(
    settings: OrderSearchSettings, strength: int, score: Scorer | None, value: ValueFunction | None
) -> DiplomacyPlayer:
    wide = replace(settings, width=min(settings.width, _scaled(strength, 2, settings.width)))
    return CartesianPlayer(wide, Budget(nodes=_scaled(strength, 20, 1000)))


def _rm_plus(
    settings: OrderSearchSettings, strength: int, score: Scorer | None, value: ValueFunction | None
) -> DiplomacyPlayer:
    return RmPlusPlayer(_widened(settings, strength), _iterations(strength), score, value)


def _widened(settings: OrderSearchSettings, strength: int) -> OrderSearchSettings:
    """With as many candidates as the strength allows."""
    candidates = max(2, _scaled(strength, 4, settings.candidates))
    pool = 0 if settings.pool == 0 else max(candidates, _scaled(strength, 4, settings.pool))
    return replace(settings, candidates=min(candidates, settings.candidates), pool=pool)


def _iterations(strength: int) -> Budget:
    return Budget(iterations=_scaled(strength, 20, 300))


_KINDS: dict[str, Callable[[OrderSearchSettings, int, Scorer | None, ValueFunction | None], DiplomacyPlayer]] = {
    "random": lambda settings, strength, score, value: RandomPlayer(settings),
    "heuristic": lambda settings, strength, score, value: DiplomacyPlayer(settings),
    "cartesian": _cartesian,
    "rm_plus": _rm_plus,
}
NEURAL = "neural"
KINDS = (*_KINDS, NEURAL)


def make_player(
    kind: str = "auto",
    strength: int = MAX_STRENGTH,
    settings: OrderSearchSettings | None = None,
    score: Scorer | None = None,
    value: ValueFunction | None = None,
    network: Path | DiplomacyEvaluator | None = None,
) -> DiplomacyPlayer:
    """A player of a kind; `auto` is Cartesian below strength 80 and RM+ from there on, `neural` needs a network.

    Strength scales how many candidates or orders are looked at, and the budget where a call gives none. `score` and `value`
    take the place of the heuristic order scores and of the evaluation in RM+. An evaluator of a network stays its owner's: the
    player asks a clone of it.
    """
    if not 0 <= strength <= MAX_STRENGTH:
        raise UsageError(f"strength: expected 0 to {MAX_STRENGTH}, got {strength}")
    name = kind if kind != "auto" else "cartesian" if strength < RM_PLUS_STRENGTH else "rm_plus"
    check_kind(name, network)
    chosen = settings or OrderSearchSettings()
    if name == NEURAL:
        require_extra("nets", "player neural")
        from playmill.packs.diplomacy.neural.players import make_guided_player  # brings torch; and it knows this module

        assert network is not None
        own = network if isinstance(network, Path) else network.clone()
        return make_guided_player(own, _widened(chosen, strength), default=_iterations(strength))
    return _KINDS[name](chosen, strength, score, value)


def check_kind(name: str, network: object | None) -> None:
    """Refuse kinds that are none, and one that needs a network where there is none."""
    if name not in KINDS:
        raise unknown_name("player", name, [*KINDS, "auto"])
    if name == NEURAL and network is None:
        raise UsageError("player neural: expected a network; give one that `playmill diplomacy train` or `loop` has made")


def split_orders(state: Any, orders: np.ndarray, powers: Sequence[int]) -> dict[int, np.ndarray]:
    """The orders of all powers, by power."""
    owners = np.array([_owner(state, int(order)) for order in orders], np.int64)
    return {power: orders[owners == power].copy() for power in powers}


def _owner(state: Any, order: int) -> int:
    if state.phase == BUILDS:
        return int(power_of_adjustment(state, order))
    province = PROVINCE_OF[location_of(order)]
    return int(state.power[province] if is_movement(state) else state.out_power[province])


def _shared(budget: Budget, powers: int) -> Budget:
    """A time for several powers is split among them unless each has it; counts are for each."""
    if budget.movetime_ms is None or powers < 2 or budget.is_each:
        return budget
    return replace(budget, movetime_ms=budget.movetime_ms / powers)


def _last_used(used: list[str]) -> str:
    """What ended the searches; a stop or a time tells more than the rest."""
    return next((name for name in ("stop", "movetime", "nodes", "iterations") if name in used), used[-1] if used else NO_BUDGET)
