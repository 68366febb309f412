"""Positions and checks that the tests of Diplomacy search share."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from playmill.core.seeds import mix
from playmill.games.diplomacy.geography import PROVINCE_OF
from playmill.games.diplomacy.legal import MAX_GROUPS, MAX_ORDERS, legal_orders, new_lists
from playmill.games.diplomacy.orders import (
    CONVOY,
    MOVE,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    auxiliary_of,
    kind_of,
    location_of,
    target_of,
)
from playmill.games.diplomacy.state import start_states
from playmill.games.diplomacy.work import RULES_3
from playmill.packs.diplomacy.players.matches import DiplomacyMatch
from playmill.packs.diplomacy.players.player import make_player
from playmill.packs.diplomacy.search.heuristics import is_movement

HELPING = (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY)


@functools.cache
def positions(kind: str = "heuristic", seed: int = 0, last_year: int = 1906) -> list[Any]:
    """All positions of a game between equal players, as arrays of one record."""
    states, found = start_states(1), []
    match, seats = DiplomacyMatch(RULES_3), [make_player(kind)] * 7
    phase = 0
    while int(states[0].year) <= last_year:
        found.append(states.copy())
        match.play_phase(states[0], seats, mix(seed, phase))
        phase += 1
    return found


def movement(kind: str = "heuristic", seed: int = 0) -> list[Any]:
    """Its movement phases."""
    return [states for states in positions(kind, seed) if is_movement(states[0])]


def legal_set(state: Any) -> set[int]:
    """All legal orders of a position."""
    orders, starts = np.zeros(MAX_ORDERS, np.int32), np.zeros(MAX_GROUPS + 1, np.int64)
    groups = legal_orders(state, RULES_3, new_lists()[0], orders, starts, np.zeros(MAX_GROUPS, np.int64))
    return set(orders[: starts[groups]].tolist())


def misfits(state: Any, orders: np.ndarray) -> list[int]:
    """The orders of one power's set that rely on something which isn't in it, or that go where a mate goes."""
    by_province = {int(PROVINCE_OF[location_of(order)]): int(order) for order in orders}
    targets = [int(PROVINCE_OF[target_of(order)]) for order in orders if kind_of(order) == MOVE]
    return [int(order) for order in orders if _is_misfit(int(order), by_province, targets)]


def _is_misfit(order: int, by_province: dict[int, int], targets: list[int]) -> bool:
    kind = kind_of(order)
    if kind == MOVE:
        return targets.count(int(PROVINCE_OF[target_of(order)])) > 1
    if kind not in HELPING:
        return False
    mate = by_province.get(int(PROVINCE_OF[auxiliary_of(order)]))
    if mate is None:
        return True
    if kind == SUPPORT_HOLD:
        return bool(kind_of(mate) == MOVE)
    return bool(kind_of(mate) != MOVE or target_of(mate) != target_of(order))
