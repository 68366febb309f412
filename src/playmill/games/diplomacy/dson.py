"""Orders as text: `A vie H`, `A gal S A bud - rum`, `F mao C A bre - spa`, `F stp/nc R nwy`, `A war D`, `F stp/sc B`, `W`.

Orders are joined by ` ; `. A move that must go by convoy ends with VIA. That is how orders are written; what else is understood
is in `order_words.py`. Reading checks the writing alone; whether the order can be given in a position is for the adjudicator to
say.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from playmill.core.errors import UsageError
from playmill.games.diplomacy.geography import KIND, LOCATIONS, SEA
from playmill.games.diplomacy.order_words import ARROW, Words
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
from playmill.games.diplomacy.places import UNIT_LETTERS
from playmill.games.diplomacy.plain import PROVINCE, Plain, joined, parts
from playmill.games.diplomacy.state import BUILDS, FALL_RETREATS, SPRING_RETREATS

SEPARATOR = " ; "
NO_POWER = 127  # a waive that nobody has claimed yet


@dataclass(frozen=True)
class Written:
    """An order as it was written: its number, and the kinds of unit that the text names (0 where it names none)."""

    order: int
    unit: int
    helped: int = 0


def split_orders(text: str) -> list[str]:
    """The single orders of a text, joined by `;` or each on its own line; an empty one is none."""
    return [part.strip() for part in re.split(r"[;\n]", text) if part.strip()]


def read_orders(text: str, phase: int) -> list[Written]:
    """The orders of a text; none of an empty one. What a `D` means depends on the phase."""
    return [read_order(part, phase, number) for number, part in enumerate(split_orders(text), 1)]


def read_order(text: str, phase: int, number: int = 1) -> Written:
    """The order of a text; an error names the order by its number, and the word in it."""
    try:
        return _remembered(text, phase)
    except UsageError:
        return _parse(Words(text, number), phase)  # raises again, with the right number


@functools.lru_cache(maxsize=1 << 16)
def _remembered(text: str, phase: int) -> Written:
    """The same orders come up again and again, and reading them is what a batch of positions costs most."""
    return _parse(Words(text), phase)


def _parse(words: Words, phase: int) -> Written:
    if words.verb() == "W":
        words.take_verb("W")
        words.end()
        return Written(joined(WAIVE, NO_POWER), 0)
    ahead = words.take_verb("BD") if words.verb() in ("B", "D") else ""  # build A par
    unit, place = words.unit()
    written = _READERS[ahead or words.take_verb("H-SCRDB")](words, unit, place, phase)
    words.end()
    return written


def _hold(words: Words, unit: int, place: int, phase: int) -> Written:
    return Written(joined(HOLD, place), unit)


def _move(words: Words, unit: int, place: int, phase: int) -> Written:
    """A move; in a phase of retreats, where nobody moves, a retreat."""
    if phase in (SPRING_RETREATS, FALL_RETREATS):
        return _retreat(words, unit, place, phase)
    target, has_route = _way(words)
    via = _by_convoy(words) or has_route
    return Written(joined(MOVE, place, 0, target, int(via)), unit)


def _way(words: Words) -> tuple[int, bool]:
    """Where a unit goes, and whether the seas on the way there are named, as in `A lon - nth - bel`."""
    target, has_route = words.place(), False
    while words.peek() == ARROW:
        if KIND[PROVINCE[target]] != SEA:
            words.fail("the end of the order, as only seas are on a convoy's way")
        words.skip(ARROW)
        target, has_route = words.place(), True
    return target, has_route


def _by_convoy(words: Words) -> bool:
    """Whether VIA follows, in one of its forms."""
    forms = (("(", "via", "convoy", ")"), ("via", "convoy"), ("by", "convoy"), ("via",))
    return any(words.skip(*form) for form in forms)


def _support(words: Words, unit: int, place: int, phase: int) -> Written:
    helped, other = words.helped()
    if not words.skip("to", "hold") and words.verb() == "-":
        return Written(joined(SUPPORT_MOVE, place, other, _helped_way(words)), unit, helped)
    if words.verb() == "H":
        words.take_verb("H")
    return Written(joined(SUPPORT_HOLD, place, other), unit, helped)


def _convoy(words: Words, unit: int, place: int, phase: int) -> Written:
    helped, other = words.helped()
    return Written(joined(CONVOY, place, other, _helped_way(words)), unit, helped)


def _helped_way(words: Words) -> int:
    """Where a supported or convoyed unit goes; how it does is its own order."""
    words.take_verb("-")
    target, _ = _way(words)
    _by_convoy(words)
    return target


def _retreat(words: Words, unit: int, place: int, phase: int) -> Written:
    return Written(joined(RETREAT, place, 0, words.place()), unit)


def _disband(words: Words, unit: int, place: int, phase: int) -> Written:
    return Written(joined(REMOVE if phase == BUILDS else DISBAND, place), unit)


def _build(words: Words, unit: int, place: int, phase: int) -> Written:
    return Written(joined(BUILD, place, unit), unit)


_READERS = {"H": _hold, "-": _move, "S": _support, "C": _convoy, "R": _retreat, "D": _disband, "B": _build}


# ------------------------------------------------------------------ writing

_HELPING = {SUPPORT_HOLD: "S", SUPPORT_MOVE: "S", CONVOY: "C"}


def write_orders(orders: Iterable[int], state: Plain) -> str:
    """The orders' text; the units' letters are looked up in the position."""
    return SEPARATOR.join(write_order(order, state) for order in orders)


def write_order(order: int, state: Plain) -> str:
    """One order's text; a unit's coast and kind are those it has in the position."""
    is_out = parts(order).kind in (RETREAT, DISBAND)
    return _text(order, _unit_text(parts(order).location, state, is_out), _unit_text(parts(order).auxiliary, state))


def write_written(written: Written, state: Plain) -> str:
    """The order as it was meant, right or wrong: with the kinds and coasts that it names."""
    _, location, auxiliary, _, _ = parts(written.order)
    unit = f"{UNIT_LETTERS[written.unit]} {LOCATIONS[location]}" if written.unit else ""
    helped = f"{UNIT_LETTERS[written.helped]} {LOCATIONS[auxiliary]}" if written.helped else _unit_text(auxiliary, state)
    return _text(written.order, unit, helped)


def _text(order: int, unit: str, helped: str) -> str:
    kind, location, auxiliary, target, via = parts(order)
    if kind == WAIVE:
        return "W"
    if kind == BUILD:
        return f"{UNIT_LETTERS[auxiliary]} {LOCATIONS[location]} B"
    if kind == MOVE:
        return f"{unit} - {LOCATIONS[target]}{' VIA' if via else ''}"
    if kind == RETREAT:
        return f"{unit} R {LOCATIONS[target]}"
    if kind in _HELPING:
        return f"{unit} {_HELPING[kind]} {helped} {'H' if kind == SUPPORT_HOLD else f'- {LOCATIONS[target]}'}"
    return f"{unit} {'H' if kind == HOLD else 'D'}"


def _unit_text(location: int, state: Plain, is_out: bool = False) -> str:
    """A unit by the place that it really stands in; where there is none, an army at the place that was named."""
    if location >= len(PROVINCE):
        return ""  # a waive names a power
    province = PROVINCE[location]
    kind = state.out_kind[province] if is_out else state.kind[province]
    if kind == 0:
        return f"A {LOCATIONS[location]}"
    return f"{UNIT_LETTERS[kind]} {LOCATIONS[state.out_at[province] if is_out else state.at[province]]}"
