"""Orders as text: `A vie H`, `A gal S A bud - rum`, `F mao C A bre - spa`, `F stp/nc R nwy`, `A war D`, `F stp/sc B`, `W`.

Orders are joined by ` ; `. A move that must go by convoy ends with VIA. Reading checks the writing alone; whether the order can
be given in a position is for the adjudicator to say.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

from playmill.core.errors import UsageError
from playmill.games.diplomacy.geography import ARMY, FLEET, LOCATIONS
from playmill.games.diplomacy.orders import (
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    MOVE,
    REMOVE,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    WAIVE,
)
from playmill.games.diplomacy.places import UNIT_LETTERS, read_place
from playmill.games.diplomacy.plain import PROVINCE, Plain, joined, parts
from playmill.games.diplomacy.state import BUILDS

SEPARATOR = " ; "
UNITS = {"A": ARMY, "F": FLEET}
NO_POWER = 127  # a waive that nobody has claimed yet


@dataclass(frozen=True)
class Written:
    """An order as it was written: its number, and the kinds of unit that the text names (0 where it names none)."""

    order: int
    unit: int
    helped: int = 0


def read_orders(text: str, phase: int) -> list[Written]:
    """The orders of a text; none of an empty one. What a `D` means depends on the phase."""
    parts = text.split(";") if text.strip() else []
    return [read_order(part, phase, number) for number, part in enumerate(parts, 1)]


def read_order(text: str, phase: int, number: int = 1) -> Written:
    """The order of a text; an error names the order by its number, and the word in it."""
    try:
        return _remembered(text, phase)
    except UsageError:
        return _parse(_Words(text, number), phase)  # raises again, with the right number


@functools.lru_cache(maxsize=1 << 16)
def _remembered(text: str, phase: int) -> Written:
    """The same orders come up again and again, and reading them is what a batch of positions costs most."""
    return _parse(_Words(text, 1), phase)


def _parse(words: _Words, phase: int) -> Written:
    if words.peek() in ("W", "w"):
        words.take("W")
        words.end()
        return Written(joined(WAIVE, NO_POWER), 0)
    unit, place = words.unit()
    verb = words.take("H, -, S, C, R, D or B").upper()
    if verb not in _READERS:
        words.fail("H, -, S, C, R, D or B", verb)
    written = _READERS[verb](words, unit, place, phase)
    words.end()
    return written


class _Words:
    """The words of one order, taken from the left."""

    def __init__(self, text: str, number: int) -> None:
        self.text = " ".join(text.split())
        self._number = number
        self._words = self.text.split()
        self._at = 0

    def peek(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def take(self, expected: str) -> str:
        word = self.peek()
        self._at += 1
        if not word:
            self.fail(expected, "")
        return word

    def unit(self) -> tuple[int, int]:
        letter = self.take("A or F")
        if letter.upper() not in UNITS:
            self.fail("A or F", letter)
        return UNITS[letter.upper()], self.place()

    def place(self) -> int:
        word = self.take("a province")
        try:
            return read_place(word)
        except UsageError as error:
            raise UsageError(f"{self._where()}: {error}") from None

    def end(self) -> None:
        if self.peek():
            self._at += 1
            self.fail("the end of the order", self._words[self._at - 1])

    def fail(self, expected: str, got: str) -> None:
        raise UsageError(f"{self._where()}: expected {expected}, got {repr(got) if got else 'the end'}")

    def _where(self) -> str:
        return f"orders: order {self._number} '{self.text}', word {self._at}"


def _hold(words: _Words, unit: int, place: int, phase: int) -> Written:
    return Written(joined(HOLD, place), unit)


def _move(words: _Words, unit: int, place: int, phase: int) -> Written:
    target = words.place()
    via = words.peek().upper() == "VIA"
    if via:
        words.take("VIA")
    return Written(joined(MOVE, place, 0, target, int(via)), unit)


def _support(words: _Words, unit: int, place: int, phase: int) -> Written:
    helped, other = words.unit()
    if words.peek() == "-":
        words.take("-")
        return Written(joined(SUPPORT_MOVE, place, other, words.place()), unit, helped)
    if words.peek() in ("H", "h"):
        words.take("H")
    return Written(joined(SUPPORT_HOLD, place, other), unit, helped)


def _convoy(words: _Words, unit: int, place: int, phase: int) -> Written:
    helped, other = words.unit()
    if words.take("-") != "-":
        words.fail("-", words.text.split()[5])
    return Written(joined(CONVOY, place, other, words.place()), unit, helped)


def _retreat(words: _Words, unit: int, place: int, phase: int) -> Written:
    return Written(joined(RETREAT, place, 0, words.place()), unit)


def _disband(words: _Words, unit: int, place: int, phase: int) -> Written:
    return Written(joined(REMOVE if phase == BUILDS else DISBAND, place), unit)


def _build(words: _Words, unit: int, place: int, phase: int) -> Written:
    return Written(joined(BUILD, place, unit), unit)


_READERS = {"H": _hold, "-": _move, "S": _support, "C": _convoy, "R": _retreat, "D": _disband, "B": _build}


# ------------------------------------------------------------------ writing

_HELPING = {SUPPORT_HOLD: "S", SUPPORT_MOVE: "S", CONVOY: "C"}


def write_orders(orders: Iterable[int], state: Plain) -> str:
    """The orders' text; the units' letters are looked up in the position."""
    return SEPARATOR.join(write_order(order, state) for order in orders)


def write_order(order: int, state: Plain) -> str:
    """One order's text; a unit's coast and kind are those it has in the position."""
    kind, location, auxiliary, target, via = parts(order)
    if kind == WAIVE:
        return "W"
    if kind == BUILD:
        return f"{UNIT_LETTERS[auxiliary]} {LOCATIONS[location]} B"
    unit = _unit_text(location, state, kind in (RETREAT, DISBAND))
    if kind == MOVE:
        return f"{unit} - {LOCATIONS[target]}{' VIA' if via else ''}"
    if kind == RETREAT:
        return f"{unit} R {LOCATIONS[target]}"
    if kind in _HELPING:
        helped = _unit_text(auxiliary, state)
        return f"{unit} {_HELPING[kind]} {helped} {'H' if kind == SUPPORT_HOLD else f'- {LOCATIONS[target]}'}"
    return f"{unit} {'H' if kind == HOLD else 'D'}"


def _unit_text(location: int, state: Plain, is_out: bool = False) -> str:
    """A unit by the place that it really stands in; where there is none, an army at the place that was named."""
    province = PROVINCE[location]
    kind = state.out_kind[province] if is_out else state.kind[province]
    if kind == 0:
        return f"A {LOCATIONS[location]}"
    return f"{UNIT_LETTERS[kind]} {LOCATIONS[state.out_at[province] if is_out else state.at[province]]}"
