"""Candidates that answer something: level 1 is a best answer to the others' greedy sets, level 2 to their level 1, and so on.

Each is found by Cartesian search from the power's set of the level below.
"""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.diplomacy.candidates import is_new
from playmill.diplomacy.cartesian import NODES, climb
from playmill.games.diplomacy.geography import POWER_COUNT

LEVEL_WIDTH = 4


@kernel
def add_levels(product, sets, counts, sizes, answers, levels, node_limit):
    """Append every power's answers to its candidates unless they are there already; return the nodes that took.

    `sets` is int32 [power, candidate, unit] with the greedy set first, `counts` how many candidates there are and `sizes` how
    many units; `answers`, int32 [level, power, unit], is filled.
    """
    nodes = 0
    answers[:] = sets[:, 0]  # what is not looked for stays the greedy set
    for level in range(1, levels + 1):
        for power in range(POWER_COUNT):
            answers[level, power] = answers[level - 1, power]
            if sizes[power] > 0:
                nodes += answer(product, answers, level, power, sizes, node_limit)
                append(sets[power], counts, power, sizes[power], answers[level, power])
    return nodes


@kernel
def answer(product, answers, level, power, sizes, node_limit):
    """Fill one answer; return the nodes that took."""
    n = 0
    for other in range(POWER_COUNT):
        for i in range(sizes[other] if other != power else 0):
            product.replies[0, n] = answers[level - 1, other, i]
            n += 1
    product.reply_size[0] = n
    take_in_hand(product, power, answers[level - 1, power])
    climb(product, power, sizes[power], LEVEL_WIDTH, node_limit)
    for i in range(sizes[power]):
        answers[level, power, i] = product.own[i]
    return product.tally[NODES]


@kernel
def take_in_hand(product, power, orders):
    """Make a set of a power the one that the search begins with."""
    units = product.plan.units[0]
    n = 0
    for unit in range(units.count):
        if units.power[unit] == power:
            product.plan.chosen[unit] = orders[n]
            product.own[n] = orders[n]
            n += 1


@kernel
def append(sets, counts, power, size, orders):
    """Put a set at the end of a power's candidates if it is new."""
    row = counts[power]
    for i in range(size):
        sets[row, i] = orders[i]
    if is_new(sets, row, size):
        counts[power] = row + 1
