"""All orders that can be given in a position, unit by unit, as kernels.

`legal_orders` fills one flat array of orders; group g, a unit or in a build phase a home centre, has those from `starts[g]` to
`starts[g + 1]`, and `places[g]` is its province. What is listed for a movement phase is exactly what `checks.py` lets pass,
each order in one form: a fleet's coast is always named, and only an army that also has a land way is told to go by convoy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.games.diplomacy.adjustments import find_adjustments
from playmill.games.diplomacy.convoys import flood, has_route, on_routes
from playmill.games.diplomacy.geography import (
    ARMY,
    CAN_GO,
    COASTAL,
    FIRST_COAST,
    FLEET,
    GOES_TO,
    HAS_COASTS,
    HOMES,
    KIND,
    LOCATION_COUNT,
    NOBODY,
    POWER_COUNT,
    PROVINCE_COUNT,
    PROVINCE_OF,
    REACHES,
    SEA_BIT,
    SEAS_BY,
)
from playmill.games.diplomacy.orders import (
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    MOVE,
    REMOVE,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    WAIVE,
    pack,
)
from playmill.games.diplomacy.retreats import check_retreat
from playmill.games.diplomacy.state import BUILDS, FALL_MOVES, SPRING_MOVES, UNIT_LIMIT
from playmill.games.diplomacy.work import RULES_3, WORK, gather, lowest

# More than any position has: 19 fleets that convoy 15 armies to 41 coasts, and 34 units that support any into 11 provinces.
MAX_ORDERS = 1 << 15
MAX_GROUPS = UNIT_LIMIT

LISTS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("work", WORK),
                ("routes", "i8", (UNIT_LIMIT, PROVINCE_COUNT)),  # the seas that could help an army to a province
                ("shores", "i8", (UNIT_LIMIT, PROVINCE_COUNT)),  # the provinces that an army could be convoyed to
                ("shore_count", "i8", UNIT_LIMIT),
                ("waters", "i8", UNIT_LIMIT),  # the seas with fleets that are joined to an army's coast
                ("landing", "i8", PROVINCE_COUNT),  # the armies that could be convoyed to a province
            ]
        ),
    )
)


def _province_lists() -> np.ndarray:
    """[kind, location]: the provinces that a unit there can support, closed by -1."""
    width = int(REACHES.sum(axis=2).max()) + 1
    table = np.full((3, LOCATION_COUNT, width), NOBODY, np.int64)
    for kind in (ARMY, FLEET):
        for place in range(LOCATION_COUNT):
            found = np.flatnonzero(REACHES[kind, place])
            table[kind, place, : found.size] = found
    return table


def _borders() -> np.ndarray:
    """Per province, those from which some unit could move in, closed by -1."""
    table = np.zeros((PROVINCE_COUNT, PROVINCE_COUNT), np.bool_)
    for kind in (ARMY, FLEET):
        for place in range(LOCATION_COUNT):
            table[:, PROVINCE_OF[place]] |= REACHES[kind, place]
    width = int(table.sum(axis=1).max()) + 1
    out = np.full((PROVINCE_COUNT, width), NOBODY, np.int64)
    for province in range(PROVINCE_COUNT):
        found = np.flatnonzero(table[province])
        out[province, : found.size] = found
    return out


SUPPORTABLE = _province_lists()
BORDERS = _borders()
COASTAL_PROVINCES = np.flatnonzero(KIND == COASTAL)


def new_lists() -> Any:
    """An array with one LISTS record, the memory that listing works in."""
    return np.zeros(1, LISTS)


@kernel
def legal_orders(state, rules, lists, orders, starts, places):
    """Fill `orders` (int32, MAX_ORDERS), `starts` (int64, MAX_GROUPS + 1), `places` (int64, MAX_GROUPS); return the groups."""
    starts[0] = 0
    if state.phase == SPRING_MOVES or state.phase == FALL_MOVES:
        return legal_moves(state, rules, lists, orders, starts, places)
    if state.phase == BUILDS:
        return legal_builds(state, lists.work, orders, starts, places)
    return legal_retreats(state, orders, starts, places)


@kernel
def legal_moves(state, rules, lists, orders, starts, places):
    """The groups are the units, in the order of their provinces."""
    work = lists.work
    gather(state, work)
    find_routes(lists, work, rules)
    n = 0
    for unit in range(work.count):
        places[unit] = work.province[unit]
        orders[n] = pack(HOLD, work.at[unit])
        n = list_moves(lists, work, unit, orders, n + 1)
        n = list_supports(lists, work, unit, orders, n)
        if SEA_BIT[work.province[unit]]:
            n = list_convoys(lists, work, unit, orders, n)
        starts[unit + 1] = n
    return work.count


@kernel
def find_routes(lists, work, rules):
    """Find out which armies could be convoyed where, and by which fleets."""
    lists.landing[:] = 0
    for unit in range(work.count):
        lists.shore_count[unit] = 0
        lists.waters[unit] = 0
        source = work.province[unit]
        if work.kind[unit] == ARMY and SEAS_BY[source] & work.fleets:
            lists.waters[unit] = flood(SEAS_BY[source], work.fleets)
            find_shores(lists, work, unit, rules)


@kernel
def find_shores(lists, work, unit, rules):
    source, waters = work.province[unit], lists.waters[unit]
    is_one = waters & (waters - 1) == 0
    count = 0
    for i in range(COASTAL_PROVINCES.size):
        target = COASTAL_PROVINCES[i]
        if SEAS_BY[target] & waters == 0 or target == source:
            continue
        if is_one:
            lists.routes[unit, target] = waters
        else:
            lists.routes[unit, target] = on_routes(source, target, waters, rules == RULES_3, work.stack)
        lists.shores[unit, count] = target
        lists.landing[target] |= 1 << unit
        count += 1
    lists.shore_count[unit] = count


@kernel
def list_moves(lists, work, unit, orders, n):
    kind, place = work.kind[unit], work.at[unit]
    i = 0
    while GOES_TO[kind, place, i] != NOBODY:
        orders[n] = pack(MOVE, place, 0, GOES_TO[kind, place, i])
        n += 1
        i += 1
    for i in range(lists.shore_count[unit]):
        target = lists.shores[unit, i]
        orders[n] = pack(MOVE, place, 0, target, 1 if CAN_GO[ARMY, place, target] else 0)
        n += 1
    return n


@kernel
def list_supports(lists, work, unit, orders, n):
    kind, place = work.kind[unit], work.at[unit]
    i = 0
    while SUPPORTABLE[kind, place, i] != NOBODY:
        target = SUPPORTABLE[kind, place, i]
        if work.unit_at[target] != NOBODY:
            orders[n] = pack(SUPPORT_HOLD, place, work.at[work.unit_at[target]])
            n += 1
        n = list_supports_next_door(work, unit, target, orders, n)
        if lists.landing[target]:
            n = list_supports_of_convoys(lists, work, unit, target, orders, n)
        i += 1
    return n


@kernel
def list_supports_next_door(work, unit, target, orders, n):
    """Supports for those who could move to `target` by themselves."""
    i = 0
    while BORDERS[target, i] != NOBODY:
        mate = work.unit_at[BORDERS[target, i]]
        i += 1
        if mate in (NOBODY, unit) or not REACHES[work.kind[mate], work.at[mate], target]:
            continue
        if work.kind[mate] == ARMY or not HAS_COASTS[target]:
            orders[n] = pack(SUPPORT_MOVE, work.at[unit], work.at[mate], target)
            n += 1
            continue
        for coast in range(FIRST_COAST[target], FIRST_COAST[target] + 2):
            if CAN_GO[FLEET, work.at[mate], coast]:
                orders[n] = pack(SUPPORT_MOVE, work.at[unit], work.at[mate], coast)
                n += 1
    return n


@kernel
def list_supports_of_convoys(lists, work, unit, target, orders, n):
    """Supports for armies that could come to `target` by convoy alone, and without the supporting fleet."""
    armies = lists.landing[target] & ~(1 << unit)
    own_sea = SEA_BIT[work.province[unit]]
    while armies:
        army = lowest(armies)
        armies &= armies - 1
        source = work.province[army]
        if CAN_GO[ARMY, source, target]:
            continue  # listed as a neighbour
        if lists.routes[army, target] & own_sea and not has_route(source, target, work.fleets & ~own_sea):
            continue
        orders[n] = pack(SUPPORT_MOVE, work.at[unit], source, target)
        n += 1
    return n


@kernel
def list_convoys(lists, work, unit, orders, n):
    own_sea = SEA_BIT[work.province[unit]]
    for army in range(work.count):
        if lists.waters[army] & own_sea == 0:
            continue
        for i in range(lists.shore_count[army]):
            target = lists.shores[army, i]
            if lists.routes[army, target] & own_sea:
                orders[n] = pack(CONVOY, work.at[unit], work.province[army], target)
                n += 1
    return n


@kernel
def legal_retreats(state, orders, starts, places):
    """The groups are the dislodged units; each may also disband."""
    group, n = 0, 0
    for province in range(PROVINCE_COUNT):
        if state.out_kind[province] == 0:
            continue
        places[group] = province
        kind, place = state.out_kind[province], state.out_at[province]
        i = 0
        while GOES_TO[kind, place, i] != NOBODY:
            end = GOES_TO[kind, place, i]
            if check_retreat(state, province, end) == 0:
                orders[n] = pack(RETREAT, place, 0, end)
                n += 1
            i += 1
        orders[n] = pack(DISBAND, place)
        n += 1
        group += 1
        starts[group] = n
    return group


@kernel
def legal_builds(state, work, orders, starts, places):
    """The groups are the open home centres of those who may build, and the units of those who must remove some.

    How many of a power's groups are used is its adjustment (`find_adjustments`); a home centre may also be waived.
    """
    left = work.needs[:POWER_COUNT]
    find_adjustments(state, left, work.supporters[:POWER_COUNT])
    group, n = 0, 0
    for power in range(POWER_COUNT):
        if left[power] > 0:
            for i in range(HOMES.shape[1]):
                province = HOMES[power, i]
                if province == NOBODY:
                    break
                if state.owner[province] == power and state.kind[province] == 0:
                    places[group] = province
                    n = list_builds(power, province, orders, n)
                    group += 1
                    starts[group] = n
        elif left[power] < 0:
            for province in range(PROVINCE_COUNT):
                if state.kind[province] != 0 and state.power[province] == power:
                    places[group] = province
                    orders[n] = pack(REMOVE, state.at[province])
                    n += 1
                    group += 1
                    starts[group] = n
    return group


@kernel
def list_builds(power, province, orders, n):
    """An army, a fleet on each coast, or nothing."""
    orders[n] = pack(BUILD, province, ARMY)
    n += 1
    if HAS_COASTS[province]:
        for coast in range(FIRST_COAST[province], FIRST_COAST[province] + 2):
            orders[n] = pack(BUILD, coast, FLEET)
            n += 1
    elif KIND[province] == COASTAL:
        orders[n] = pack(BUILD, province, FLEET)
        n += 1
    orders[n] = pack(WAIVE, power)
    return n + 1
