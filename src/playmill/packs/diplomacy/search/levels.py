"""Candidates that answer something: level 1 is a best answer to the others' greedy sets, level 2 to their level 1, and so on.

Each is found by Cartesian search from the power's set of the level below.
"""

from __future__ import annotations

from typing import Any

from playmill.core.jit import kernel
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.packs.diplomacy.search.candidates import is_new
from playmill.packs.diplomacy.search.cartesian import climb, count_steps

LEVEL_WIDTH = 4


def add_levels(memory: Any, levels: int, node_limit: int) -> int:
    """Append every power's answers to its candidates unless they are there already; return the nodes that took.

    `memory` is a JOINT_WORK in an array, in which each power's greedy set is its first candidate; `answers` is filled.
    """
    cartesian, sizes = memory["cartesian"], memory["sizes"][0].tolist()
    begin_levels(memory)
    nodes = 0
    for level in range(1, levels + 1):
        for power, size in enumerate(sizes):
            if size > 0:
                expect_level(memory, level - 1, power)
                climb(cartesian, power, size, 0, count_steps(size, LEVEL_WIDTH), node_limit)
                add_answer(memory, level, power)
                nodes += int(cartesian["nodes"][0])
    return nodes


@kernel
def begin_levels(memory):
    """Make all answers the greedy sets, which they stay if they aren't looked for."""
    joint = memory[0]
    for level in range(joint.levels + 1):
        for power in range(POWER_COUNT):
            for i in range(joint.sizes[power]):
                joint.answers[level, power, i] = joint.sets[power, 0, i]


@kernel
def expect_level(memory, level, power):
    """Expect the others to give their answers of a level, and begin with the power's own."""
    joint, search = memory[0], memory[0].cartesian
    n = 0
    for other in range(POWER_COUNT):
        for i in range(joint.sizes[other] if other != power else 0):
            search.replies[0, n] = joint.answers[level, other, i]
            n += 1
    search.reply_count, search.reply_size = 1, n
    take_in_hand(search, power, joint.answers[level, power])


@kernel
def take_in_hand(search, power, orders):
    """Make a set of a power the one that the search begins with."""
    units = search.work.units
    n = 0
    for unit in range(units.count):
        if units.power[unit] == power:
            search.work.chosen[unit] = orders[n]
            search.own[n] = orders[n]
            n += 1


@kernel
def add_answer(memory, level, power):
    """Note the set that was found as an answer, and put it at the end of the power's candidates if it is new."""
    joint = memory[0]
    sets, row, size = joint.sets[power], joint.regrets.counts[power], joint.sizes[power]
    for i in range(size):
        joint.answers[level, power, i] = joint.cartesian.own[i]
        sets[row, i] = joint.cartesian.own[i]
    if is_new(sets, row, size):
        joint.regrets.counts[power] = row + 1
