"""Orders at random: for every unit any legal one, each as likely."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import below_word, mix_word
from playmill.games.diplomacy.adjustments import find_adjustments, power_of_adjustment
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.games.diplomacy.legal import MAX_GROUPS, MAX_ORDERS, legal_orders, new_lists
from playmill.games.diplomacy.state import BUILDS, UNIT_LIMIT
from playmill.games.diplomacy.work import new_work


class RandomOrders:
    """Draws orders for all powers of a position; made once, used often."""

    def __init__(self, rules: int) -> None:
        self._rules = rules
        self._lists, self._work = new_lists(), new_work()
        self._legal = np.zeros(MAX_ORDERS, np.int32)
        self._starts, self._places = np.zeros(MAX_GROUPS + 1, np.int64), np.zeros(MAX_GROUPS, np.int64)
        self._orders = np.zeros(UNIT_LIMIT, np.int32)

    def draw(self, state: Any, stream: int) -> np.ndarray:
        """Orders of all powers together, int32; none that the rules refuse."""
        groups = legal_orders(state, self._rules, self._lists[0], self._legal, self._starts, self._places)
        word = np.uint64(stream)
        if state.phase == BUILDS:
            count = draw_builds(state, groups, self._legal, self._starts, self._work[0], word, self._orders)
        else:
            count = draw_each(groups, self._legal, self._starts, word, self._orders)
        return self._orders[:count].copy()


@kernel
def pick(legal, starts, group, word):
    """One of a group's orders."""
    return legal[starts[group] + below_word(word, starts[group + 1] - starts[group])]


@kernel
def draw_each(groups, legal, starts, stream, orders):
    """One order a group."""
    for group in range(groups):
        orders[group] = pick(legal, starts, group, mix_word(stream, np.uint64(group)))
    return groups


@kernel
def draw_builds(state, groups, legal, starts, work, stream, orders):
    """For each power as many of its groups as it has adjustments, each group as likely."""
    left = work.needs[:POWER_COUNT]
    find_adjustments(state, left, work.supporters[:POWER_COUNT])
    n = 0
    for power in range(POWER_COUNT):
        needed, seen = abs(left[power]), 0
        for group in range(groups):
            seen += power_of_adjustment(state, legal[starts[group]]) == power
        for group in range(groups):
            if power_of_adjustment(state, legal[starts[group]]) != power:
                continue
            # Of `seen` groups that are left, `needed` are taken: this one by that chance.
            if below_word(mix_word(stream, np.uint64(UNIT_LIMIT + group)), seen) < needed:
                orders[n] = pick(legal, starts, group, mix_word(stream, np.uint64(group)))
                n += 1
                needed -= 1
            seen -= 1
    return n
