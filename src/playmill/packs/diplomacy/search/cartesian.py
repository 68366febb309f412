"""Cartesian search for one power: combinations of each unit's best orders, against the answers expected from the others.

It begins with the greedy set. Units are taken in groups of neighbours; for each group the products of its units' best k orders
are tried while the others keep theirs, and whatever is better is kept. k grows from 2 on: first all groups with few orders,
then with more. With three units or fewer this is the whole product.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.records import record_of
from playmill.core.seeds import mix, mix_word
from playmill.games.diplomacy.geography import NOBODY, POWER_COUNT, PROVINCE_OF, SEA_BIT
from playmill.games.diplomacy.orders import CONVOY, MOVE, NO_ORDER, kind_of, pack, target_of
from playmill.games.diplomacy.state import STATE, UNIT_LIMIT
from playmill.packs.diplomacy.search.budgets import NO_LIMIT, Budget, Clock
from playmill.packs.diplomacy.search.candidates import draw_set, greedy_set
from playmill.packs.diplomacy.search.distances import STEPS
from playmill.packs.diplomacy.search.lookahead import (
    LOOKAHEAD_WORK,
    add_orders,
    clear_orders,
    look_ahead,
    set_up_lookahead,
    value_of,
)
from playmill.packs.diplomacy.search.options import list_options
from playmill.packs.diplomacy.search.order_scores import score_options
from playmill.packs.diplomacy.search.order_sets import find_route, is_crossing, repair_set, write_set
from playmill.packs.diplomacy.search.order_work import OPTION_LIMIT, ORDER_WORK
from playmill.packs.diplomacy.search.settings import MAX_REPLIES, OrderSearchSettings

GROUP = 3
FIRST_WIDTH = 2
BETTER = 1e-9  # equal values differ by rounding

# The memory of a search.
CARTESIAN_WORK = record_of(
    ("root", STATE),
    ("leaf", STATE),
    ("work", ORDER_WORK),  # of the root
    ("ahead", LOOKAHEAD_WORK),
    ("replies", "i4", (MAX_REPLIES, UNIT_LIMIT)),  # orders of all other powers
    ("reply_count", "i8"),
    ("reply_size", "i8"),  # how many orders each has
    ("ranked", "i8", (UNIT_LIMIT, OPTION_LIMIT)),  # [unit, rank] options, best first
    ("groups", "i8", (UNIT_LIMIT, GROUP)),  # who is tried together, closed by -1
    ("best", "i4", UNIT_LIMIT),  # the orders of the best set, by unit
    ("own", "i4", UNIT_LIMIT),  # a set in the form in which it is given
    ("value", "f8"),  # of the best set
    ("values", "f8", POWER_COUNT),  # what the best set leads to if all answer as expected
    ("means", "f8", POWER_COUNT),  # over the answers
    ("nodes", "i8"),
    ("stop", "i8", 1),  # not 0: end at once
)


@dataclass(frozen=True)
class Found:
    """The best set of a power, and what it expects all powers to get."""

    orders: np.ndarray  # int32, one a unit, by province
    values: np.ndarray  # float64 [7]
    nodes: int
    used: str


class CartesianSearch:
    """A search that is used again and again."""

    def __init__(self, settings: OrderSearchSettings) -> None:
        self.settings = settings
        self.memory = np.zeros(1, CARTESIAN_WORK)
        self.memory["reply_count"] = settings.replies
        set_up_search(self.memory[0], settings)
        self.stop = self.memory["stop"][0]  # [1]

    def run(self, state: Any, power: int, budget: Budget, stream: int) -> Found:
        """Search a position for one power. `iterations` of a budget are groups tried."""
        memory, clock = self.memory, Clock(budget, self.stop)
        memory["root"] = state
        size = begin(memory, power, self.settings.temperature, np.uint64(mix(stream, power)))
        limit = NO_LIMIT if budget.nodes is None else budget.nodes
        climb(memory, power, size, 0, 1, limit)
        for step in range(1, count_steps(size, self.settings.width)):
            if ended := clock.ended_by(0, int(memory["nodes"][0])) or self._is_done(budget, step - 1):
                return self._found(size, ended)
            climb(memory, power, size, step, step + 1, limit)
        return self._found(size, "width")

    @staticmethod
    def _is_done(budget: Budget, tried: int) -> str:
        return "iterations" if budget.iterations is not None and tried >= budget.iterations else ""

    def _found(self, size: int, used: str) -> Found:
        memory = self.memory
        return Found(memory["own"][0, :size].copy(), memory["values"][0].copy(), int(memory["nodes"][0]), used)


def count_steps(size: int, width: int) -> int:
    """How many steps `climb` has for a set of `size` orders: one that weighs it, then one for each group and width."""
    return 1 + size * (width + 1 - FIRST_WIDTH)


def set_up_search(memory: Any, settings: OrderSearchSettings) -> None:
    """Make a CARTESIAN_WORK record go by settings."""
    memory.work.weights = astuple(settings.order_weights)
    set_up_lookahead(memory.ahead, settings)


# ------------------------------------------------------------------ kernels


@kernel
def begin(memory, power, temperature, stream):
    """List what all could do and are expected to do, and take the greedy set in hand; return how many units the power has.

    `memory` is a CARTESIAN_WORK in an array, as Python hands over an array faster than a large record.
    """
    search = memory[0]
    list_options(search.root, search.work)
    score_options(search.root, search.work)
    for reply in range(search.reply_count):
        predict(search, power, reply, temperature, mix_word(stream, np.uint64(reply)))
    return greedy_set(search.work, power, search.own[:])


@kernel
def climb(memory, power, size, first, end, node_limit):
    """Do the steps from `first` on and before `end`, out of `count_steps`; `own` becomes the best set so far.

    The first step of all begins with the set in hand, of `size` orders, which is also in `own`.
    """
    # All steps and sets in one kernel: whatever holds the look-ahead takes seconds to compile.
    search = memory[0]
    for step in range(first, end):
        for number in range(count_sets(search, size, step)):
            if step > 0 and (search.stop[0] or search.nodes >= node_limit):
                break
            if take_set(search, power, size, step, number):
                weigh(search, power, size)
                keep_if_better(search, power)
        restore(search, power)
        write_set(search.work, search.work.units, power, search.own[:])


@kernel
def count_sets(search, size, step):
    """How many sets a step looks at."""
    count = 1
    for i in range(GROUP if step > 0 else 0):
        count *= ways(search, search.groups[(step - 1) % size, i], FIRST_WIDTH + (step - 1) // size)
    return count


@kernel
def take_set(search, power, size, step, number):
    """Take a step's set in hand and write it to `own`; return whether it is new and fits together."""
    if step == 0:
        line_up(search, power)
        return True
    group, width = search.groups[(step - 1) % size], FIRST_WIDTH + (step - 1) // size
    is_good = combine(search, power, group, width, number)
    if is_good:
        write_set(search.work, search.work.units, power, search.own[:])
    return is_good


@kernel
def line_up(search, power):
    """Make the set in hand the one to begin with, and find out what to change in it."""
    units = search.work.units
    search.nodes, search.value = 0, -np.inf
    row = 0
    for unit in range(units.count):
        if units.power[unit] == power:
            rank_options(search, unit)
            find_group(search.groups[row], units, unit)
            row += 1


@kernel
def predict(search, power, reply, temperature, stream):
    """Write the orders that the others are expected to give: greedy ones first, then draws."""
    n = 0
    for other in range(POWER_COUNT):
        if other == power:
            continue
        if reply == 0:
            n += greedy_set(search.work, other, search.replies[reply, n:])
        else:
            word = mix_word(stream, np.uint64(other))
            n += draw_set(search.work, other, temperature, False, word, search.replies[reply, n:])
    search.reply_size = n


@kernel
def rank_options(search, unit):
    """Sort a unit's options, best first; equals keep their order."""
    scores, ranked = search.work.scores[unit], search.ranked[unit]
    for option in range(search.work.sizes[unit]):
        rank = option
        while rank > 0 and scores[ranked[rank - 1]] < scores[option]:
            ranked[rank] = ranked[rank - 1]
            rank -= 1
        ranked[rank] = option


@kernel
def find_group(group, units, unit):
    """Put the unit and its nearest mates into a group."""
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
def ways(search, unit, width):
    return 1 if unit == NOBODY else min(width, search.work.sizes[unit])


@kernel
def restore(search, power):
    """Make the best set the one in hand."""
    units = search.work.units
    for unit in range(units.count):
        if units.power[unit] == power:
            search.work.chosen[unit] = search.best[unit]


@kernel
def combine(search, power, group, width, number):
    """Make the set in hand the best one with the group's orders changed; return whether it is new and fits together.

    New is what has an order of the last rank; for the first width, everything.
    """
    work, units = search.work, search.work.units
    restore(search, power)
    is_fresh = width == FIRST_WIDTH
    for i in range(GROUP):
        unit = group[i]
        if unit == NOBODY:
            continue
        options = ways(search, unit, width)
        rank = number % options
        number //= options
        is_fresh = is_fresh or rank == width - 1
        order = work.options[unit, search.ranked[unit, rank]]
        if not exchange(search, units, unit, order):
            return False
    if not is_fresh:
        return False
    repair_set(work, units, power)
    return differs(search, units, power) and has_no_crowd(work, units, power)


@kernel
def exchange(search, units, unit, order):
    """Give a unit another order; for a way over sea also give the fleets theirs. Return whether that is possible."""
    work = search.work
    work.chosen[unit] = order
    target = PROVINCE_OF[target_of(order)]
    if kind_of(order) != MOVE or not is_crossing(units, unit, target):
        return True
    free_fleets(search, units, units.power[unit])
    count = find_route(work, units, unit, target)
    for i in range(count):
        fleet = work.route[0, i]
        work.chosen[fleet] = pack(CONVOY, units.at[fleet], units.province[unit], target)
    for fleet in range(units.count):
        if units.power[fleet] == units.power[unit] and work.chosen[fleet] == NO_ORDER:
            work.chosen[fleet] = search.best[fleet]
    return count > 0


@kernel
def free_fleets(search, units, power):
    """Leave the power's fleets at sea undecided, so that a route can use them."""
    for fleet in range(units.count):
        if units.power[fleet] == power and SEA_BIT[units.province[fleet]] != 0:
            search.work.chosen[fleet] = NO_ORDER


@kernel
def differs(search, units, power):
    found = False
    for unit in range(units.count):
        found |= units.power[unit] == power and search.work.chosen[unit] != search.best[unit]
    return found


@kernel
def has_no_crowd(work, units, power):
    """Whether no two units go to one province."""
    work.taken[:] = 0
    for unit in range(units.count):
        order = work.chosen[unit]
        if units.power[unit] != power or kind_of(order) != MOVE:
            continue
        target = PROVINCE_OF[target_of(order)]
        if work.taken[target]:
            return False
        work.taken[target] = 1
    return True


@kernel
def keep_if_better(search, power):
    """Make the set in hand, which was weighed, the best one if it is."""
    if search.means[power] <= search.value + BETTER:
        return
    search.value = search.means[power]
    for i in range(POWER_COUNT):
        search.values[i] = search.means[i]
    units = search.work.units
    for unit in range(units.count):
        if units.power[unit] == power:
            search.best[unit] = search.work.chosen[unit]


@kernel
def weigh(search, power, size):
    """Fill `means`, everybody's value of the set in `own` over the expected answers; return the power's."""
    ahead = search.ahead
    search.means[:] = 0.0
    for reply in range(search.reply_count):
        clear_orders(ahead)
        add_orders(ahead, search.replies[reply], search.reply_size)
        add_orders(ahead, search.own[:], size)
        search.leaf = search.root
        look_ahead(search.leaf, ahead)
        value_of(search.leaf, ahead)
        for i in range(POWER_COUNT):
            search.means[i] += ahead.values[i] / search.reply_count
        search.nodes += 1
    return search.means[power]
