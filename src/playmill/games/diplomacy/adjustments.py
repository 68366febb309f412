"""A build phase: powers with more centres than units build on open home centres, the others remove units.

Orders of one power are taken one by one, in the order given, until all adjustments are made (DATC 6.I.1, 6.J.1). Builds that
nobody orders are waived; removals that nobody orders follow the rule of civil disorder: the unit farthest away goes, fleets
before armies, then by the provinces' full names.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.games.diplomacy.geography import (
    ARMY,
    CAN_GO,
    FLEET,
    HAS_COASTS,
    HOME,
    HOMES,
    INLAND,
    IS_CENTRE,
    KIND,
    LOCATION_COUNT,
    NAMES,
    NOBODY,
    POWER_COUNT,
    PROVINCE_COUNT,
    PROVINCE_OF,
)
from playmill.games.diplomacy.orders import BUILD, REMOVE, WAIVE, auxiliary_of, kind_of, location_of
from playmill.games.diplomacy.state import count_centres, count_units, lift_unit, put_unit
from playmill.games.diplomacy.verdicts import (
    ALREADY_REMOVED,
    ILLEGAL,
    NEEDS_COAST,
    NO_FLEET_INLAND,
    NO_UNIT,
    NOT_HOME,
    NOT_OWNED,
    OCCUPIED,
    SUCCEEDED,
    TOO_MANY,
    WRONG_PHASE,
)
from playmill.games.diplomacy.work import RULES_3

FAR = 99
# Where a province comes in the alphabet of full names: Gulf of Bothnia before North Sea.
ALPHABET = np.argsort(np.argsort(np.array(NAMES))).astype(np.int64)


def _distances(table: np.ndarray) -> Any:
    """Steps between provinces over the location graph `table`; FAR where there is no way. Any coast counts as the province."""
    steps = np.full((LOCATION_COUNT, LOCATION_COUNT), FAR, np.int64)
    np.fill_diagonal(steps, 0)
    steps[table] = 1
    for middle in range(LOCATION_COUNT):
        steps = np.minimum(steps, steps[:, [middle]] + steps[[middle], :])
    out = np.full((LOCATION_COUNT, PROVINCE_COUNT), FAR, np.int64)
    for place in range(LOCATION_COUNT):
        out[:, PROVINCE_OF[place]] = np.minimum(out[:, PROVINCE_OF[place]], steps[:, place])
    return out


def _any_way() -> Any:
    """A border is a border, for armies and fleets alike; a coast is its province."""
    table = CAN_GO[ARMY] | CAN_GO[FLEET]
    merged = np.zeros_like(table)
    for a, b in np.argwhere(table):
        for x in (a, PROVINCE_OF[a]):
            for y in (b, PROVINCE_OF[b]):
                merged[x, y] = True
    return merged


STEPS_ANY_WAY = _distances(_any_way())
STEPS_BY_FLEET = _distances(CAN_GO[FLEET])


@kernel
def count_open_homes(state, power):
    """How many home centres the power could build in."""
    count = 0
    for i in range(HOMES.shape[1]):
        province = HOMES[power, i]
        if province == NOBODY:
            break
        if state.owner[province] == power and state.kind[province] == 0:
            count += 1
    return count


@kernel
def adjustment(state, power, centres, units):
    """How many units the power may build (above 0) or must remove (below 0), given its numbers of centres and units."""
    surplus = centres - units
    return min(surplus, count_open_homes(state, power)) if surplus > 0 else surplus


@kernel
def find_adjustments(state, out, centres):
    """Fill `out` with each power's adjustment, and `centres`; both int64, one a power. Return whether any isn't 0."""
    count_centres(state, centres)
    count_units(state, out)
    needed = False
    for power in range(POWER_COUNT):
        out[power] = adjustment(state, power, centres[power], out[power])
        needed = needed or out[power] != 0
    return needed


@kernel
def check_build(state, order, power):
    """Why the power can't build that unit there, or 0."""
    location, kind = location_of(order), auxiliary_of(order)
    province = PROVINCE_OF[location]
    if not IS_CENTRE[province] or HOME[province] != power:
        return NOT_HOME
    if state.owner[province] != power:
        return NOT_OWNED
    if state.kind[province] != 0:
        return OCCUPIED
    if kind == FLEET and KIND[province] == INLAND:
        return NO_FLEET_INLAND
    return NEEDS_COAST if kind == FLEET and HAS_COASTS[province] and location == province else 0


@kernel
def power_of_adjustment(state, order):
    """Whose order it is: of the unit's power, of the home's power, or named in the order; -1 for nobody's."""
    kind, location = kind_of(order), location_of(order)
    if kind == WAIVE:
        return np.int64(location) if location < POWER_COUNT else np.int64(NOBODY)
    province = PROVINCE_OF[location]
    if kind == BUILD:
        return np.int64(HOME[province])
    return np.int64(state.power[province]) if kind == REMOVE and state.kind[province] != 0 else np.int64(NOBODY)


@kernel
def adjudicate_builds(state, orders, count, rules, work, results):
    """Carry out builds and removals in `state`, then remove what was not ordered."""
    left = work.needs[:POWER_COUNT]
    find_adjustments(state, left, work.supporters[:POWER_COUNT])
    was_there = work.unit_at
    for province in range(PROVINCE_COUNT):
        was_there[province] = state.kind[province]
    for i in range(count):
        results[i].other = NOBODY
        results[i].source = NOBODY
        results[i].strength = 0
        results[i].against = 0
        reason = take_adjustment(state, orders[i], left, was_there)
        results[i].reason = reason
        results[i].verdict = ILLEGAL if reason else SUCCEEDED
    for power in range(POWER_COUNT):
        while left[power] < 0:
            lift_unit(state, farthest_unit(state, power, rules))
            left[power] += 1


@kernel
def take_adjustment(state, order, left, was_there):
    """Carry out one order if it can be; return why not, or 0."""
    kind, province = kind_of(order), PROVINCE_OF[location_of(order) if kind_of(order) != WAIVE else 0]
    if kind not in (BUILD, REMOVE, WAIVE):
        return WRONG_PHASE
    power = power_of_adjustment(state, order)
    if kind == REMOVE and power == NOBODY:
        return ALREADY_REMOVED if was_there[province] else NO_UNIT
    if kind == BUILD:
        reason = NOT_HOME if power == NOBODY else check_build(state, order, power)
        if reason:
            return reason
    if power == NOBODY or (left[power] <= 0 if kind != REMOVE else left[power] >= 0):
        return TOO_MANY
    if kind == BUILD:
        build(state, order, power)
    elif kind == REMOVE:
        lift_unit(state, province)
    left[power] += 1 if kind == REMOVE else -1
    return 0


@kernel
def build(state, order, power):
    """Place the new unit; a coast that is named for an army is dropped."""
    location = location_of(order)
    put_unit(state, auxiliary_of(order), power, PROVINCE_OF[location] if auxiliary_of(order) == ARMY else location)


@kernel
def farthest_unit(state, power, rules):
    """The province of the unit that civil disorder removes first."""
    best, best_rank = NOBODY, -1
    for province in range(PROVINCE_COUNT):
        if state.kind[province] == 0 or state.power[province] != power:
            continue
        steps = distance_home(state, province, power, rules)
        is_fleet = state.kind[province] == FLEET
        rank = (2 * steps + is_fleet) * PROVINCE_COUNT + (PROVINCE_COUNT - 1 - ALPHABET[province])
        if rank > best_rank:
            best, best_rank = province, rank
    return best


@kernel
def distance_home(state, province, power, rules):
    """Steps to the nearest centre that counts.

    By 3.x any centre that the power owns, over land and sea for all units. By 2.x its home centres, whoever owns them; fleets
    keep to the water (DATC 4.D.8, 6.J).
    """
    best = np.int64(FAR)
    by_fleet = rules != RULES_3 and state.kind[province] == FLEET
    place = state.at[province]
    for goal in range(PROVINCE_COUNT):
        counts = state.owner[goal] == power if rules == RULES_3 else HOME[goal] == power
        if counts:
            best = min(best, STEPS_BY_FLEET[place, goal] if by_fleet else STEPS_ANY_WAY[place, goal])
    return best
