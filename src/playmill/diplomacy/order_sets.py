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
def begin_set(plan, power):
    """Forget the set in hand."""
    units = plan.units[0]
    for unit in range(units.count):
        if units.power[unit] == power:
            plan.chosen[unit] = NO_ORDER
            plan.stays[unit] = 0
    plan.taken[:] = 0


@kernel
def finish_set(plan, power, out):
    """Choose for all units that are undecided, the pickiest first; repair; write the set to `out`. Return its size."""
    units = plan.units[0]
    while True:
        unit = next_unit(plan, units, power)
        if unit == NOBODY:
            break
        choose_best(plan, units, unit)
    repair_set(plan, units, power)
    return write_set(plan, units, power, out)


@kernel
def write_set(plan, units, power, out):
    """Copy the orders of a power's units to `out`, by province; return how many."""
    n = 0
    for unit in range(units.count):
        if units.power[unit] == power:
            out[n] = plan.chosen[unit]
            n += 1
    return n


@kernel
def next_unit(plan, units, power):
    """The undecided unit that loses most if a mate takes the place it wants, or -1."""
    best, best_loss = NOBODY, -1.0
    for unit in range(units.count):
        if units.power[unit] != power or plan.chosen[unit] != NO_ORDER:
            continue
        loss = loss_of(plan, units, unit)
        if loss > best_loss:
            best, best_loss = unit, loss
    return best


@kernel
def loss_of(plan, units, unit):
    """How much better the unit's best place is than its second; places that mates go to are out of question already."""
    first, second, place = NOT_NOW, NOT_NOW, NOBODY
    for i in range(plan.sizes[unit]):
        order, score = plan.options[unit, i], plan.noisy[unit, i]
        end = PROVINCE_OF[target_of(order)] if kind_of(order) == MOVE else units.province[unit]
        if kind_of(order) == MOVE and plan.taken[end]:
            continue
        if end == place:
            first = max(first, score)
        elif score > first:
            first, second, place = score, first, end
        elif score > second:
            second = score
    return first - second


@kernel
def choose_best(plan, units, unit):
    """Give the unit the best order that fits the set so far; holding always does."""
    best, best_score = plan.options[unit, 0], NOT_NOW
    wanted = plan.taken[units.province[unit]] != 0
    for i in range(plan.sizes[unit]):
        order = plan.options[unit, i]
        score = plan.noisy[unit, i]
        if wanted and kind_of(order) != MOVE:
            score -= plan.weights[0].blocked
        if score > best_score and fits(plan, units, unit, order):
            best, best_score = order, score
    take(plan, units, unit, best)


@kernel
def fits(plan, units, unit, order):
    """Whether the order goes together with what was chosen so far."""
    kind = kind_of(order)
    if kind == HOLD:
        return True
    if kind == MOVE:
        return move_fits(plan, units, unit, order)
    mate = units.unit_at[PROVINCE_OF[auxiliary_of(order)]]
    done = plan.chosen[mate]
    if kind == SUPPORT_HOLD:
        return done == NO_ORDER or kind_of(done) != MOVE
    wish = supported_move(units, mate, order)
    return done == wish if done != NO_ORDER else move_fits(plan, units, mate, wish)


@kernel
def supported_move(units, mate, order):
    """The order that a support is for."""
    return pack(MOVE, units.at[mate], 0, target_of(order))


@kernel
def move_fits(plan, units, unit, order):
    source, target = units.province[unit], PROVINCE_OF[target_of(order)]
    if plan.stays[unit] or plan.taken[target]:
        return False
    holder = units.unit_at[target]
    if holder != NOBODY and units.power[holder] == units.power[unit]:
        done = plan.chosen[holder]
        if plan.stays[holder] or (done != NO_ORDER and (kind_of(done) != MOVE or PROVINCE_OF[target_of(done)] == source)):
            return False
    if is_crossing(units, unit, target):
        return find_route(plan, units, unit, target) > 0
    return True


@kernel
def is_crossing(units, unit, target):
    """Whether the unit is an army that can't walk there."""
    return units.kind[unit] == ARMY and not CAN_GO[ARMY, units.province[unit], target]


@kernel
def take(plan, units, unit, order):
    """Put an order into the set, with the orders that it needs."""
    plan.chosen[unit] = order
    kind = kind_of(order)
    if kind == MOVE:
        take_move(plan, units, unit, order)
    elif kind in (SUPPORT_HOLD, SUPPORT_MOVE):
        mate = units.unit_at[PROVINCE_OF[auxiliary_of(order)]]
        if kind == SUPPORT_HOLD:
            plan.stays[mate] = 1
        elif plan.chosen[mate] == NO_ORDER:
            plan.chosen[mate] = supported_move(units, mate, order)
            take_move(plan, units, mate, plan.chosen[mate])


@kernel
def take_move(plan, units, unit, order):
    target = PROVINCE_OF[target_of(order)]
    plan.taken[target] = 1
    if is_crossing(units, unit, target):
        for i in range(find_route(plan, units, unit, target)):
            fleet = plan.route[0, i]
            plan.chosen[fleet] = pack(CONVOY, units.at[fleet], units.province[unit], target)


@kernel
def find_route(plan, units, army, target):
    """Fill the route with the fewest undecided fleets of the army's power; return how many, 0 if there is none.

    Breadth first from the target's shore, so that following the parents leads there from the army.
    """
    parent, queue = plan.route[1], plan.route[0]
    source, power = units.province[army], units.power[army]
    first, last = 0, 0
    for fleet in range(units.count):
        parent[fleet] = NOBODY - 1
        if is_free_fleet(plan, units, fleet, power) and SEA_BIT[units.province[fleet]] & SEAS_BY[target]:
            parent[fleet] = NOBODY
            queue[last] = fleet
            last += 1
    while first < last:
        fleet = queue[first]
        first += 1
        if SEA_BIT[units.province[fleet]] & SEAS_BY[source]:
            return follow(plan, fleet)
        around = SEA_NEIGHBOURS[SEA_NUMBER[units.province[fleet]]]
        for other in range(units.count):
            near = SEA_BIT[units.province[other]] & around
            if near and parent[other] == NOBODY - 1 and is_free_fleet(plan, units, other, power):
                parent[other] = fleet
                queue[last] = other
                last += 1
    return 0


@kernel
def follow(plan, fleet):
    """Write the way from `fleet` along its parents over the queue, which is no longer needed."""
    n = 0
    while fleet != NOBODY:
        plan.route[0, n] = fleet
        fleet = plan.route[1, fleet]
        n += 1
    return n


@kernel
def is_free_fleet(plan, units, fleet, power):
    """Whether the unit is a fleet at sea of the power, and undecided."""
    return units.power[fleet] == power and SEA_BIT[units.province[fleet]] != 0 and plan.chosen[fleet] == NO_ORDER


# ------------------------------------------------------------------ repair


@kernel
def repair_set(plan, units, power):
    """Turn orders that don't fit into holds until all fit. Each turn makes one more unit stay, so this ends."""
    changed = True
    while changed:
        changed = False
        for unit in range(units.count):
            if units.power[unit] == power and is_misfit(plan, units, unit):
                plan.chosen[unit] = pack(HOLD, units.at[unit])
                changed = True


@kernel
def is_misfit(plan, units, unit):
    """Whether the unit's order relies on something that isn't in the set."""
    order = plan.chosen[unit]
    kind = kind_of(order)
    if kind == HOLD:
        return False
    if kind == MOVE:
        return is_blocked(plan, units, unit, order)
    mate = units.unit_at[PROVINCE_OF[auxiliary_of(order)]]
    done = plan.chosen[mate]
    if kind == SUPPORT_HOLD:
        return kind_of(done) == MOVE
    return kind_of(done) != MOVE or target_of(done) != target_of(order)


@kernel
def is_blocked(plan, units, unit, order):
    """Whether a mate stays where the unit goes or comes the other way, or a convoy misses a fleet."""
    source, target = units.province[unit], PROVINCE_OF[target_of(order)]
    holder = units.unit_at[target]
    if holder != NOBODY and units.power[holder] == units.power[unit]:
        done = plan.chosen[holder]
        if kind_of(done) != MOVE or PROVINCE_OF[target_of(done)] == source:
            return True
    if not is_crossing(units, unit, target):
        return False
    return not is_carried(plan, units, unit, target)


@kernel
def is_carried(plan, units, army, target):
    """Whether fleets of the set convoy the army all the way."""
    seas = 0
    for fleet in range(units.count):
        order = plan.chosen[fleet]
        same = units.power[fleet] == units.power[army] and kind_of(order) == CONVOY
        if same and auxiliary_of(order) == units.province[army] and target_of(order) == target:
            seas |= SEA_BIT[units.province[fleet]]
    return has_route(units.province[army], target, seas)
