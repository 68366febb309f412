"""Positions and orders in the layout of the `diplomacy` package, for exchange with tools that speak it.

A state is a dictionary with `name` (S1901M, F1901R, W1901A), `units` and `centers` by power in capitals, and `retreats`: for
each dislodged unit the places it may go to. That layout has neither the attacker's province nor the stand-offs. Reading
therefore finds some that allow the same retreats: what is closed to one unit and open to another was the attacker's, the rest
contested.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.dson import write_order
from playmill.games.diplomacy.geography import (
    ARMY,
    CAN_GO,
    GOES_TO,
    IS_CENTRE,
    LOCATIONS,
    NOBODY,
    POWERS,
    PROVINCE_COUNT,
)
from playmill.games.diplomacy.orders import MOVE, SUPPORT_HOLD, WAIVE
from playmill.games.diplomacy.places import UNIT_LETTERS, UNITS, misplaced, read_place, read_power
from playmill.games.diplomacy.plain import PROVINCE, parts
from playmill.games.diplomacy.retreats import check_retreat
from playmill.games.diplomacy.state import PHASES, new_states, put_dislodged, put_unit

PHASE_NAMES = {"sm": ("S", "M"), "sr": ("S", "R"), "fm": ("F", "M"), "fr": ("F", "R"), "fb": ("W", "A")}
# The two provinces whose letters differ there.
NAMES_THERE = {"gol": "lyo", "nrg": "nwg"}

State = dict[str, Any]


# ------------------------------------------------------------------ writing


def write_state(board: Board) -> State:
    """The position as the package's `get_state` gives it, as far as it is a position."""
    state = board.plain
    units: dict[str, list[str]] = {power.upper(): [] for power in POWERS}
    centres: dict[str, list[str]] = {power.upper(): [] for power in POWERS}
    retreats: dict[str, dict[str, list[str]]] = {power.upper(): {} for power in POWERS}
    for p in range(PROVINCE_COUNT):
        if state.kind[p]:
            units[_power(state.power[p])].append(_unit(state.kind[p], state.at[p]))
        if state.out_kind[p]:
            unit = _unit(state.out_kind[p], state.out_at[p])
            units[_power(state.out_power[p])].append(f"*{unit}")
            retreats[_power(state.out_power[p])][unit] = [_place(end) for end in _ends(board.state, p)]
        if IS_CENTRE[p] and state.owner[p] != NOBODY:
            centres[_power(state.owner[p])].append(_place(p))
    season, kind = PHASE_NAMES[board.phase]
    return {"name": f"{season}{board.year}{kind}", "units": units, "centers": centres, "retreats": retreats}


def write_package_order(order: int, board: Board) -> str:
    """One order as the package writes it: a move by convoy is marked VIA, a waive WAIVE."""
    if parts(order).kind == WAIVE:
        return "WAIVE"
    words = write_order(order, board.plain).split()
    if parts(order).kind == SUPPORT_HOLD:
        words.pop()  # there, a support to hold has no H
    source, target = parts(order).province, PROVINCE[parts(order).target]
    is_army = board.plain.kind[source] == ARMY
    if parts(order).kind == MOVE and is_army and not CAN_GO[ARMY, source, target] and words[-1] != "VIA":
        words.append("VIA")
    return " ".join(_there(word) for word in words)


def _there(word: str) -> str:
    name, slash, coast = word.partition("/")
    return f"{NAMES_THERE.get(name, name)}{slash}{coast}".upper()


def _power(power: int) -> str:
    return POWERS[power].upper()


def _place(location: int) -> str:
    return _there(LOCATIONS[location])


def _unit(kind: int, location: int) -> str:
    return f"{UNIT_LETTERS[kind]} {_place(location)}"


def _ends(state: Any, province: int) -> list[int]:
    """Where the unit dislodged from a province may go."""
    near = GOES_TO[int(state.out_kind[province]), int(state.out_at[province])]
    return [int(end) for end in near if end != NOBODY and check_retreat(state, province, int(end)) == 0]


# ------------------------------------------------------------------ reading


def read_state(data: Mapping[str, Any], rules: str = "3.x") -> Board:
    """The position of a package's state; an error names the field."""
    states = new_states(1)
    state = states[0]
    state.year, state.phase = _read_name(_field(data, "name"))
    for power, units in _field(data, "units").items():
        for text in units:
            kind, location = _read_unit("units", text.removeprefix("*"))
            if text.startswith("*"):
                put_dislodged(state, kind, _read_power("units", power), location, NOBODY)
            else:
                put_unit(state, kind, _read_power("units", power), location)
    for power, centres in _field(data, "centers").items():
        for text in centres:
            state.owner[_read_place("centers", text)] = _read_power("centers", power)
    _read_retreats(state, data.get("retreats", {}))
    return Board(states, rules)


def read_package_orders(board: Board, orders: Mapping[str, Iterable[str]]) -> Board:
    """The board with orders as the package lists them by power."""
    for power, texts in orders.items():
        for text in texts or ():
            board = board.orders("W" if text == "WAIVE" else text, power)
    return board


def read_saved_game(game: Mapping[str, Any], rules: str = "3.x") -> list[Board]:
    """Every phase of a saved game, each with its orders."""
    phases = _field(game, "phases")
    return [read_package_orders(read_state(phase["state"], rules), phase.get("orders") or {}) for phase in phases]


def write_saved_game(boards: Iterable[Board], name: str = "playmill") -> dict[str, Any]:
    """A saved game of the package out of boards with their orders."""
    return {"id": name, "map": "standard", "rules": [], "phases": [_phase(board) for board in boards]}


def _phase(board: Board) -> dict[str, Any]:
    """A phase of a saved game; the package's reader wants the list of messages, even an empty one."""
    state = write_state(board)
    return {"name": state["name"], "state": state, "orders": _orders(board), "results": {}, "messages": []}


def _orders(board: Board) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {power.upper(): [] for power in POWERS}
    for given in board.given:
        found[_power(given.power)].append(write_package_order(given.order, board))
    return found


def _field(data: Mapping[str, Any], name: str) -> Any:
    if name not in data:
        raise UsageError(f"state: expected a field '{name}', got {', '.join(sorted(data)) or 'nothing'}")
    return data[name]


def _read_name(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([SFW])(\d{4})([MRA])", str(text))
    phases = {names: phase for phase, names in PHASE_NAMES.items()}
    if not found or (found[1], found[3]) not in phases:
        raise UsageError(f"state: name: expected a phase such as S1901M, F1902R or W1903A, got '{text}'")
    return int(found[2]), PHASES.index(phases[found[1], found[3]])


def _read_unit(field: str, text: str) -> tuple[int, int]:
    letter, _, place = text.partition(" ")
    if letter not in UNITS:
        raise UsageError(f"state: {field}: expected A or F and a place, got '{text}'")
    location = _read_place(field, place)
    problem = misplaced(UNITS[letter], location)
    if problem:
        raise UsageError(f"state: {field}: '{text}': {problem}")
    return UNITS[letter], location


def _read_place(field: str, text: str) -> int:
    try:
        return read_place(text)
    except UsageError as error:
        raise UsageError(f"state: {field}: {error}") from None


def _read_power(field: str, text: str) -> int:
    try:
        return read_power(text)
    except UsageError as error:
        raise UsageError(f"state: {field}: {error}") from None


def _read_retreats(state: Any, retreats: Mapping[str, Mapping[str, Iterable[str]]]) -> None:
    """Close provinces so that each dislodged unit may go just where the package lets it."""
    allowed = {}
    for units in retreats.values():
        for text, places in units.items():
            _, location = _read_unit("retreats", text)
            allowed[PROVINCE[location]] = {PROVINCE[_read_place("retreats", place)] for place in places}
    open_to_some = set().union(*allowed.values())
    for province, ends in allowed.items():
        closed = {PROVINCE[end] for end in _ends(state, province)} - ends
        for target in closed:
            if target in open_to_some:
                state.out_from[province] = target
            else:
                state.contested[target] = 1
