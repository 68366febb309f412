"""How good each option looks by itself: where it leads, what it risks, whom it helps.

A score is in units of a neutral centre that can be had. It knows nothing of what others will really order; searches find out.
"""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.diplomacy.geography import (
    ARMY,
    CAN_GO,
    CENTRE_COUNT,
    CENTRES,
    GOES_TO,
    IS_CENTRE,
    NOBODY,
    POWER_COUNT,
    PROVINCE_OF,
)
from playmill.games.diplomacy.orders import (
    HOLD,
    MOVE,
    SUPPORT_HOLD,
    auxiliary_of,
    kind_of,
    target_of,
)
from playmill.games.diplomacy.state import TO_WIN, count_centres
from playmill.packs.diplomacy.search.distances import CENTRE_NUMBER, NEARNESS

# How likely a move succeeds, by what the strongest rival could send against it.
FREE, STRONGER, EVEN, WEAKER = 1.0, 0.7, 0.45, 0.2
OWN_UNIT_AWAY = 0.6  # a mate stands there and has to go first
USELESS = -1.0


@kernel
def score_options(state, work):
    """Fill the scores of all options of all units."""
    units = work.units
    count_force(work, units)
    set_goals(state, work, units)
    for unit in range(units.count):
        rate_spots(work, units, unit)
    for unit in range(units.count):
        for i in range(work.sizes[unit]):
            work.scores[unit, i] = score_option(state, work, units, unit, work.options[unit, i])


@kernel
def count_force(work, units):
    """Count how many units of each power could go to each province; of two coasts just one counts."""
    work.force[:] = 0
    for unit in range(units.count):
        kind, place, power = units.kind[unit], units.at[unit], units.power[unit]
        i, last = 0, NOBODY
        while GOES_TO[kind, place, i] != NOBODY:
            province = PROVINCE_OF[GOES_TO[kind, place, i]]
            if province != last:
                work.force[power, province] += 1
            last = province
            i += 1


@kernel
def strongest_rival(work, power, province):
    """How many units the most dangerous other power could send to a province."""
    most = 0
    for other in range(POWER_COUNT):
        if other != power and work.force[other, province] > most:
            most = work.force[other, province]
    return most


@kernel
def set_goals(state, work, units):
    """Fill what each centre is worth to each power."""
    count_centres(state, work.centres[:])
    for power in range(POWER_COUNT):
        for i in range(CENTRE_COUNT):
            prize = prize_of(state, work, power, CENTRES[i])
            holder = units.unit_at[CENTRES[i]]
            work.prizes[power, i] = prize
            # Somebody is there already: no need for the others to crowd around it.
            work.goals[power, i] = 0.3 * prize if holder != NOBODY and units.power[holder] == power else prize


@kernel
def prize_of(state, work, power, province):
    weights = work.weights
    owner = state.owner[province]
    if owner == NOBODY:
        return 1.0
    if owner != power:
        return weights.enemy + weights.leader * work.centres[owner] / TO_WIN
    if state.kind[province] != 0 and state.power[province] != power:
        return weights.retake
    return weights.defend * min(1.0, 0.5 * strongest_rival(work, power, province))


@kernel
def spot_value(work, power, kind, place):
    """What it is worth to a power to have a unit there: the centres around, and more for standing in one."""
    nearness, goals = NEARNESS[kind, place], work.goals[power]
    value = 0.0
    for i in range(CENTRE_COUNT):
        value += nearness[i] * goals[i]
    centre = CENTRE_NUMBER[PROVINCE_OF[place]]
    if centre >= 0:
        value += work.weights.arrive * work.prizes[power, centre]
    return value


@kernel
def rate_spots(work, units, unit):
    """Fill what the unit's own place and all places of its moves are worth."""
    kind, power = units.kind[unit], units.power[unit]
    work.spots[unit, units.province[unit]] = spot_value(work, power, kind, units.at[unit])
    for i in range(work.sizes[unit]):
        order = work.options[unit, i]
        if kind_of(order) == MOVE:
            work.spots[unit, PROVINCE_OF[target_of(order)]] = spot_value(work, power, kind, target_of(order))


@kernel
def chance(work, units, power, target, helpers):
    """How likely a move to a province succeeds if up to `helpers` mates could support it."""
    rival = strongest_rival(work, power, target)
    holder = units.unit_at[target]
    if holder != NOBODY:
        if units.power[holder] == power:
            return OWN_UNIT_AWAY
        rival += 1
    if rival == 0:
        return FREE
    own = 1 + helpers
    return STRONGER if own > rival else EVEN if own == rival else WEAKER


@kernel
def score_option(state, work, units, unit, order):
    kind, source = kind_of(order), units.province[unit]
    here = work.spots[unit, source]
    if kind == HOLD:
        return here
    if kind == MOVE:
        return score_move(state, work, units, unit, order)
    if kind == SUPPORT_HOLD:
        mate = units.unit_at[PROVINCE_OF[auxiliary_of(order)]]
        return here + score_guard(work, units, mate)
    return here + score_help(work, units, order)


@kernel
def score_move(state, work, units, unit, order):
    """What the target is worth as far as it is likely reached, less what is left unguarded."""
    weights, power = work.weights, units.power[unit]
    source, target = units.province[unit], PROVINCE_OF[target_of(order)]
    helpers = max(work.force[power, target] - 1, 0)
    hope = chance(work, units, power, target, helpers)
    score = hope * work.spots[unit, target] + (1.0 - hope) * work.spots[unit, source]
    if IS_CENTRE[source] and state.owner[source] == power and strongest_rival(work, power, source) > 0:
        score -= weights.leave
    if units.kind[unit] == ARMY and not CAN_GO[ARMY, source, target]:
        score -= weights.convoy
    return score


@kernel
def score_guard(work, units, mate):
    """What it is worth to help a unit stay: something where two rivals could come, a little where one could."""
    danger = strongest_rival(work, units.power[mate], units.province[mate])
    if danger == 0:
        return USELESS
    centre = CENTRE_NUMBER[units.province[mate]]
    prize = work.prizes[units.power[mate], centre] if centre >= 0 else 0.2
    return work.weights.guard * prize * (1.0 if danger > 1 else 0.3)


@kernel
def score_help(work, units, order):
    """What it is worth to support a mate's move: its gain, by how much likelier the help makes it."""
    source, target = PROVINCE_OF[auxiliary_of(order)], PROVINCE_OF[target_of(order)]
    mate = units.unit_at[source]
    gain = work.spots[mate, target] - work.spots[mate, source]
    power = units.power[mate]
    better = chance(work, units, power, target, 1) - chance(work, units, power, target, 0)
    if better <= 0 or gain <= 0:
        return USELESS
    return work.weights.support * better * gain
