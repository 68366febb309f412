"""Whether a movement order can be given at all: a reason of `verdicts.py`, or 0.

Legal means possible with the units that stand on the board, whatever they are ordered. An illegal order is no order: the unit
holds and can be supported as holding (DATC 4.E.1, 6.D.28 to 6.D.32).
"""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.diplomacy.convoys import has_route, is_on_route
from playmill.games.diplomacy.geography import (
    ARMY,
    CAN_GO,
    COASTAL,
    FIRST_COAST,
    FLEET,
    HAS_COASTS,
    KIND,
    NOBODY,
    PROVINCE_OF,
    REACHES,
    SEA_BIT,
)
from playmill.games.diplomacy.orders import (
    CONVOY,
    HOLD,
    MOVE,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    auxiliary_of,
    kind_of,
    target_of,
    via_of,
)
from playmill.games.diplomacy.verdicts import (
    CANT_REACH,
    CONVOYS_TO_NO_COAST,
    NEEDS_COAST,
    NO_ARMY_TO_CONVOY,
    NO_ROUTE,
    NOBODY_TO_SUPPORT,
    NOT_AT_SEA,
    NOT_ON_ROUTE,
    STAYS,
    SUPPORT_OUT_OF_REACH,
    SUPPORTED_CANT_REACH,
    SUPPORTS_AGAINST_ITSELF,
    SUPPORTS_ITSELF,
    WRONG_PHASE,
)
from playmill.games.diplomacy.work import RULES_3


@kernel
def named_coast(kind, place, target):
    """Where a unit of that kind at `place` ends if it goes to `target`.

    An army needs no coast, and one that is named is ignored (DATC 6.B.12). A fleet that can reach just one coast goes there if
    none is named (6.B.2); if it can reach both, -1: the order is illegal.
    """
    province = PROVINCE_OF[target]
    if kind == ARMY:
        return province
    if target != province or not HAS_COASTS[province]:
        return target
    first = FIRST_COAST[province]
    if CAN_GO[FLEET, place, first]:
        return NOBODY if CAN_GO[FLEET, place, first + 1] else first
    return first + 1


@kernel
def can_be_convoyed(source, target, fleets):
    """Whether fleets at sea could carry an army from one province to another, if they all wanted to."""
    return KIND[source] == COASTAL and KIND[target] == COASTAL and source != target and has_route(source, target, fleets)


@kernel
def check_move(work, unit, order, rules):
    kind, place = work.kind[unit], work.at[unit]
    source, target = work.province[unit], PROVINCE_OF[target_of(order)]
    if source == target:
        return STAYS
    end = named_coast(kind, place, target_of(order))
    if end == NOBODY:
        return NEEDS_COAST
    if CAN_GO[kind, place, end]:
        # By 3.x, going by convoy is a part of the order, which thus needs fleets; by 2.x it is a wish.
        if via_of(order) and rules == RULES_3 and not (kind == ARMY and can_be_convoyed(source, target, work.fleets)):
            return NO_ROUTE
        return 0
    if kind == ARMY:
        return 0 if can_be_convoyed(source, target, work.fleets) else NO_ROUTE
    return CANT_REACH


@kernel
def check_support_hold(work, unit, order):
    helped = PROVINCE_OF[auxiliary_of(order)]
    if helped == work.province[unit]:
        return SUPPORTS_ITSELF
    if work.unit_at[helped] == NOBODY:
        return NOBODY_TO_SUPPORT
    return 0 if REACHES[work.kind[unit], work.at[unit], helped] else SUPPORT_OUT_OF_REACH


@kernel
def check_support_move(work, unit, order):
    source, target = PROVINCE_OF[auxiliary_of(order)], PROVINCE_OF[target_of(order)]
    if source == work.province[unit]:
        return SUPPORTS_ITSELF
    if target == work.province[unit]:
        return SUPPORTS_AGAINST_ITSELF
    mate = work.unit_at[source]
    if mate == NOBODY:
        return NOBODY_TO_SUPPORT
    if not REACHES[work.kind[unit], work.at[unit], target]:
        return SUPPORT_OUT_OF_REACH
    kind, place, end = work.kind[mate], work.at[mate], target_of(order)
    if kind == ARMY or end == target:
        reaches = REACHES[kind, place, target]
    else:
        reaches = CAN_GO[kind, place, end]
    if reaches:
        return 0
    # The supporting fleet can't convoy as well, so it is no part of the route (DATC 6.D.31).
    others = work.fleets & ~SEA_BIT[work.province[unit]]
    return 0 if kind == ARMY and can_be_convoyed(source, target, others) else SUPPORTED_CANT_REACH


@kernel
def check_convoy(work, unit, order, rules):
    province = work.province[unit]
    if SEA_BIT[province] == 0:
        return NOT_AT_SEA
    source, target = PROVINCE_OF[auxiliary_of(order)], PROVINCE_OF[target_of(order)]
    mate = work.unit_at[source]
    if mate == NOBODY or work.kind[mate] != ARMY:
        return NO_ARMY_TO_CONVOY
    if KIND[source] != COASTAL or KIND[target] != COASTAL or source == target:
        return CONVOYS_TO_NO_COAST
    if is_on_route(SEA_BIT[province], source, target, work.fleets, rules == RULES_3, work.stack):
        return 0
    return NOT_ON_ROUTE


@kernel
def check_order(work, unit, order, rules):
    """Why this movement order is illegal for the unit, or 0."""
    kind = kind_of(order)
    if kind == HOLD:
        return 0
    if kind == MOVE:
        return check_move(work, unit, order, rules)
    if kind == SUPPORT_HOLD:
        return check_support_hold(work, unit, order)
    if kind == SUPPORT_MOVE:
        return check_support_move(work, unit, order)
    if kind == CONVOY:
        return check_convoy(work, unit, order, rules)
    return WRONG_PHASE
