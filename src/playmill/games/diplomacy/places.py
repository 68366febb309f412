"""Names of places, units and powers in text, and one line of error for a name that is none."""

from __future__ import annotations

import difflib
import functools

from playmill.core.errors import UsageError
from playmill.games.diplomacy.geography import (
    ALIASES,
    ARMY,
    COASTAL,
    FIRST_COAST,
    FLEET,
    HAS_COASTS,
    INDEX,
    INLAND,
    KIND,
    LETTERS,
    LOCATIONS,
    NAMES,
    POWERS,
    PROVINCE_OF,
    PROVINCES,
    SEA,
)

UNIT_LETTERS = {ARMY: "A", FLEET: "F"}
UNITS = {letter: kind for kind, letter in UNIT_LETTERS.items()}
UNIT_WORDS = {ARMY: "army", FLEET: "fleet"}
KIND_WORDS = {INLAND: "inland", COASTAL: "coastal", SEA: "a sea"}


@functools.lru_cache(maxsize=1 << 12)
def read_place(text: str, separator: str = "/") -> int:
    """The location called `text`, such as par, stp/sc or an alias; letters may be capitals."""
    name, _, coast = text.lower().partition(separator)
    name = ALIASES.get(name, name)
    full = f"{name}/{coast}" if coast else name
    if full not in INDEX:
        raise UsageError(_unknown_place(text, name, coast, separator))
    return INDEX[full]


def _unknown_place(text: str, name: str, coast: str, separator: str) -> str:
    if coast and name in INDEX:
        first = int(FIRST_COAST[INDEX[name]])
        known = [LOCATIONS[place].replace("/", separator) for place in (first, first + 1)] if first > 0 else []
        way = f"expected {' or '.join(known)}" if known else f"{NAMES[INDEX[name]]} has no named coasts"
        return f"{way}, got '{text}'"
    near = difflib.get_close_matches(name, [*PROVINCES, *ALIASES], n=1, cutoff=0.5)
    hint = f"; did you mean '{ALIASES.get(near[0], near[0])}'?" if near else ""
    return f"expected a province, got '{text}'{hint}"


def place_text(location: int, separator: str = "/") -> str:
    """Such as par or stp/sc."""
    return LOCATIONS[location].replace("/", separator)


def unit_text(kind: int, location: int) -> str:
    """Such as A par or F stp/sc."""
    return f"{UNIT_LETTERS[kind]} {LOCATIONS[location]}"


def read_power(text: str) -> int:
    """The power called by its letter or its name."""
    name = text.strip().lower()
    if len(name) == 1 and name.upper() in LETTERS:
        return LETTERS.index(name.upper())
    if name in POWERS:
        return POWERS.index(name)
    raise UsageError(f"power: expected one of {', '.join(POWERS)} or a letter of {LETTERS}, got '{text}'")


def misplaced(kind: int, location: int) -> str | None:
    """Why a unit of that kind can't stand there, or None."""
    province = int(PROVINCE_OF[location])
    where = KIND[province]
    if (kind == ARMY and where == SEA) or (kind == FLEET and where == INLAND):
        return f"{UNIT_WORDS[kind]} can't stand in {NAMES[province]}, which is {KIND_WORDS[int(where)]}"
    if kind == ARMY and location != province:
        return f"army has no coast, got {LOCATIONS[location]}"
    if kind == FLEET and location == province and HAS_COASTS[province]:
        first = int(FIRST_COAST[province])
        return f"fleet in {NAMES[province]} needs its coast, {LOCATIONS[first]} or {LOCATIONS[first + 1]}"
    return None
