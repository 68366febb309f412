"""Positions and orders in the layout of the `diplomacy` package, for tools that speak it; games are in `package_games.py`.

A state is a dictionary with `name` (S1901M, F1901R, W1901A), `units` and `centers` by power in capitals, and `retreats`: for
each dislodged unit the places it may go to. That layout has neither the attacker's province nor the stand-offs. Reading
therefore finds some that allow the same retreats: what is closed to one unit and open to another was the attacker's, the rest
contested.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.dson import write_order
from playmill.games.diplomacy.geography import (
    ARMY,
    CAN_GO,
    GOES_TO,
    HOME,
    IS_CENTRE,
    LOCATIONS,
    NAMES,
    NOBODY,
    POWERS,
    PROVINCE_COUNT,
    PROVINCES,
)
from playmill.games.diplomacy.order_words import shortened
from playmill.games.diplomacy.orders import MOVE, SUPPORT_HOLD, SUPPORT_MOVE, WAIVE
from playmill.games.diplomacy.package_hash import PackageHash
from playmill.games.diplomacy.places import UNIT_LETTERS, UNITS, misplaced, read_place, read_power
from playmill.games.diplomacy.plain import PROVINCE, parts
from playmill.games.diplomacy.retreats import check_retreat
from playmill.games.diplomacy.state import BUILDS, PHASES, new_states, put_dislodged, put_unit

PHASE_NAMES = {"sm": ("S", "M"), "sr": ("S", "R"), "fm": ("F", "M"), "fr": ("F", "R"), "fb": ("W", "A")}
# The two provinces whose letters differ there.
NAMES_THERE = {"gol": "lyo", "nrg": "nwg"}
COMPLETED = "COMPLETED"

State = dict[str, Any]


# ------------------------------------------------------------------ writing


def write_state(board: Board, lost: bool = True) -> State:
    """The position as the package's `get_state` gives it, as far as it is a position.

    Dislodged units that can go nowhere are in it if `lost`; the package itself drops them at once.
    """
    state = board.plain
    units: dict[str, list[str]] = {power.upper(): [] for power in POWERS}
    centres: dict[str, list[str]] = {power.upper(): [] for power in POWERS}
    retreats: dict[str, dict[str, list[str]]] = {power.upper(): {} for power in POWERS}
    for p in range(PROVINCE_COUNT):
        if state.kind[p]:
            units[_power(state.power[p])].append(_unit(state.kind[p], state.at[p]))
        ends = [_place(end) for end in _ends(board.state, p)] if state.out_kind[p] else []
        if state.out_kind[p] and (ends or lost):
            unit = _unit(state.out_kind[p], state.out_at[p])
            units[_power(state.out_power[p])].append(f"*{unit}")
            retreats[_power(state.out_power[p])][unit] = ends
        if IS_CENTRE[p] and state.owner[p] != NOBODY:
            centres[_power(state.owner[p])].append(_place(p))
    return {
        "name": COMPLETED if board.winner and state.phase == BUILDS else write_phase_name(board),
        "units": units,
        "centers": centres,
        "retreats": retreats,
        "zobrist_hash": _numbers().of(units, centres, _homes()),
    }


def write_phase_name(board: Board) -> str:
    """Such as S1901M."""
    season, kind = PHASE_NAMES[board.phase]
    return f"{season}{board.year}{kind}"


@functools.cache
def _numbers() -> PackageHash:
    centres = [there(name) for name, is_centre in zip(PROVINCES, IS_CENTRE.tolist(), strict=True) if is_centre]
    return PackageHash([power.upper() for power in POWERS], [there(name) for name in LOCATIONS], centres)


@functools.cache
def _homes() -> dict[str, list[str]]:
    return {power.upper(): [_place(p) for p in range(PROVINCE_COUNT) if HOME[p] == i] for i, power in enumerate(POWERS)}


def write_package_order(order: int, board: Board) -> str:
    """One order as the package writes it: a move by convoy is marked VIA, a waive WAIVE; a support names no coast."""
    if parts(order).kind == WAIVE:
        return "WAIVE"
    words = write_order(order, board.plain).split()
    if parts(order).kind == SUPPORT_HOLD:
        words.pop()  # there, a support to hold has no H
    if parts(order).kind == SUPPORT_MOVE:
        words[-1] = PROVINCES[PROVINCE[parts(order).target]]
    source, target = parts(order).province, PROVINCE[parts(order).target]
    is_army = board.plain.kind[source] == ARMY
    if parts(order).kind == MOVE and is_army and not CAN_GO[ARMY, source, target] and words[-1] != "VIA":
        words.append("VIA")
    return " ".join(there(word) for word in words)


def there(word: str) -> str:
    """A word of an order, or a place, as the package writes it."""
    name, slash, coast = word.partition("/")
    return f"{NAMES_THERE.get(name, name)}{slash}{coast}".upper()


def _power(power: int) -> str:
    return POWERS[power].upper()


def _place(location: int) -> str:
    return there(LOCATIONS[location])


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
    state.year, state.phase = _read_name(field_of(data, "name"))
    for power, text in _listed("units", field_of(data, "units")):
        kind, location = _read_unit("units", text.removeprefix("*"))
        is_out = text.startswith("*")
        if (state.out_kind if is_out else state.kind)[PROVINCE[location]]:
            raise UsageError(f"state: units: '{text}': there is already a unit in {NAMES[PROVINCE[location]]}")
        if is_out:
            put_dislodged(state, kind, _read_power("units", power), location, NOBODY)
        else:
            put_unit(state, kind, _read_power("units", power), location)
    for power, text in _listed("centers", field_of(data, "centers")):
        centre = _read_place("centers", text)
        if centre >= PROVINCE_COUNT or not IS_CENTRE[centre]:
            raise UsageError(f"state: centers: expected a supply centre, got '{text}'")
        state.owner[centre] = _read_power("centers", power)
    _read_retreats(state, _by_power("retreats", data.get("retreats") or {}))
    return Board(states, rules)


def read_package_orders(board: Board, orders: Mapping[str, Iterable[str]]) -> Board:
    """The board with orders as the package lists them by power."""
    for power, text in _listed("orders", orders):
        board = board.orders(text, power)
    return board


def field_of(data: Any, name: str, where: str = "state") -> Any:
    """A field that must be there, of what must be an object."""
    if not isinstance(data, Mapping):
        raise UsageError(f"{where}: expected an object with a field '{name}', got {shortened(repr(data))}")
    if name not in data:
        raise UsageError(f"{where}: expected a field '{name}', got {shortened(', '.join(sorted(data))) or 'nothing'}")
    return data[name]


def _by_power(field: str, data: Any) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise UsageError(f"state: {field}: expected an object by power, got {shortened(repr(data))}")
    return data


def _listed(field: str, data: Any) -> Iterator[tuple[str, str]]:
    """The texts of a field, each with its power; a power with null has none."""
    for power, texts in _by_power(field, data).items():
        if not isinstance(texts, list | tuple | None) or not all(isinstance(text, str) for text in texts or ()):
            raise UsageError(f"state: {field}: {power}: expected a list of texts, got {shortened(repr(texts))}")
        yield from ((power, text) for text in texts or ())


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


def _read_retreats(state: Any, retreats: Mapping[str, Any]) -> None:
    """Close provinces so that each dislodged unit may go just where the package lets it."""
    allowed: dict[int, set[int]] = {}
    for units in retreats.values():
        for text in _by_power("retreats", units or {}):
            _, location = _read_unit("retreats", text)
            allowed[PROVINCE[location]] = set()
        for text, place in _listed("retreats", units or {}):
            _, location = _read_unit("retreats", text)
            allowed[PROVINCE[location]].add(PROVINCE[_read_place("retreats", place)])
    open_to_some = set().union(*allowed.values())
    for province, ends in allowed.items():
        closed = {PROVINCE[end] for end in _ends(state, province)} - ends
        for target in closed:
            if target in open_to_some:
                state.out_from[province] = target
            else:
                state.contested[target] = 1
