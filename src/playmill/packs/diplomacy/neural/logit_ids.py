"""Where the score of an order stands in the network's answer.

The answer to a position is one flat row: tables over pairs of locations, then for each location a few numbers by kind of order.
The score of an order is the sum of at most four of them, so that any legal order has one:

    HOLD, DISBAND, REMOVE, WAIVE   kind
    MOVE                           kind (another one by convoy), MOVES[unit, target]
    RETREAT                        kind, RETREATS[unit, target]
    SUPPORT_HOLD                   kind, STAYS[unit, supported]
    SUPPORT_MOVE                   kind, HELPS[unit, supported], AIMS[unit, target], BACKED[supported, target]
    CONVOY                         kind, CARRIES[unit, army], SAILS[army, target]
    BUILD                          kind (another one for a fleet)

A waive names no place; its number stands at the home centre whose orders it is listed among. A sum that needs fewer numbers
takes the last logit, which is always 0, for the rest.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.diplomacy.geography import FLEET, LOCATION_COUNT
from playmill.games.diplomacy.orders import (
    BUILD,
    CONVOY,
    MOVE,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    WAIVE,
    auxiliary_of,
    kind_of,
    location_of,
    target_of,
    via_of,
)

ACTION_SPACE = "diplomacy-slots-1"  # in files; of the time when logits were called so

TABLES = ("moves", "retreats", "stays", "helps", "aims", "backed", "carries", "sails")
MOVES, RETREATS, STAYS, HELPS, AIMS, BACKED, CARRIES, SAILS = range(len(TABLES))
BY_CONVOY, BUILD_FLEET = WAIVE + 1, WAIVE + 2
KINDS = BUILD_FLEET + 1  # the kinds of `orders.py`, of which 0 is none, and the two above

PAIRS = LOCATION_COUNT * LOCATION_COUNT
KINDS_AT = len(TABLES) * PAIRS
NOTHING = KINDS_AT + LOCATION_COUNT * KINDS
LOGITS = NOTHING + 1
PARTS = 4


@kernel
def pair(table, first, second):
    return table * PAIRS + first * LOCATION_COUNT + second


@kernel
def kind_logit_id(order, place):
    """The number for the order's kind, at its unit or home centre."""
    kind = kind_of(order)
    if kind == MOVE and via_of(order):
        kind = BY_CONVOY
    elif kind == BUILD and auxiliary_of(order) == FLEET:
        kind = BUILD_FLEET
    return KINDS_AT + place * KINDS + kind


@kernel
def fill_logit_ids(order, province, out):
    """Fill `out` [PARTS] with the numbers of the logits whose sum is the order's score; `province` is that of its group."""
    kind, target, mate = kind_of(order), target_of(order), auxiliary_of(order)
    place = province if kind == WAIVE else location_of(order)
    out[0] = kind_logit_id(order, place)
    out[1:] = NOTHING
    if kind == MOVE:
        out[1] = pair(MOVES, place, target)
    elif kind == RETREAT:
        out[1] = pair(RETREATS, place, target)
    elif kind == SUPPORT_HOLD:
        out[1] = pair(STAYS, place, mate)
    elif kind == SUPPORT_MOVE:
        out[1] = pair(HELPS, place, mate)
        out[2] = pair(AIMS, place, target)
        out[3] = pair(BACKED, mate, target)
    elif kind == CONVOY:
        out[1] = pair(CARRIES, place, mate)
        out[2] = pair(SAILS, mate, target)


@kernel
def score_order(answer, order, province):
    """The order's score out of one answer, float [LOGITS]."""
    logit_ids = np.empty(PARTS, np.int64)
    fill_logit_ids(order, province, logit_ids)
    total = 0.0
    for i in range(PARTS):
        total += answer[logit_ids[i]]
    return total
