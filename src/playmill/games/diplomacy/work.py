"""The memory that adjudication works in: one record, made once by the caller and used again for every phase.

Units are numbered 0, 1, .. in the order of their provinces; a set of units is a word with one bit a unit, a set of seas one
with one bit a sea. Everything is 64 bits wide: in plain Python, NumPy would shift a small number within its few bits. The
second half are the decisions: a bit is in neither of two opposite sets as long as it is open.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.games.diplomacy.convoys import ROUTE_DEPTH, number_of
from playmill.games.diplomacy.geography import (
    FLEET,
    NOBODY,
    POWER_COUNT,
    PROVINCE_COUNT,
    SEA_BIT,
)
from playmill.games.diplomacy.orders import HOLD
from playmill.games.diplomacy.state import UNIT_LIMIT

RULES_2, RULES_3 = 2, 3

WORK = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("count", "i8"),
                ("unit_at", "i8", PROVINCE_COUNT),  # which unit stands in a province, or -1
                ("first", "i8", PROVINCE_COUNT),  # the first unit that moves to a province, or -1
                ("next", "i8", UNIT_LIMIT),  # another one that moves to the same province, or -1
                ("kind", "i8", UNIT_LIMIT),
                ("power", "i8", UNIT_LIMIT),
                ("province", "i8", UNIT_LIMIT),
                ("at", "i8", UNIT_LIMIT),
                ("order", "i8", UNIT_LIMIT),  # the kind of its order; HOLD where none was given or it was illegal
                ("place", "i8", UNIT_LIMIT),  # the location that the order aims at
                ("target", "i8", UNIT_LIMIT),  # the same as a province: of a support, where it is given
                ("mate", "i8", UNIT_LIMIT),  # the unit that a support or convoy is for, -1 where it doesn't match
                ("via", "i8", UNIT_LIMIT),  # ordered to go by convoy
                ("head", "i8", UNIT_LIMIT),  # the unit that it meets head to head, or -1
                ("ordered", "i8", UNIT_LIMIT),  # whether an order was read for it
                ("supporters", "i8", UNIT_LIMIT),  # of a move, or of a unit that stays
                ("carriers", "i8", UNIT_LIMIT),  # the seas whose fleets ordered to convoy this army as it moves
                ("own", "i8", POWER_COUNT),  # the units of each power
                ("fleets", "i8"),  # the seas with a fleet
                ("moves", "i8"),
                ("supports", "i8"),  # those that match
                ("by_sea", "i8"),  # moves by convoy
                ("meant", "i8"),  # armies that a fleet of their own power ordered to convoy
                # decisions
                ("wins", "i8"),
                ("fails", "i8"),
                ("gives", "i8"),
                ("cuts", "i8"),
                ("sails", "i8"),  # moves with a way: all that go over land, and convoys that hold
                ("sinks", "i8"),  # convoys without a way
                ("paradoxes", "i8"),
                ("stack", "i8", (3, ROUTE_DEPTH)),
                ("needs", "i8", UNIT_LIMIT),
            ]
        ),
    )
)


def new_work() -> Any:
    """An array with one WORK record."""
    return np.zeros(1, WORK)


@kernel
def size_of(units):
    """How many are in a set."""
    count = 0
    while units:
        units &= units - 1
        count += 1
    return count


@kernel
def lowest(units):
    """The number of a set's first member."""
    return number_of(units & -units)


@kernel
def gather(state, work):
    """List the units of a position, all holding."""
    count = 0
    work.fleets = 0
    for power in range(POWER_COUNT):
        work.own[power] = 0
    for province in range(PROVINCE_COUNT):
        work.first[province] = NOBODY
        kind = state.kind[province]
        if kind == 0:
            work.unit_at[province] = NOBODY
            continue
        work.unit_at[province] = count
        work.kind[count] = kind
        work.power[count] = state.power[province]
        work.province[count] = province
        work.at[count] = state.at[province]
        work.order[count] = HOLD
        work.target[count] = province
        work.mate[count] = NOBODY
        work.via[count] = 0
        work.head[count] = NOBODY
        work.ordered[count] = 0
        work.supporters[count] = 0
        work.carriers[count] = 0
        work.own[state.power[province]] |= 1 << count
        if kind == FLEET:
            work.fleets |= SEA_BIT[province]
        count += 1
    work.count = count
