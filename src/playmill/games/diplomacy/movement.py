"""A movement phase: orders are read, matched with one another, resolved, carried out and reported.

`adjudicate_moves` is the whole of it. Only reading looks at legality, so orders that are known to be legal cost little.
"""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.diplomacy.checks import check_order, named_coast
from playmill.games.diplomacy.convoys import has_route
from playmill.games.diplomacy.geography import ARMY, CAN_GO, NOBODY, PROVINCE_OF, SEA_BIT
from playmill.games.diplomacy.knots import untie
from playmill.games.diplomacy.orders import (
    CONVOY,
    MOVE,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    auxiliary_of,
    kind_of,
    location_of,
    target_of,
    via_of,
)
from playmill.games.diplomacy.resolve import settle
from playmill.games.diplomacy.state import lift_unit, put_dislodged, put_unit
from playmill.games.diplomacy.verdicts import ILLEGAL, NO_UNIT, SECOND_ORDER
from playmill.games.diplomacy.work import RULES_3, gather


@kernel
def resolve_moves(state, orders, count, rules, work, results):
    """Read `count` orders and decide all of them in `work`; illegal ones are marked in `results`, nothing else is written."""
    gather(state, work)
    for i in range(count):
        reason = take_order(work, orders[i], rules)
        results[i].verdict = ILLEGAL if reason else 0
        results[i].reason = reason
    match_convoys(work)
    match_moves(work, rules)
    match_supports(work)
    match_heads(work)
    while not settle(work):
        untie(work)


@kernel
def take_order(work, order, rules):
    """Note a unit's order; return why it is illegal, or 0."""
    unit = work.unit_at[PROVINCE_OF[location_of(order)]]
    if unit == NOBODY:
        return NO_UNIT
    if work.ordered[unit]:
        return SECOND_ORDER
    work.ordered[unit] = 1
    reason = check_order(work, unit, order, rules)
    if reason:
        return reason
    kind = kind_of(order)
    work.order[unit] = kind
    if kind == MOVE:
        work.place[unit] = named_coast(work.kind[unit], work.at[unit], target_of(order))
        work.target[unit] = PROVINCE_OF[work.place[unit]]
        work.via[unit] = via_of(order)
    elif kind in (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY):
        work.mate[unit] = work.unit_at[PROVINCE_OF[auxiliary_of(order)]]
        work.place[unit] = target_of(order) if kind != SUPPORT_HOLD else auxiliary_of(order)
        work.target[unit] = PROVINCE_OF[work.place[unit]]
    return 0


@kernel
def match_convoys(work):
    """Join fleets that convoy with their armies, if those move that way; note what armies are meant to sail."""
    work.meant = 0
    for fleet in range(work.count):
        if work.order[fleet] != CONVOY:
            continue
        army = work.mate[fleet]
        if work.order[army] != MOVE or work.target[army] != work.target[fleet]:
            work.mate[fleet] = NOBODY
            continue
        work.carriers[army] |= SEA_BIT[work.province[fleet]]
        if work.power[army] == work.power[fleet]:
            work.meant |= 1 << army


@kernel
def match_moves(work, rules):
    """List the moves by target, and tell which go by convoy."""
    work.moves = 0
    work.by_sea = 0
    for unit in range(work.count):
        if work.order[unit] != MOVE:
            continue
        bit = 1 << unit
        work.moves |= bit
        if work.kind[unit] == ARMY and goes_by_sea(work, unit, rules):
            work.by_sea |= bit
        work.next[unit] = work.first[work.target[unit]]
        work.first[work.target[unit]] = unit
    work.wins = 0
    work.fails = 0
    work.sails = work.moves & ~work.by_sea
    work.sinks = 0
    work.paradoxes = 0


@kernel
def goes_by_sea(work, army, rules):
    """Whether a move is by convoy: no land way, an order to sail, or a fleet of its own power that shows the intent.

    By 3.x that is final, even where the convoy then fails or was never complete; by 2.x an army with a land way sails only if
    the fleets for a whole route did order it (DATC 4.A.3, 6.G.8).
    """
    if not CAN_GO[ARMY, work.province[army], work.target[army]]:
        return True
    if not (work.via[army] or work.meant >> army & 1):
        return False
    return rules == RULES_3 or has_route(work.province[army], work.target[army], work.carriers[army])


@kernel
def match_supports(work):
    """Give supports to those who do what is supported; the others keep no mate."""
    work.supports = 0
    work.gives = 0
    work.cuts = 0
    for unit in range(work.count):
        kind = work.order[unit]
        if kind not in (SUPPORT_HOLD, SUPPORT_MOVE):
            continue
        mate = work.mate[unit]
        if is_supported(work, unit, mate):
            work.supports |= 1 << unit
            work.supporters[mate] |= 1 << unit
        else:
            work.mate[unit] = NOBODY


@kernel
def is_supported(work, unit, mate):
    """Whether the mate stays, or moves just there: a coast that the support names must be the one (DATC 6.B.9)."""
    if work.order[unit] == SUPPORT_HOLD:
        return work.order[mate] != MOVE
    if work.order[mate] != MOVE or work.target[mate] != work.target[unit]:
        return False
    names_coast = work.place[unit] != work.target[unit]
    return work.kind[mate] == ARMY or not names_coast or work.place[unit] == work.place[mate]


@kernel
def match_heads(work):
    """Find moves that meet head to head: over land, each into the other's province."""
    left = work.sails
    for unit in range(work.count):
        if not left >> unit & 1:
            continue
        other = work.unit_at[work.target[unit]]
        if other != NOBODY and left >> other & 1 and work.target[other] == work.province[unit]:
            work.head[unit] = other


@kernel
def carry_out(state, work):
    """Move the units; return how many were dislodged. Those are noted in the state, and stand-offs if there are any."""
    dislodged = 0
    for unit in range(work.count):
        if work.wins >> unit & 1:
            lift_unit(state, work.province[unit])
    for unit in range(work.count):
        if not work.wins >> unit & 1:
            continue
        target = work.target[unit]
        if state.kind[target] != 0:
            source = NOBODY if work.by_sea >> unit & 1 else work.province[unit]
            put_dislodged(state, state.kind[target], state.power[target], state.at[target], source)
            dislodged += 1
        put_unit(state, work.kind[unit], work.power[unit], work.place[unit])
    if dislodged:
        mark_contested(state, work)
    return dislodged


@kernel
def mark_contested(state, work):
    """Note the provinces that a stand-off left empty.

    A move that failed for want of a convoy, or head to head with a winner, contests nothing.
    """
    for unit in range(work.count):
        target = work.target[unit]
        if not work.fails >> unit & 1 or work.sinks >> unit & 1 or state.kind[target] != 0:
            continue
        head = work.head[unit]
        if head == NOBODY or not work.wins >> head & 1:
            state.contested[target] = 1
