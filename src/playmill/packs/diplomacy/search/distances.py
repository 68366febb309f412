"""How far a unit is from each supply centre, as tables that kernels read."""

from __future__ import annotations

import numpy as np

from playmill.games.diplomacy.geography import (
    ARMY,
    CAN_GO,
    CENTRE_COUNT,
    CENTRES,
    COASTAL,
    FLEET,
    KIND,
    LOCATION_COUNT,
    PROVINCE_COUNT,
    PROVINCE_OF,
    SEAS_BY,
)

# What an army's way over one sea counts: a fleet has to be there first, and to give up its own turn.
CROSSING = 3
FAR = 99
NEAR_DECAY = 0.4  # how much less a centre counts with every step


def _army_costs() -> np.ndarray:
    costs = np.where(CAN_GO[ARMY], 1, FAR)
    coasts = np.flatnonzero(KIND == COASTAL)
    for a in coasts:
        for b in coasts:
            if a != b and SEAS_BY[a] & SEAS_BY[b]:
                costs[a, b] = min(costs[a, b], CROSSING)
    return costs


def _shortest(costs: np.ndarray) -> np.ndarray:
    """Steps from locations to provinces; any coast of a province counts as the province."""
    steps = costs.astype(np.int64)
    np.fill_diagonal(steps, 0)
    for middle in range(LOCATION_COUNT):
        steps = np.minimum(steps, steps[:, [middle]] + steps[[middle], :])
    out = np.full((LOCATION_COUNT, PROVINCE_COUNT), FAR, np.int64)
    for place in range(LOCATION_COUNT):
        out[:, PROVINCE_OF[place]] = np.minimum(out[:, PROVINCE_OF[place]], steps[:, place])
    return np.minimum(out, FAR)


# [unit kind, location, province]; kind 0 is nobody and gets nowhere.
STEPS = np.stack(
    [
        np.full((LOCATION_COUNT, PROVINCE_COUNT), FAR, np.int64),
        _shortest(_army_costs()),
        _shortest(np.where(CAN_GO[FLEET], 1, FAR)),
    ]
)
CENTRE_STEPS = np.ascontiguousarray(STEPS[:, :, CENTRES])
NEARNESS = np.where(CENTRE_STEPS < FAR, NEAR_DECAY**CENTRE_STEPS, 0.0)
# A centre's number among the 34, or -1.
CENTRE_NUMBER = np.full(PROVINCE_COUNT, -1, np.int64)
CENTRE_NUMBER[CENTRES] = np.arange(CENTRE_COUNT)
