"""An order as one number: 32 bits that hold its kind, three locations and the wish to go by convoy.

    bits  0- 3  kind          bits  4-10  the unit's location
    bits 11-17  auxiliary     bits 18-24  target              bit 25  by convoy

What the auxiliary and the target mean depends on the kind:

    HOLD, DISBAND, REMOVE                                 MOVE, RETREAT     target: where to
    SUPPORT_HOLD  auxiliary: who is supported             BUILD             auxiliary: 1 army, 2 fleet
    SUPPORT_MOVE  auxiliary: who, target: where to        WAIVE             location: the power that builds nothing
    CONVOY        auxiliary: which army, target: where to

0 is no order. Kernels trust that a location is on the map, and nothing else.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel

HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY, RETREAT, DISBAND, BUILD, REMOVE, WAIVE = range(1, 11)
NO_ORDER = 0
KIND_BITS, PLACE_BITS = 4, 7
KIND_MASK, PLACE_MASK = (1 << KIND_BITS) - 1, (1 << PLACE_BITS) - 1
AUXILIARY_AT = KIND_BITS + PLACE_BITS
TARGET_AT = AUXILIARY_AT + PLACE_BITS
VIA_AT = TARGET_AT + PLACE_BITS


@kernel
def pack(kind, location, auxiliary=0, target=0, via=0):
    """The order's number; the arguments are as in the table above."""
    # As 64 bits: in plain Python, NumPy would shift a small number within its few bits.
    places = np.int64(location) << KIND_BITS | np.int64(auxiliary) << AUXILIARY_AT | np.int64(target) << TARGET_AT
    return kind | places | via << VIA_AT


@kernel
def kind_of(order):
    return order & KIND_MASK


@kernel
def location_of(order):
    return order >> KIND_BITS & PLACE_MASK


@kernel
def auxiliary_of(order):
    return order >> AUXILIARY_AT & PLACE_MASK


@kernel
def target_of(order):
    return order >> TARGET_AT & PLACE_MASK


@kernel
def via_of(order):
    return order >> VIA_AT & 1
