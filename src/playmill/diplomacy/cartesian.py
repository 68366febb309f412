"""Cartesian search for one power: combinations of each unit's best orders, against the answers expected from the others.

It begins with the greedy set. Units are taken in groups of neighbours; for each group the products of its units' best k orders
are tried while the others keep theirs, and whatever is better is kept. k grows from 2 on: first all groups with few orders,
then with more. With three units or fewer this is the whole product.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix, mix_word
from playmill.diplomacy.budgets import NO_LIMIT, Budget, Clock
from playmill.diplomacy.candidates import draw_set, greedy_set
from playmill.diplomacy.distances import STEPS
from playmill.diplomacy.lookahead import Ahead, look_ahead, new_ahead, value_of
from playmill.diplomacy.options import list_options
from playmill.diplomacy.order_scores import score_options
from playmill.diplomacy.order_sets import find_route, is_crossing, repair_set, write_set
from playmill.diplomacy.plan import OPTION_LIMIT, Plan, new_plan
from playmill.diplomacy.settings import SearchSettings
from playmill.games.diplomacy.geography import NOBODY, POWER_COUNT, PROVINCE_OF, SEA_BIT
from playmill.games.diplomacy.orders import CONVOY, MOVE, NO_ORDER, kind_of, pack, target_of
from playmill.games.diplomacy.state import STATE, UNIT_LIMIT

GROUP = 3
FIRST_WIDTH = 2
NODES = 0
BETTER = 1e-9  # equal values differ by rounding


class Product(NamedTuple):
    """The memory of a search."""

    root: Any  # [1] STATE
    leaf: Any  # [1] STATE
    plan: Plan
    ahead: Ahead
    replies: np.ndarray  # [reply, order] int32: orders of all other powers
    reply_size: np.ndarray  # [1]
    ranked: np.ndarray  # [unit, rank] options, best first
    groups: np.ndarray  # [unit, GROUP] who is tried together, closed by -1
    best: np.ndarray  # [unit] int32 orders of the best set
    own: np.ndarray  # [unit] int32, a set in the form in which it is given
    value: np.ndarray  # [1] of the best set
    values: np.ndarray  # [power], what the best set leads to if all answer as expected
    scratch: np.ndarray  # [power], means over the answers
    leaf_values: np.ndarray  # [power], of one answer
    tally: np.ndarray  # NODES
    stop: np.ndarray  # [1] not 0: end at once


@dataclass(frozen=True)
class Found:
    """The best set of a power, and what it expects all powers to get."""

    orders: np.ndarray  # int32, one a unit, by province
    values: np.ndarray  # float64 [7]
    nodes: int
    used: str


class CartesianSearch:
    """A search that is used again and again."""

    def __init__(self, settings: SearchSettings) -> None:
        self.settings = settings
        self.memory = new_product(
            np.zeros(1, STATE),
            new_plan(settings.order_weights),
            new_ahead(settings.seasons, settings.rules, settings.weights, settings.order_weights),
            settings.replies,
        )

    def run(self, state: Any, power: int, budget: Budget, stream: int) -> Found:
        """Search a position for one power. `iterations` of a budget are groups tried."""
        memory, clock = self.memory, Clock(budget, self.memory.stop)
        memory.root[0] = state
        size = begin(memory, power, self.settings.temperature, np.uint64(mix(stream, power)))
        limit = NO_LIMIT if budget.nodes is None else budget.nodes
        tried, used = 0, "width"
        for width in range(FIRST_WIDTH, self.settings.width + 1):
            for row in range(size):
                if ended := clock.ended_by(0, int(memory.tally[NODES])) or self._is_done(budget, tried):
                    return self._found(size, ended)
                try_group(memory, power, row, width, limit)
                tried += 1
        return self._found(size, used)

    @staticmethod
    def _is_done(budget: Budget, tried: int) -> str:
        return "iterations" if budget.iterations is not None and tried >= budget.iterations else ""

    def _found(self, size: int, used: str) -> Found:
        memory = self.memory
        return Found(memory.own[:size].copy(), memory.values.copy(), int(memory.tally[NODES]), used)


def new_product(root: Any, plan: Plan, ahead: Ahead, replies: int, stop: np.ndarray | None = None) -> Product:
    """Memory for a search that works in a position, a plan and a look-ahead of the caller's, who may also stop it."""
    return Product(
        root=root,
        leaf=np.zeros(1, STATE),
        plan=plan,
        ahead=ahead,
        replies=np.zeros((replies, UNIT_LIMIT), np.int32),
        reply_size=np.zeros(1, np.int64),
        ranked=np.zeros((UNIT_LIMIT, OPTION_LIMIT), np.int64),
        groups=np.zeros((UNIT_LIMIT, GROUP), np.int64),
        best=np.zeros(UNIT_LIMIT, np.int32),
        own=np.zeros(UNIT_LIMIT, np.int32),
        value=np.zeros(1),
        values=np.zeros(POWER_COUNT),
        scratch=np.zeros(POWER_COUNT),
        leaf_values=np.zeros(POWER_COUNT),
        tally=np.zeros(1, np.int64),
        stop=np.zeros(1, np.int64) if stop is None else stop,
    )


# ------------------------------------------------------------------ kernels


@kernel
def begin(product, power, temperature, stream):
    """List what all could do and are expected to do, and begin with the greedy set; return how many units the power has."""
    plan = product.plan
    list_options(product.root[0], plan)
    score_options(product.root[0], plan)
    product.tally[NODES] = 0
    for reply in range(product.replies.shape[0]):
        predict(product, power, reply, temperature, mix_word(stream, np.uint64(reply)))
    size = greedy_set(plan, power, product.own)
    start(product, power, size)
    return size


@kernel
def start(product, power, size):
    """Begin with the set in hand, which is also in `own`."""
    plan, units = product.plan, product.plan.units[0]
    row = 0
    for unit in range(units.count):
        if units.power[unit] == power:
            rank_options(product, unit)
            find_group(product, units, unit, row)
            product.best[unit] = plan.chosen[unit]
            row += 1
    product.value[0] = weigh(product, power, size)
    product.values[:] = product.scratch


@kernel
def climb(product, power, size, width, node_limit):
    """The whole search from the set in hand, for other kernels; `own` becomes the best set."""
    product.tally[NODES] = 0
    start(product, power, size)
    for w in range(FIRST_WIDTH, width + 1):
        for row in range(size):
            try_group(product, power, row, w, node_limit)


@kernel
def predict(product, power, reply, temperature, stream):
    """Write the orders that the others are expected to give: greedy ones first, then draws."""
    n = 0
    for other in range(POWER_COUNT):
        if other == power:
            continue
        if reply == 0:
            n += greedy_set(product.plan, other, product.replies[reply, n:])
        else:
            word = mix_word(stream, np.uint64(other))
            n += draw_set(product.plan, other, temperature, False, word, product.replies[reply, n:])
    product.reply_size[0] = n


@kernel
def rank_options(product, unit):
    """Sort a unit's options, best first; equals keep their order."""
    count = product.plan.sizes[unit]
    scores = -product.plan.scores[unit, :count]
    product.ranked[unit, :count] = np.argsort(scores, kind="mergesort")


@kernel
def find_group(product, units, unit, row):
    """Put the unit and its nearest mates into a group."""
    group = product.groups[row]
    group[:] = NOBODY
    group[0] = unit
    for i in range(1, GROUP):
        best, nearest = NOBODY, 1 << 30
        for mate in range(units.count):
            if units.power[mate] != units.power[unit] or is_member(group, mate):
                continue
            steps = STEPS[units.kind[unit], units.at[unit], units.province[mate]]
            if steps < nearest:
                best, nearest = mate, steps
        group[i] = best


@kernel
def is_member(group, unit):
    found = False
    for i in range(GROUP):
        found |= group[i] == unit
    return found


@kernel
def try_group(product, power, row, width, node_limit):
    """Try all combinations of the group's best `width` orders that have one of the last rank, or all for the first width."""
    group = product.groups[row]
    count = 1
    for i in range(GROUP):
        count *= ways(product, group[i], width)
    for number in range(count):
        if product.stop[0] or product.tally[NODES] >= node_limit:
            break
        if combine(product, power, group, width, number):
            size = write_set(product.plan, product.plan.units[0], power, product.own)
            keep_if_better(product, power, size)
    restore(product, power)
    write_set(product.plan, product.plan.units[0], power, product.own)


@kernel
def ways(product, unit, width):
    return 1 if unit == NOBODY else min(width, product.plan.sizes[unit])


@kernel
def restore(product, power):
    """Make the best set the one in hand."""
    units = product.plan.units[0]
    for unit in range(units.count):
        if units.power[unit] == power:
            product.plan.chosen[unit] = product.best[unit]


@kernel
def combine(product, power, group, width, number):
    """Make the set in hand the best one with the group's orders changed; return whether it is new and fits together."""
    plan, units = product.plan, product.plan.units[0]
    restore(product, power)
    is_fresh = width == FIRST_WIDTH
    for i in range(GROUP):
        unit = group[i]
        if unit == NOBODY:
            continue
        options = ways(product, unit, width)
        rank = number % options
        number //= options
        is_fresh = is_fresh or rank == width - 1
        order = plan.options[unit, product.ranked[unit, rank]]
        if not exchange(product, units, unit, order):
            return False
    if not is_fresh:
        return False
    repair_set(plan, units, power)
    return differs(product, units, power) and has_no_crowd(plan, units, power)


@kernel
def exchange(product, units, unit, order):
    """Give a unit another order; for a way over sea also give the fleets theirs. Return whether that is possible."""
    plan = product.plan
    plan.chosen[unit] = order
    target = PROVINCE_OF[target_of(order)]
    if kind_of(order) != MOVE or not is_crossing(units, unit, target):
        return True
    free_fleets(product, units, units.power[unit])
    count = find_route(plan, units, unit, target)
    for i in range(count):
        fleet = plan.route[0, i]
        plan.chosen[fleet] = pack(CONVOY, units.at[fleet], units.province[unit], target)
    for fleet in range(units.count):
        if units.power[fleet] == units.power[unit] and plan.chosen[fleet] == NO_ORDER:
            plan.chosen[fleet] = product.best[fleet]
    return count > 0


@kernel
def free_fleets(product, units, power):
    """Leave the power's fleets at sea undecided, so that a route can use them."""
    for fleet in range(units.count):
        if units.power[fleet] == power and SEA_BIT[units.province[fleet]] != 0:
            product.plan.chosen[fleet] = NO_ORDER


@kernel
def differs(product, units, power):
    found = False
    for unit in range(units.count):
        found |= units.power[unit] == power and product.plan.chosen[unit] != product.best[unit]
    return found


@kernel
def has_no_crowd(plan, units, power):
    """Whether no two units go to one province."""
    plan.taken[:] = 0
    for unit in range(units.count):
        order = plan.chosen[unit]
        if units.power[unit] != power or kind_of(order) != MOVE:
            continue
        target = PROVINCE_OF[target_of(order)]
        if plan.taken[target]:
            return False
        plan.taken[target] = 1
    return True


@kernel
def keep_if_better(product, power, size):
    value = weigh(product, power, size)
    if value <= product.value[0] + BETTER:
        return
    product.value[0] = value
    product.values[:] = product.scratch
    units = product.plan.units[0]
    for unit in range(units.count):
        if units.power[unit] == power:
            product.best[unit] = product.plan.chosen[unit]


@kernel
def weigh(product, power, size):
    """The power's mean value of the set in `own` over the expected answers; `scratch` becomes everybody's."""
    ahead = product.ahead
    product.scratch[:] = 0.0
    replies = product.replies.shape[0]
    for reply in range(replies):
        n = product.reply_size[0]
        for i in range(n):
            ahead.orders[i] = product.replies[reply, i]
        for i in range(size):
            ahead.orders[n + i] = product.own[i]
        product.leaf[0] = product.root[0]
        look_ahead(product.leaf[0], n + size, ahead)
        value_of(product.leaf[0], ahead, product.leaf_values)
        for i in range(POWER_COUNT):
            product.scratch[i] += product.leaf_values[i] / replies
        product.tally[NODES] += 1
    return product.scratch[power]
