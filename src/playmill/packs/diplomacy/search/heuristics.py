"""Retreats, builds and removals by judgement: always legal, always the same for the same position."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.diplomacy.adjustments import adjudicate_builds, find_adjustments
from playmill.games.diplomacy.geography import (
    ARMY,
    COASTAL,
    FIRST_COAST,
    FLEET,
    GOES_TO,
    HAS_COASTS,
    HOMES,
    KIND,
    NOBODY,
    POWER_COUNT,
    PROVINCE_COUNT,
    PROVINCE_OF,
)
from playmill.games.diplomacy.orders import BUILD, DISBAND, NO_ORDER, REMOVE, RETREAT, pack
from playmill.games.diplomacy.phases import begin_year, finish_retreats
from playmill.games.diplomacy.retreats import adjudicate_retreats, check_retreat
from playmill.games.diplomacy.state import BUILDS, FALL_MOVES, SPRING_MOVES, winner
from playmill.games.diplomacy.work import gather
from playmill.packs.diplomacy.search.order_scores import count_force, set_goals, spot_value, strongest_rival

THREATENED_HOME = 0.5  # more for a build where rivals could come


@kernel
def judge(state, work):
    """Find out who stands where, who could go where, and what the centres are worth."""
    gather(state, work.units)
    count_force(work, work.units)
    set_goals(state, work, work.units)


@kernel
def is_movement(state):
    return state.phase == SPRING_MOVES or state.phase == FALL_MOVES


@kernel
def settle_season(state, ahead):
    """Carry out retreats and builds by judgement until moves are to be ordered, or the game is won.

    `ahead` is a LOOKAHEAD_WORK.
    """
    orders, results = ahead.orders[:], ahead.results[:]
    while not is_movement(state):
        if state.phase == BUILDS:
            if winner(state) != NOBODY:
                return
            count = adjustment_orders(state, ahead.work, orders)
            adjudicate_builds(state, orders, count, ahead.rules, ahead.units, results)
            begin_year(state)
        else:
            count = retreat_orders(state, ahead.work, orders)
            adjudicate_retreats(state, orders, count, ahead.units, results)
            finish_retreats(state, ahead.units)


# ------------------------------------------------------------------ retreats


@kernel
def retreat_orders(state, work, orders):
    """Fill one order for each dislodged unit, all powers; return how many."""
    judge(state, work)
    work.taken[:] = 0
    n = 0
    for province in range(PROVINCE_COUNT):
        if state.out_kind[province] == 0:
            continue
        end = best_retreat(state, work, province)
        place = state.out_at[province]
        if end == NOBODY:
            orders[n] = pack(DISBAND, place)
        else:
            orders[n] = pack(RETREAT, place, 0, end)
            work.taken[PROVINCE_OF[end]] = state.out_power[province] + 1
        n += 1
    return n


@kernel
def best_retreat(state, work, province):
    """The best place for a dislodged unit that no mate retreats to, or -1."""
    kind, power = state.out_kind[province], state.out_power[province]
    best, best_value = NOBODY, -np.inf
    i = 0
    while GOES_TO[kind, state.out_at[province], i] != NOBODY:
        end = GOES_TO[kind, state.out_at[province], i]
        i += 1
        if check_retreat(state, province, end) != 0 or work.taken[PROVINCE_OF[end]] == power + 1:
            continue
        value = spot_value(work, power, kind, end)
        if value > best_value:
            best, best_value = end, value
    return best


# ------------------------------------------------------------------ builds and removals


@kernel
def adjustment_orders(state, work, orders):
    """Fill the builds and removals of all powers; return how many."""
    judge(state, work)
    left = work.units.needs[:POWER_COUNT]
    find_adjustments(state, left, work.units.supporters[:POWER_COUNT])
    work.taken[:] = 0
    n = 0
    for power in range(POWER_COUNT):
        for _ in range(abs(left[power])):
            order = best_build(state, work, power) if left[power] > 0 else worst_unit(state, work, power)
            if order != NO_ORDER:
                orders[n] = order
                n += 1
    return n


@kernel
def best_build(state, work, power):
    """The best new unit on an open home centre, which is then taken; 0 if there is none."""
    best, best_value, home = np.int64(NO_ORDER), -np.inf, NOBODY
    for i in range(HOMES.shape[1]):
        province = HOMES[power, i]
        if province == NOBODY:
            break
        if state.owner[province] != power or state.kind[province] != 0 or work.taken[province]:
            continue
        danger = THREATENED_HOME if strongest_rival(work, power, province) > 0 else 0.0
        kind, place, value = best_unit(work, power, province)
        if value + danger > best_value:
            best, best_value, home = pack(BUILD, place, kind), value + danger, province
    if home != NOBODY:
        work.taken[home] = 1
    return best


@kernel
def best_unit(work, power, province):
    """Army or fleet, on which coast, and what it is worth."""
    kind, place, best = ARMY, province, spot_value(work, power, ARMY, province)
    if KIND[province] != COASTAL:
        return kind, place, best
    first = FIRST_COAST[province] if HAS_COASTS[province] else province
    for end in range(first, first + (2 if HAS_COASTS[province] else 1)):
        value = spot_value(work, power, FLEET, end)
        if value > best:
            kind, place, best = FLEET, end, value
    return kind, place, best


@kernel
def worst_unit(state, work, power):
    """The removal of the unit that stands worst, which is then taken; 0 if there is none."""
    worst, worst_value = NOBODY, np.inf
    for province in range(PROVINCE_COUNT):
        if state.kind[province] == 0 or state.power[province] != power or work.taken[province]:
            continue
        value = spot_value(work, power, state.kind[province], state.at[province])
        if value < worst_value:
            worst, worst_value = province, value
    if worst == NOBODY:
        return np.int64(NO_ORDER)
    work.taken[worst] = 1
    return np.int64(pack(REMOVE, state.at[worst]))
