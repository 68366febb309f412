"""Legal orders as text, for the Python face."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from playmill.games.diplomacy.adjustments import power_of_adjustment
from playmill.games.diplomacy.dson import write_order
from playmill.games.diplomacy.geography import PROVINCES
from playmill.games.diplomacy.legal import MAX_GROUPS, MAX_ORDERS, legal_orders, new_lists
from playmill.games.diplomacy.places import unit_text
from playmill.games.diplomacy.plain import Plain
from playmill.games.diplomacy.state import BUILDS, FALL_RETREATS, SPRING_RETREATS

if TYPE_CHECKING:
    from playmill.games.diplomacy.board import Board


def legal_texts(board: Board, power: int | None, rules: int) -> dict[str, list[str]]:
    """The orders of each unit, or home centre; of one power's alone if one is named."""
    orders, starts, places = np.zeros(MAX_ORDERS, np.int32), np.zeros(MAX_GROUPS + 1, np.int64), np.zeros(MAX_GROUPS, np.int64)
    groups = legal_orders(board.state, rules, new_lists()[0], orders, starts, places)
    found = {}
    for group, province in enumerate(places[:groups].tolist()):
        own = orders[starts[group] : starts[group + 1]].tolist()
        if power is None or _power(board, own[0], province) == power:
            found[_label(board.plain, province)] = [write_order(order, board.plain) for order in own]
    return found


def _power(board: Board, order: int, province: int) -> int:
    """Whose group it is."""
    state = board.plain
    if state.phase == BUILDS:
        return int(power_of_adjustment(board.state, order))
    return state.out_power[province] if _is_retreat(state) else state.power[province]


def _label(state: Plain, province: int) -> str:
    """The unit's name, or the province's where there is none yet."""
    if _is_retreat(state):
        return unit_text(state.out_kind[province], state.out_at[province])
    if state.kind[province]:
        return unit_text(state.kind[province], state.at[province])
    return PROVINCES[province]


def _is_retreat(state: Plain) -> bool:
    return state.phase in (SPRING_RETREATS, FALL_RETREATS)
