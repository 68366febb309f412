"""Sets of orders that fit together: one order for each unit of a power.

In a set nobody supports or convoys what the mate doesn't do, no two units go to one province, and nobody goes where a mate
stays. A set grows unit by unit; a support or a convoy brings the orders along that it needs. What turns out not to fit in the
end (a mate that was expected to leave and stays) is repaired into a hold.
"""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.diplomacy.convoys import has_route
from playmill.games.diplomacy.geography import (
    ARMY,
    CAN_GO,
    NOBODY,
    PROVINCE_OF,
    SEA_BIT,
    SEA_NEIGHBOURS,
    SEA_NUMBER,
    SEAS_BY,
)
from playmill.games.diplomacy.orders import (
    CONVOY,
    HOLD,
    MOVE,
    NO_ORDER,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    auxiliary_of,
    kind_of,
    pack,
    target_of,
)

NOT_NOW = -1e9


@kernel
def begin_set(work, power):
    """Forget the set in hand."""
    units = work.units
    for unit in range(units.count):
        if units.power[unit] == power:
            work.chosen[unit] = NO_ORDER
            work.stays[unit] = 0
    work.taken[:] = 0


@kernel
def finish_set(work, power, out):
    """Choose for all units that are undecided, the pickiest first; repair; write the set to `out`. Return its size."""
    units = work.units
    while True:
        unit = next_unit(work, units, power)
        if unit == NOBODY:
            break
        choose_best(work, units, unit)
    repair_set(work, units, power)
    return write_set(work, units, power, out)


@kernel
def write_set(work, units, power, out):
    """Copy the orders of a power's units to `out`, by province; return how many."""
    n = 0
    for unit in range(units.count):
        if units.power[unit] == power:
            out[n] = work.chosen[unit]
            n += 1
    return n


@kernel
def next_unit(work, units, power):
    """The undecided unit that loses most if a mate takes the place it wants, or -1."""
    best, best_loss = NOBODY, -1.0
    for unit in range(units.count):
        if units.power[unit] != power or work.chosen[unit] != NO_ORDER:
            continue
        loss = loss_of(work, units, unit)
        if loss > best_loss:
            best, best_loss = unit, loss
    return best


@kernel
def loss_of(work, units, unit):
    """How much better the unit's best place is than its second; places that mates go to are out of question already."""
    first, second, place = NOT_NOW, NOT_NOW, NOBODY
    for i in range(work.sizes[unit]):
        order, score = work.options[unit, i], work.noisy[unit, i]
        end = PROVINCE_OF[target_of(order)] if kind_of(order) == MOVE else units.province[unit]
        if kind_of(order) == MOVE and work.taken[end]:
            continue
        if end == place:
            first = max(first, score)
        elif score > first:
            first, second, place = score, first, end
        elif score > second:
            second = score
    return first - second


@kernel
def choose_best(work, units, unit):
    """Give the unit the best order that fits the set so far; holding always does."""
    best, best_score = work.options[unit, 0], NOT_NOW
    wanted = work.taken[units.province[unit]] != 0
    for i in range(work.sizes[unit]):
        order = work.options[unit, i]
        score = work.noisy[unit, i]
        if wanted and kind_of(order) != MOVE:
            score -= work.weights.blocked
        if score > best_score and fits(work, units, unit, order):
            best, best_score = order, score
    take(work, units, unit, best)


@kernel
def fits(work, units, unit, order):
    """Whether the order goes together with what was chosen so far."""
    kind = kind_of(order)
    if kind == HOLD:
        return True
    if kind == MOVE:
        return move_fits(work, units, unit, order)
    mate = units.unit_at[PROVINCE_OF[auxiliary_of(order)]]
    done = work.chosen[mate]
    if kind == SUPPORT_HOLD:
        return done == NO_ORDER or kind_of(done) != MOVE
    wish = supported_move(units, mate, order)
    return done == wish if done != NO_ORDER else move_fits(work, units, mate, wish)


@kernel
def supported_move(units, mate, order):
    """The order that a support is for."""
    return pack(MOVE, units.at[mate], 0, target_of(order))


@kernel
def move_fits(work, units, unit, order):
    source, target = units.province[unit], PROVINCE_OF[target_of(order)]
    if work.stays[unit] or work.taken[target]:
        return False
    holder = units.unit_at[target]
    if holder != NOBODY and units.power[holder] == units.power[unit]:
        done = work.chosen[holder]
        if work.stays[holder] or (done != NO_ORDER and (kind_of(done) != MOVE or PROVINCE_OF[target_of(done)] == source)):
            return False
    if is_crossing(units, unit, target):
        return find_route(work, units, unit, target) > 0
    return True


@kernel
def is_crossing(units, unit, target):
    """Whether the unit is an army that can't walk there."""
    return units.kind[unit] == ARMY and not CAN_GO[ARMY, units.province[unit], target]


@kernel
def take(work, units, unit, order):
    """Put an order into the set, with the orders that it needs."""
    work.chosen[unit] = order
    kind = kind_of(order)
    if kind == MOVE:
        take_move(work, units, unit, order)
    elif kind in (SUPPORT_HOLD, SUPPORT_MOVE):
        mate = units.unit_at[PROVINCE_OF[auxiliary_of(order)]]
        if kind == SUPPORT_HOLD:
            work.stays[mate] = 1
        elif work.chosen[mate] == NO_ORDER:
            work.chosen[mate] = supported_move(units, mate, order)
            take_move(work, units, mate, work.chosen[mate])


@kernel
def take_move(work, units, unit, order):
    target = PROVINCE_OF[target_of(order)]
    work.taken[target] = 1
    if is_crossing(units, unit, target):
        for i in range(find_route(work, units, unit, target)):
            fleet = work.route[0, i]
            work.chosen[fleet] = pack(CONVOY, units.at[fleet], units.province[unit], target)


@kernel
def find_route(work, units, army, target):
    """Fill the route with the fewest undecided fleets of the army's power; return how many, 0 if there is none.

    Breadth first from the target's shore, so that following the parents leads there from the army.
    """
    parent, queue = work.route[1], work.route[0]
    source, power = units.province[army], units.power[army]
    first, last = 0, 0
    for fleet in range(units.count):
        parent[fleet] = NOBODY - 1
        if is_free_fleet(work, units, fleet, power) and SEA_BIT[units.province[fleet]] & SEAS_BY[target]:
            parent[fleet] = NOBODY
            queue[last] = fleet
            last += 1
    while first < last:
        fleet = queue[first]
        first += 1
        if SEA_BIT[units.province[fleet]] & SEAS_BY[source]:
            return follow(work, fleet)
        around = SEA_NEIGHBOURS[SEA_NUMBER[units.province[fleet]]]
        for other in range(units.count):
            near = SEA_BIT[units.province[other]] & around
            if near and parent[other] == NOBODY - 1 and is_free_fleet(work, units, other, power):
                parent[other] = fleet
                queue[last] = other
                last += 1
    return 0


@kernel
def follow(work, fleet):
    """Write the way from `fleet` along its parents over the queue, which is no longer needed."""
    n = 0
    while fleet != NOBODY:
        work.route[0, n] = fleet
        fleet = work.route[1, fleet]
        n += 1
    return n


@kernel
def is_free_fleet(work, units, fleet, power):
    """Whether the unit is a fleet at sea of the power, and undecided."""
    return units.power[fleet] == power and SEA_BIT[units.province[fleet]] != 0 and work.chosen[fleet] == NO_ORDER


# ------------------------------------------------------------------ repair


@kernel
def repair_set(work, units, power):
    """Turn orders that don't fit into holds until all fit. Each turn makes one more unit stay, so this ends."""
    changed = True
    while changed:
        changed = False
        for unit in range(units.count):
            if units.power[unit] == power and is_misfit(work, units, unit):
                work.chosen[unit] = pack(HOLD, units.at[unit])
                changed = True


@kernel
def is_misfit(work, units, unit):
    """Whether the unit's order relies on something that isn't in the set."""
    order = work.chosen[unit]
    kind = kind_of(order)
    if kind == HOLD:
        return False
    if kind == MOVE:
        return is_blocked(work, units, unit, order)
    mate = units.unit_at[PROVINCE_OF[auxiliary_of(order)]]
    done = work.chosen[mate]
    if kind == SUPPORT_HOLD:
        return kind_of(done) == MOVE
    return kind_of(done) != MOVE or target_of(done) != target_of(order)


@kernel
def is_blocked(work, units, unit, order):
    """Whether a mate stays where the unit goes or comes the other way, or a convoy misses a fleet."""
    source, target = units.province[unit], PROVINCE_OF[target_of(order)]
    holder = units.unit_at[target]
    if holder != NOBODY and units.power[holder] == units.power[unit]:
        done = work.chosen[holder]
        if kind_of(done) != MOVE or PROVINCE_OF[target_of(done)] == source:
            return True
    if not is_crossing(units, unit, target):
        return False
    return not is_carried(work, units, unit, target)


@kernel
def is_carried(work, units, army, target):
    """Whether fleets of the set convoy the army all the way."""
    seas = 0
    for fleet in range(units.count):
        order = work.chosen[fleet]
        same = units.power[fleet] == units.power[army] and kind_of(order) == CONVOY
        if same and auxiliary_of(order) == units.province[army] and target_of(order) == target:
            seas |= SEA_BIT[units.province[fleet]]
    return has_route(units.province[army], target, seas)
