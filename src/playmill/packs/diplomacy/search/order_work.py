"""The memory in which orders for one position are listed, scored and put together into sets.

Units are numbered as in `WORK`: 0, 1, .. by province, all powers together. An option is an order worth a thought for a unit;
what nobody would order (support for strangers, convoys without an army) is no option, so this is less than what is legal.
"""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np

from playmill.core.records import record_of
from playmill.games.diplomacy.geography import CENTRE_COUNT, POWER_COUNT, PROVINCE_COUNT
from playmill.games.diplomacy.state import UNIT_LIMIT
from playmill.games.diplomacy.work import WORK
from playmill.packs.diplomacy.search.weights import ORDER_WEIGHTS, OrderWeights

OPTION_LIMIT = 128  # of one unit: about 12 moves, 10 supports to hold, 60 to move, and some convoys

ORDER_WORK = record_of(
    ("units", WORK),  # who stands where
    ("weights", ORDER_WEIGHTS),
    ("options", "i4", (UNIT_LIMIT, OPTION_LIMIT)),
    ("sizes", "i8", UNIT_LIMIT),  # how many options a unit has
    ("scores", "f8", (UNIT_LIMIT, OPTION_LIMIT)),  # the heuristic's, or anybody's; larger is better, 1 is a neutral centre
    ("noisy", "f8", (UNIT_LIMIT, OPTION_LIMIT)),  # the scores as they are for the set in hand
    ("spots", "f8", (UNIT_LIMIT, PROVINCE_COUNT)),  # what it is worth to stand there, filled for places that the unit can reach
    ("force", "i8", (POWER_COUNT, PROVINCE_COUNT)),  # how many units of a power could go there
    ("centres", "i8", POWER_COUNT),
    ("goals", "f8", (POWER_COUNT, CENTRE_COUNT)),  # what a centre is worth to be near
    ("prizes", "f8", (POWER_COUNT, CENTRE_COUNT)),  # what it is worth to be in
    ("chosen", "i4", UNIT_LIMIT),  # the order in the set, 0 while undecided
    ("stays", "i8", UNIT_LIMIT),  # 1 if a mate relies on it to stay
    ("taken", "i8", PROVINCE_COUNT),  # 1 if a unit of the set moves there
    ("route", "i8", (2, UNIT_LIMIT)),  # fleets: a way of convoy, and who was visited
)


def new_order_work(weights: OrderWeights | None = None) -> Any:
    """An ORDER_WORK record, for any position."""
    work = np.zeros(1, ORDER_WORK)[0]
    work.weights = astuple(weights or OrderWeights())
    return work
