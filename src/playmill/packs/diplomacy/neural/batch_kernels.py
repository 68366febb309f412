"""Lists what the units of many positions could have been ordered, and what they were: the ragged part of a batch."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from playmill.core.jit import kernel
from playmill.games.diplomacy.geography import PROVINCE_OF
from playmill.games.diplomacy.legal import legal_orders
from playmill.games.diplomacy.orders import NO_ORDER, WAIVE, kind_of, location_of
from playmill.packs.diplomacy.neural.logit_ids import LOGITS, PARTS, fill_logit_ids

FULL = -1


class Listing(NamedTuple):
    """The memory in which a position's legal orders are listed."""

    lists: Any
    legal: np.ndarray
    starts: np.ndarray
    places: np.ndarray
    given: np.ndarray  # [province]


class Lines(NamedTuple):
    """Where a batch is written."""

    logit_ids: np.ndarray
    group: np.ndarray
    chosen: np.ndarray
    ends: np.ndarray  # [2, n + 1]: of the orders, of the groups


@kernel
def add_rows(states, numbers, orders, starts, rules, memory, lines):
    """Append all positions; return FULL if they don't fit."""
    for row in range(states.size):
        number = numbers[row]
        note_given(orders[starts[number] : starts[number + 1]], memory.given)
        groups = legal_orders(states[row], rules, memory.lists[0], memory.legal, memory.starts, memory.places)
        if add_row(row, groups, memory, lines) == FULL:
            return FULL
    return 0


@kernel
def note_given(orders, given):
    """Fill the order that was given in each province, 0 where there was none; a waive has no province and teaches nothing."""
    given[:] = NO_ORDER
    for i in range(orders.size):
        if kind_of(orders[i]) != WAIVE:
            given[PROVINCE_OF[location_of(orders[i])]] = orders[i]


@kernel
def add_row(row, groups, memory, lines):
    """Append the units of a position that had a choice and whose order is legal; return FULL if they don't fit."""
    n, g = lines.ends[0, row], lines.ends[1, row]
    for i in range(groups):
        begin, end, place = memory.starts[i], memory.starts[i + 1], memory.places[i]
        if end - begin < 2 or memory.given[place] == NO_ORDER:
            continue
        if n + end - begin > len(lines.logit_ids):
            return FULL
        found = add_group(row, memory.legal[begin:end], place, memory.given[place], lines.logit_ids[n:], lines.group[n:], g)
        if found >= 0:
            lines.chosen[g] = n + found
            g += 1
            n += end - begin
    lines.ends[0, row + 1], lines.ends[1, row + 1] = n, g
    return 0


@kernel
def add_group(row, orders, province, order, logit_ids, group, number):
    """Fill the logits' numbers of a unit's orders; return which of them was given, -1 for none."""
    found = -1
    for i in range(orders.size):
        fill_logit_ids(orders[i], province, logit_ids[i])
        for part in range(PARTS):
            logit_ids[i, part] += row * LOGITS
        group[i] = number
        if orders[i] == order:
            found = i
    return found
