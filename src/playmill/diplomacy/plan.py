"""The memory in which orders for one position are listed, scored and put together into sets.

Units are numbered as in `WORK`: 0, 1, .. by province, all powers together. An option is an order worth a thought for a unit;
what nobody would order (support for strangers, convoys without an army) is no option, so this is less than what is legal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from playmill.diplomacy.weights import OrderWeights, as_record
from playmill.games.diplomacy.geography import CENTRE_COUNT, POWER_COUNT, PROVINCE_COUNT
from playmill.games.diplomacy.state import UNIT_LIMIT
from playmill.games.diplomacy.work import new_work

OPTION_LIMIT = 128  # of one unit: about 12 moves, 10 supports to hold, 60 to move, and some convoys


class Plan(NamedTuple):
    """A position's units, their options and scores, and the set that is being put together."""

    units: Any  # [1] WORK: who stands where
    weights: Any  # [1] of OrderWeights
    options: np.ndarray  # [unit, option] int32
    sizes: np.ndarray  # [unit] how many options
    scores: np.ndarray  # [unit, option] float64: the heuristic's, or anybody's; larger is better, 1 is a neutral centre
    noisy: np.ndarray  # [unit, option] the scores as they are for the set in hand
    spots: np.ndarray  # [unit, province] what it is worth to stand there, filled for places that the unit can reach
    force: np.ndarray  # [power, province] how many units could go there
    centres: np.ndarray  # [power] int64
    goals: np.ndarray  # [power, centre] what a centre is worth to be near
    prizes: np.ndarray  # [power, centre] what it is worth to be in
    chosen: np.ndarray  # [unit] the order in the set, 0 while undecided
    stays: np.ndarray  # [unit] 1 if a mate relies on it to stay
    taken: np.ndarray  # [province] 1 if a unit of the set moves there
    route: np.ndarray  # [2, unit] fleets: a way of convoy, and who was visited


def new_plan(weights: OrderWeights | None = None) -> Plan:
    """Memory for any position."""
    return Plan(
        units=new_work(),
        weights=as_record(weights or OrderWeights()),
        options=np.zeros((UNIT_LIMIT, OPTION_LIMIT), np.int32),
        sizes=np.zeros(UNIT_LIMIT, np.int64),
        scores=np.zeros((UNIT_LIMIT, OPTION_LIMIT)),
        noisy=np.zeros((UNIT_LIMIT, OPTION_LIMIT)),
        spots=np.zeros((UNIT_LIMIT, PROVINCE_COUNT)),
        force=np.zeros((POWER_COUNT, PROVINCE_COUNT), np.int64),
        centres=np.zeros(POWER_COUNT, np.int64),
        goals=np.zeros((POWER_COUNT, CENTRE_COUNT)),
        prizes=np.zeros((POWER_COUNT, CENTRE_COUNT)),
        chosen=np.zeros(UNIT_LIMIT, np.int32),
        stays=np.zeros(UNIT_LIMIT, np.int64),
        taken=np.zeros(PROVINCE_COUNT, np.int64),
        route=np.zeros((2, UNIT_LIMIT), np.int64),
    )
