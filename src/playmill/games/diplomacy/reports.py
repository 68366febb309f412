"""Why each movement order ended as it did, told after all is decided."""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.diplomacy.convoys import has_route
from playmill.games.diplomacy.geography import NOBODY, PROVINCE_OF, SEAS
from playmill.games.diplomacy.orders import CONVOY, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, location_of
from playmill.games.diplomacy.resolve import attack_range, hold_range, movers_to, prevent_range
from playmill.games.diplomacy.verdicts import (
    BOUNCED,
    CONVOY_BROKEN,
    CUT,
    DISLODGED,
    ILLEGAL,
    NO_CONVOY,
    PARADOX,
    SECOND_ORDER,
    SUCCEEDED,
    VOID,
)
from playmill.games.diplomacy.work import lowest


@kernel
def report_moves(orders, count, work, results):
    """Fill one result an order; which are illegal is already in them."""
    for i in range(count):
        result = results[i]
        result.other = NOBODY
        result.source = NOBODY
        result.strength = 0
        result.against = 0
        unit = work.unit_at[PROVINCE_OF[location_of(orders[i])]]
        if unit == NOBODY or result.reason == SECOND_ORDER:
            continue
        if result.verdict != ILLEGAL:
            report_order(work, unit, result)
        if not work.wins >> unit & 1:
            winners = movers_to(work, work.province[unit]) & work.wins
            if winners:
                result.source = work.province[lowest(winners)]
                if result.verdict == SUCCEEDED:
                    result.verdict = DISLODGED


@kernel
def report_order(work, unit, result):
    """The verdict on a unit's order."""
    kind = work.order[unit]
    result.verdict = SUCCEEDED
    if kind == MOVE:
        if not work.wins >> unit & 1 and not report_no_passage(work, unit, result):
            result.verdict = BOUNCED
            report_bounce(work, unit, result)
    elif kind in (SUPPORT_HOLD, SUPPORT_MOVE):
        if work.mate[unit] == NOBODY:
            result.verdict = VOID
        elif work.cuts >> unit & 1:
            result.verdict = CUT
            result.other = cut_by(work, unit)
    elif kind == CONVOY:
        if work.mate[unit] == NOBODY or not work.by_sea >> work.mate[unit] & 1:
            result.verdict = VOID  # the army was ordered elsewhere, or went over land
        else:
            report_no_passage(work, work.mate[unit], result)


@kernel
def cut_by(work, unit):
    """The province from which the support was cut: of an attacker from elsewhere, or else of the one that dislodged it."""
    found = NOBODY
    attacker = work.first[work.province[unit]]
    while attacker != NOBODY:
        if work.power[attacker] != work.power[unit] and work.sails >> attacker & 1:
            elsewhere = work.province[attacker] != work.target[unit]
            if work.wins >> attacker & 1 or (elsewhere and found == NOBODY):
                found = work.province[attacker]
        attacker = work.next[attacker]
    return found


@kernel
def report_no_passage(work, unit, result):
    """Whether the army did not even get to its target by sea; then the verdict on it, or on a fleet of its convoy."""
    if work.paradoxes >> unit & 1:
        result.verdict = PARADOX
        return True
    if work.sinks >> unit & 1:
        report_failed_convoy(work, unit, result)
        return True
    return False


@kernel
def report_failed_convoy(work, unit, result):
    """Either the fleets did not order it, or one was dislodged: then by whom."""
    result.verdict = NO_CONVOY
    carriers = work.carriers[unit]
    if not has_route(work.province[unit], work.target[unit], carriers):
        return
    result.verdict = CONVOY_BROKEN
    while carriers:
        bit = carriers & -carriers
        carriers ^= bit
        winners = movers_to(work, SEAS[lowest(bit)]) & work.wins
        if winners:
            result.other = work.province[lowest(winners)]


@kernel
def report_bounce(work, unit, result):
    """The strongest of those that stopped the move: the unit in the target first, then the others that moved there."""
    result.strength = attack_range(work, unit)[0]
    result.against = hold_range(work, unit)[0]
    if result.against >= result.strength:
        result.other = work.target[unit]
    rival = work.first[work.target[unit]]
    while rival != NOBODY:
        against = prevent_range(work, rival)[0]
        stronger = against > result.against or (result.other == NOBODY and against >= result.strength)
        if rival != unit and against >= result.strength and stronger:
            result.against = against
            result.other = work.province[rival]
        rival = work.next[rival]
