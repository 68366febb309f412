"""A position as numbers: one row of planes for each of the 81 locations, and a few numbers about the whole board.

One view serves all seven powers: the map looks different from everywhere, so a view turned to one power would share nothing
with the others', and RM+ wants the orders of all seven at once. One pass instead of seven is what that gives.

    planes of a location        0- 1  army, fleet                  9-10  dislodged army, fleet     18-24  owner of the centre
                                2- 8  whose unit                  11-17  whose dislodged unit         25  nobody's centre
                                                                                                      26  closed by a stand-off
    numbers about the board     0- 4  phase      5  years since 1901      6-12  centres      13-19  units      20-26  builds

A province's row shows its unit wherever that stands; a coast's row only the fleet that stands on it. What a previous turn's
orders were is not told: positions inside a search have none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.games.diplomacy.adjustments import find_adjustments
from playmill.games.diplomacy.geography import (
    CENTRE_COUNT,
    CENTRES,
    LOCATION_COUNT,
    NOBODY,
    POWER_COUNT,
    PROVINCE_COUNT,
    PROVINCE_OF,
)
from playmill.games.diplomacy.state import FIRST_YEAR, PHASES, TO_WIN, count_units

FEATURE_SCHEMA = 1

KIND_AT, POWER_AT = 0, 2
OUT_KIND_AT, OUT_POWER_AT = 9, 11
OWNER_AT, NEUTRAL_AT, CONTESTED_AT = 18, 25, 26
PLANES = 27

PHASE_AT, YEAR_AT = 0, len(PHASES)
CENTRES_AT = YEAR_AT + 1
UNITS_AT = CENTRES_AT + POWER_COUNT
BUILDS_AT = UNITS_AT + POWER_COUNT
GLOBALS = BUILDS_AT + POWER_COUNT

MAP_PART = LOCATION_COUNT * PLANES  # the planes come first, location by location
WIDTH = MAP_PART + GLOBALS

YEARS = 20.0  # what counts as one in the number of years
ADJUSTMENTS = 3.0  # and in the number of builds


def encode(states: Any, out: np.ndarray | None = None) -> np.ndarray:
    """The positions' features, float32 [positions, WIDTH]; in `out` where that is given."""
    rows = np.empty((len(states), WIDTH), np.float32) if out is None else out
    encode_all(states, rows, np.zeros((3, POWER_COUNT), np.int64))
    return rows


@kernel
def encode_all(states, out, counts):
    """Fill a row for each position; `counts` is int64 [3, 7] to work in."""
    for row in range(states.size):
        out[row] = 0.0
        encode_map(states[row], out[row, :MAP_PART].reshape(LOCATION_COUNT, PLANES))
        encode_board(states[row], out[row, MAP_PART:], counts)


@kernel
def encode_map(state, planes):
    """Fill the locations' planes, which are 0 before."""
    for province in range(PROVINCE_COUNT):
        show_unit(planes, KIND_AT, POWER_AT, state.kind[province], state.power[province], state.at[province])
        show_unit(
            planes, OUT_KIND_AT, OUT_POWER_AT, state.out_kind[province], state.out_power[province], state.out_at[province]
        )
        if state.contested[province]:
            planes[province, CONTESTED_AT] = 1.0
    for i in range(CENTRE_COUNT):
        owner = state.owner[CENTRES[i]]
        planes[CENTRES[i], NEUTRAL_AT if owner == NOBODY else OWNER_AT + owner] = 1.0
    for coast in range(PROVINCE_COUNT, LOCATION_COUNT):
        planes[coast, OWNER_AT:] = planes[PROVINCE_OF[coast], OWNER_AT:]


@kernel
def show_unit(planes, kind_at, power_at, kind, power, place):
    """Mark a unit at its province, and at its coast if it stands on one."""
    if kind == 0:
        return
    for row in (np.int64(place), PROVINCE_OF[place]):
        planes[row, kind_at + kind - 1] = 1.0
        planes[row, power_at + power] = 1.0


@kernel
def encode_board(state, numbers, counts):
    """Fill the numbers about the whole board, which are 0 before."""
    numbers[PHASE_AT + state.phase] = 1.0
    numbers[YEAR_AT] = (state.year - FIRST_YEAR) / YEARS
    count_units(state, counts[1])
    find_adjustments(state, counts[2], counts[0])  # which counts the centres, too
    for power in range(POWER_COUNT):
        numbers[CENTRES_AT + power] = counts[0, power] / TO_WIN
        numbers[UNITS_AT + power] = counts[1, power] / TO_WIN
        numbers[BUILDS_AT + power] = counts[2, power] / ADJUSTMENTS
