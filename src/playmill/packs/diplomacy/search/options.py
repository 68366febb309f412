"""The orders worth a thought: holds, moves, supports of one's own units, and moves over one's own fleets.

A convoy is chosen by its army: the fleets then get their orders from `order_sets.py`. Each order has the form in which the
rules list it, so the options are a part of what is legal.
"""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.diplomacy.convoys import flood
from playmill.games.diplomacy.geography import (
    ARMY,
    CAN_GO,
    COASTAL,
    GOES_TO,
    KIND,
    NOBODY,
    PROVINCE_COUNT,
    PROVINCE_OF,
    REACHES,
    SEA_BIT,
    SEAS_BY,
)
from playmill.games.diplomacy.orders import HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, pack
from playmill.games.diplomacy.work import gather
from playmill.packs.diplomacy.search.order_work import OPTION_LIMIT


@kernel
def list_options(state, work):
    """Fill the units of a position and their options."""
    units = work.units
    gather(state, units)
    for unit in range(units.count):
        work.options[unit, 0] = pack(HOLD, units.at[unit])
        work.sizes[unit] = 1
        list_moves(work, units, unit)
        list_supports(work, units, unit)
        if units.kind[unit] == ARMY and SEAS_BY[units.province[unit]] & units.fleets:
            list_crossings(work, units, unit)


@kernel
def add_option(work, unit, order):
    """Note an option; beyond the limit it is dropped, which no position of a real game comes near."""
    n = work.sizes[unit]
    if n < OPTION_LIMIT:
        work.options[unit, n] = order
        work.sizes[unit] = n + 1


@kernel
def list_moves(work, units, unit):
    kind, place = units.kind[unit], units.at[unit]
    i = 0
    while GOES_TO[kind, place, i] != NOBODY:
        add_option(work, unit, pack(MOVE, place, 0, GOES_TO[kind, place, i]))
        i += 1


@kernel
def list_supports(work, units, unit):
    """Supports for mates, to stay or to move where no mate stands."""
    kind, place = units.kind[unit], units.at[unit]
    for mate in range(units.count):
        if mate == unit or units.power[mate] != units.power[unit]:
            continue
        if REACHES[kind, place, units.province[mate]]:
            add_option(work, unit, pack(SUPPORT_HOLD, place, units.at[mate]))
        i = 0
        while GOES_TO[units.kind[mate], units.at[mate], i] != NOBODY:
            end = GOES_TO[units.kind[mate], units.at[mate], i]
            if can_help(units, unit, PROVINCE_OF[end]):
                add_option(work, unit, pack(SUPPORT_MOVE, place, units.at[mate], end))
            i += 1


@kernel
def can_help(units, unit, target):
    """Whether the unit could support a mate's move to a province."""
    if target == units.province[unit] or not REACHES[units.kind[unit], units.at[unit], target]:
        return False
    holder = units.unit_at[target]
    return holder == NOBODY or units.power[holder] != units.power[unit]


@kernel
def own_fleets(units, power):
    """The seas with a fleet of the power."""
    seas = 0
    for unit in range(units.count):
        if units.power[unit] == power:
            seas |= SEA_BIT[units.province[unit]] if units.kind[unit] != ARMY else 0
    return seas


@kernel
def list_crossings(work, units, unit):
    """Moves of an army over fleets of its power, to where it can't walk."""
    source = units.province[unit]
    waters = flood(SEAS_BY[source], own_fleets(units, units.power[unit]))
    if waters == 0:
        return
    for target in range(PROVINCE_COUNT):
        if KIND[target] != COASTAL or target == source or SEAS_BY[target] & waters == 0 or CAN_GO[ARMY, source, target]:
            continue
        add_option(work, unit, pack(MOVE, source, 0, target))
