"""A position as one record, and the few kernels that every phase needs.

Per province: `kind` (0 nobody, 1 army, 2 fleet), `power` (0..6, -1 nobody) and `at` (the location, which names a fleet's coast;
-1 nobody) of the unit there; `owner` of a centre (-1 neutral). The `out_` fields hold a dislodged unit that still has to
retreat, and `out_from` the province its attacker came from (-1 if that came by convoy, which bars nothing). `contested` marks
provinces that a stand-off left empty. The last two mean something in retreat phases alone; elsewhere they are empty, so that
equal positions are equal bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.games.diplomacy.geography import (
    ARMY,
    CENTRE_COUNT,
    CENTRES,
    FLEET,
    HOME,
    INDEX,
    NOBODY,
    POWER_COUNT,
    POWERS,
    PROVINCE_COUNT,
    PROVINCE_OF,
    read_map,
)

SPRING_MOVES, SPRING_RETREATS, FALL_MOVES, FALL_RETREATS, BUILDS = range(5)
PHASES = ("sm", "sr", "fm", "fr", "fb")
FIRST_YEAR = 1901
TO_WIN = 18
UNIT_LIMIT = CENTRE_COUNT  # nobody can have more units than there are centres

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("year", "<i2"),
                ("phase", "u1"),
                ("kind", "i1", PROVINCE_COUNT),
                ("power", "i1", PROVINCE_COUNT),
                ("at", "i1", PROVINCE_COUNT),
                ("owner", "i1", PROVINCE_COUNT),
                ("out_kind", "i1", PROVINCE_COUNT),
                ("out_power", "i1", PROVINCE_COUNT),
                ("out_at", "i1", PROVINCE_COUNT),
                ("out_from", "i1", PROVINCE_COUNT),
                ("contested", "i1", PROVINCE_COUNT),
            ]
        ),
    )
)


def new_states(count: int) -> Any:
    """`count` positions of an empty board in spring 1901, nobody's centres."""
    states = np.zeros(count, STATE)
    states["year"] = FIRST_YEAR
    for field in ("power", "at", "owner", "out_power", "out_at", "out_from"):
        states[field] = NOBODY
    return states


def start_states(count: int) -> Any:
    """`count` times the first position of the game."""
    states = new_states(count)
    for power, units in enumerate(read_map()["start"].values()):
        for unit in units:
            letter, _, place = unit.partition(" ")
            put_unit(states[0], ARMY if letter == "A" else FLEET, power, INDEX[place])
    states[0].owner[:] = HOME
    states[1:] = states[0]
    return states


@kernel
def put_unit(state, kind, power, location):
    """Place a unit in its province."""
    province = PROVINCE_OF[location]
    state.kind[province] = kind
    state.power[province] = power
    state.at[province] = location


@kernel
def lift_unit(state, province):
    """Empty a province."""
    state.kind[province] = 0
    state.power[province] = NOBODY
    state.at[province] = NOBODY


@kernel
def put_dislodged(state, kind, power, location, source):
    """Note a unit that must leave the province of `location`, attacked from `source`."""
    province = PROVINCE_OF[location]
    state.out_kind[province] = kind
    state.out_power[province] = power
    state.out_at[province] = location
    state.out_from[province] = source


@kernel
def clear_dislodged(state):
    """Forget dislodged units and stand-offs: the next phase is no retreat."""
    for province in range(PROVINCE_COUNT):
        state.out_kind[province] = 0
        state.out_power[province] = NOBODY
        state.out_at[province] = NOBODY
        state.out_from[province] = NOBODY
        state.contested[province] = 0


@kernel
def count_centres(state, counts):
    """Fill `counts`, one a power."""
    counts[:] = 0
    for i in range(CENTRE_COUNT):
        owner = state.owner[CENTRES[i]]
        if owner != NOBODY:
            counts[owner] += 1


@kernel
def count_units(state, counts):
    """Fill `counts`, one a power; dislodged units are not on the board."""
    counts[:] = 0
    for province in range(PROVINCE_COUNT):
        if state.kind[province] != 0:
            counts[state.power[province]] += 1


@kernel
def winner(state):
    """The power with 18 centres, or -1."""
    for power in range(POWER_COUNT):
        count = 0
        for i in range(CENTRE_COUNT):
            if state.owner[CENTRES[i]] == power:
                count += 1
        if count >= TO_WIN:
            return power
    return NOBODY


@kernel
def take_centres(state):
    """After fall, a centre belongs to whoever stands in it."""
    for i in range(CENTRE_COUNT):
        province = CENTRES[i]
        if state.kind[province] != 0:
            state.owner[province] = state.power[province]


def phase_name(state: Any) -> str:
    """Such as 1901sm."""
    return f"{state.year}{PHASES[state.phase]}"


def power_name(power: int) -> str:
    """Such as Austria."""
    return POWERS[power].capitalize()
