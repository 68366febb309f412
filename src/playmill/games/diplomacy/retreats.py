"""A retreat phase: all dislodged units leave at once; two for one place are both disbanded, and so is whoever has no order."""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.diplomacy.checks import named_coast
from playmill.games.diplomacy.geography import CAN_GO, GOES_TO, NOBODY, PROVINCE_COUNT, PROVINCE_OF
from playmill.games.diplomacy.orders import DISBAND, RETREAT, kind_of, location_of, target_of
from playmill.games.diplomacy.state import put_unit
from playmill.games.diplomacy.verdicts import (
    ATTACKER_CAME_FROM,
    CANT_REACH,
    CONTESTED,
    DISBANDED,
    ILLEGAL,
    NEEDS_COAST,
    NO_UNIT,
    OCCUPIED,
    SECOND_ORDER,
    SUCCEEDED,
    WRONG_PHASE,
)

PENDING = 0


@kernel
def retreat_end(state, province, order):
    """Where the unit dislodged from `province` would go, coast included; -1 if both coasts can be reached and none is named."""
    return named_coast(state.out_kind[province], state.out_at[province], target_of(order))


@kernel
def check_retreat(state, province, end):
    """Why the unit dislodged from `province` may not go to the location `end`, or 0."""
    if end == NOBODY:
        return NEEDS_COAST
    if not CAN_GO[state.out_kind[province], state.out_at[province], end]:
        return CANT_REACH
    target = PROVINCE_OF[end]
    if state.kind[target] != 0:
        return OCCUPIED
    if state.contested[target]:
        return CONTESTED
    return ATTACKER_CAME_FROM if state.out_from[province] == target else 0


@kernel
def can_retreat(state, province):
    """Whether the unit dislodged from `province` has anywhere to go."""
    i = 0
    while True:
        end = GOES_TO[state.out_kind[province], state.out_at[province], i]
        if end == NOBODY:
            return False
        if check_retreat(state, province, end) == 0:
            return True
        i += 1


@kernel
def anyone_can_retreat(state):
    found = False
    for province in range(PROVINCE_COUNT):
        found = found or (state.out_kind[province] != 0 and can_retreat(state, province))
    return found


@kernel
def check_retreat_order(state, order):
    """Why a retreat phase's order is illegal, or 0."""
    province = PROVINCE_OF[location_of(order)]
    if kind_of(order) not in (RETREAT, DISBAND):
        return WRONG_PHASE
    if state.out_kind[province] == 0:
        return NO_UNIT
    return 0 if kind_of(order) == DISBAND else check_retreat(state, province, retreat_end(state, province, order))


@kernel
def adjudicate_retreats(state, orders, count, work, results):
    """Carry out retreats in `state`. Dislodged units stay noted: the caller forgets them with the phase."""
    work.first[:] = 0  # how many retreat to a province
    work.unit_at[:] = 0  # whether a dislodged unit has its order
    for i in range(count):
        results[i].other = NOBODY
        results[i].source = NOBODY
        results[i].strength = 0
        results[i].against = 0
        read_retreat(state, orders[i], work, results[i])
    for i in range(count):
        if results[i].verdict == PENDING:
            finish_retreat(state, orders, count, i, work, results)


@kernel
def read_retreat(state, order, work, result):
    """Check one order; leave it PENDING if it is a retreat that nobody else may prevent but another retreat."""
    province = PROVINCE_OF[location_of(order)]
    reason = check_retreat_order(state, order)
    if reason != NO_UNIT and reason != WRONG_PHASE and work.unit_at[province]:
        reason = SECOND_ORDER
    if reason != NO_UNIT and reason != WRONG_PHASE:
        work.unit_at[province] = 1
    result.reason = reason
    result.verdict = ILLEGAL if reason else SUCCEEDED
    if reason == 0 and kind_of(order) == RETREAT:
        result.verdict = PENDING
        work.first[PROVINCE_OF[target_of(order)]] += 1


@kernel
def finish_retreat(state, orders, count, i, work, results):
    """Move the unit if it is alone, or disband it and name one of the others."""
    target = PROVINCE_OF[target_of(orders[i])]
    province = PROVINCE_OF[location_of(orders[i])]
    if work.first[target] == 1:
        results[i].verdict = SUCCEEDED
        put_unit(state, state.out_kind[province], state.out_power[province], retreat_end(state, province, orders[i]))
        return
    results[i].verdict = DISBANDED
    for j in range(count):
        same = kind_of(orders[j]) == RETREAT and PROVINCE_OF[target_of(orders[j])] == target
        if j != i and same and results[j].verdict in (PENDING, DISBANDED):
            results[i].other = PROVINCE_OF[location_of(orders[j])]
