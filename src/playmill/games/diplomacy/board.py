"""The Python face: a position with its orders.

    board = Board.start().orders("A par - bur ; A mar S A par - bur")
    print(board.explain())
    board = board.adjudicate().next

A board is a value: every method returns a new one. Orders that can't be read or given are kept and come back as illegal, with
the reason; the unit holds instead.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.core.errors import UsageError
from playmill.games.diplomacy.dfen import read_dfen, write_dfen
from playmill.games.diplomacy.dson import Written, read_order, split_orders, write_order, write_written
from playmill.games.diplomacy.geography import HOME, LETTERS, NOBODY, POWER_COUNT, POWERS, PROVINCE_COUNT
from playmill.games.diplomacy.order_words import Unreadable, shortened
from playmill.games.diplomacy.orders import (
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    MOVE,
    NO_ORDER,
    REMOVE,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    WAIVE,
)
from playmill.games.diplomacy.outcome import Outcome, Verdict, civil_disorder
from playmill.games.diplomacy.phases import advance
from playmill.games.diplomacy.places import read_power
from playmill.games.diplomacy.plain import PROVINCE, Plain, joined, parts
from playmill.games.diplomacy.state import (
    BUILDS,
    FALL_RETREATS,
    PHASES,
    SPRING_RETREATS,
    count_centres,
    phase_name,
    start_states,
    winner,
)
from playmill.games.diplomacy.verdicts import (
    ILLEGAL,
    NEEDS_POWER,
    NO_UNIT,
    NOBODY_TO_SUPPORT,
    NOT_HOME,
    NOT_YOURS,
    REASONS,
    RESULT,
    SUCCEEDED,
    UNREADABLE,
    WRONG_KIND,
    WRONG_PHASE,
)
from playmill.games.diplomacy.work import RULES_2, RULES_3, new_work

_MOVES = (HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY)
_RETREATS = (RETREAT, DISBAND)
ORDERS_OF_PHASE = (_MOVES, _RETREATS, _MOVES, _RETREATS, (BUILD, REMOVE, WAIVE))
RULES = {"2.x": RULES_2, "3.x": RULES_3}
OrderText = str | Mapping[str, str]
_RESULT_FIELDS = ("verdict", "reason", "other", "source", "strength", "against")


@dataclass(frozen=True)
class Given:
    """An order as a board holds it: whose it is, its text, and why it can't even be tried (0 if it can).

    The text is the canonical one, whatever was written; of an order that can't be read it is what was written, and `problem`
    says what is wrong with it.
    """

    power: int
    text: str
    order: int
    reason: int = 0
    given: bool = True
    problem: str = ""


class Board:
    """A position, and the orders given in it so far."""

    def __init__(self, states: Any, rules: str = "3.x", given: tuple[Given, ...] = ()) -> None:
        """Take over `states`, one record that nobody else may write. Use `start` or `from_dfen` instead."""
        check_rules(rules)
        states.flags.writeable = False
        self._states = states
        self.rules = rules
        self.given = given

    @classmethod
    def start(cls, rules: str = "3.x") -> Board:
        """Spring 1901."""
        return cls(start_states(1), rules)

    @classmethod
    def from_dfen(cls, text: str, rules: str = "3.x") -> Board:
        """The position that the text describes; `start` is spring 1901."""
        return cls.start(rules) if text == "start" else cls(read_dfen(text).states(), rules)

    # ------------------------------------------------------------------ what it is

    @property
    def state(self) -> Any:
        """The record itself; it can't be written."""
        return self._states[0]

    @functools.cached_property
    def plain(self) -> Plain:
        """The position as plain Python, to be read and not written."""
        return Plain.of(self._states)

    @property
    def dfen(self) -> str:
        return write_dfen(self.plain)

    @property
    def year(self) -> int:
        return self.plain.year

    @property
    def phase(self) -> str:
        """sm, sr, fm, fr or fb."""
        return PHASES[self.plain.phase]

    @property
    def centres(self) -> dict[str, int]:
        """How many centres each power has."""
        counts = np.zeros(POWER_COUNT, np.int64)
        count_centres(self.state, counts)
        return dict(zip(POWERS, counts.tolist(), strict=True))

    @property
    def winner(self) -> str | None:
        """The power with 18 centres."""
        power = int(winner(self.state))
        return None if power == NOBODY else POWERS[power]

    def __str__(self) -> str:
        counts = ", ".join(f"{power.capitalize()} {count}" for power, count in self.centres.items() if count)
        lines = [f"{phase_name(self.plain)}: {counts}", self.dfen]
        return "\n".join(lines + [f"  {LETTERS[given.power]} {given.text}" for given in self.given])

    def __repr__(self) -> str:
        return f"Board({self.dfen!r})"

    def svg(self, width: int = 800) -> str:
        """The map with units and orders, and what becomes of those, as the text of an SVG `width` pixels wide."""
        from playmill.games.diplomacy.draw_board import draw_board

        return draw_board(self, width)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Board) and self._states.tobytes() == other._states.tobytes()
        return same and isinstance(other, Board) and (self.rules, self.given) == (other.rules, other.given)

    def __hash__(self) -> int:
        return hash((self._states.tobytes(), self.rules, self.given))

    # ------------------------------------------------------------------ orders

    def orders(self, text: OrderText, power: str | None = None) -> Board:
        """This board with more orders: a text for the whole board or for one power, or a text for each power by name."""
        if isinstance(text, str):
            given = self._read(text, None if power is None else read_power(power))
        else:
            given = [one for name, part in text.items() for one in self._read(part, read_power(name))]
        board = Board(self._states, self.rules, (*self.given, *given))
        board.plain = self.plain  # the same position needs no second look
        return board

    def _read(self, text: str, power: int | None) -> list[Given]:
        return [self._read_one(part, power) for part in split_orders(text)]

    def _read_one(self, text: str, power: int | None) -> Given:
        try:
            return self._give(read_order(text, self.plain.phase), power)
        except Unreadable as error:
            owner, written = NOBODY if power is None else power, shortened(" ".join(text.split()))
            return Given(owner, written, NO_ORDER, UNREADABLE, problem=f"{REASONS[UNREADABLE]}, {error.problem}")

    def _give(self, written: Written, power: int | None) -> Given:
        """The order with its power, or with the reason why it fits no unit."""
        order, kind, text = written.order, parts(written.order).kind, write_written(written, self.plain)
        if kind == WAIVE:
            return Given(NOBODY, text, NO_ORDER, NEEDS_POWER) if power is None else Given(power, text, joined(WAIVE, power))
        owner, reason = self._owner(written)
        if kind not in ORDERS_OF_PHASE[self.plain.phase]:
            reason = WRONG_PHASE
        if power is not None and reason == 0 and owner != power:
            reason = NOT_HOME if kind == BUILD else NOT_YOURS
        return Given(owner if power is None else power, text, order, reason)

    def _owner(self, written: Written) -> tuple[int, int]:
        """Whose unit it is, and what is wrong with the units that the order names."""
        state, order = self.plain, parts(written.order)
        province = order.province
        if order.kind == BUILD:
            return int(HOME[province]), 0 if HOME[province] != NOBODY else NOT_HOME
        is_out = order.kind in (RETREAT, DISBAND)
        there, owner = (state.out_kind, state.out_power) if is_out else (state.kind, state.power)
        if there[province] == 0:
            return NOBODY, NO_UNIT
        if there[province] != written.unit:
            return owner[province], WRONG_KIND
        if written.helped and state.kind[PROVINCE[order.auxiliary]] != written.helped:
            return owner[province], NOBODY_TO_SUPPORT
        return owner[province], 0

    def legal_orders(self, power: str | None = None) -> dict[str, list[str]]:
        """For each unit, or each home centre in a build phase, the orders that can be given, as text."""
        from playmill.games.diplomacy.listing import legal_texts

        return legal_texts(self, None if power is None else read_power(power), RULES[self.rules])

    # ------------------------------------------------------------------ adjudication

    def adjudicate(self) -> Outcome:
        """Carry out the orders. Units without one hold; dislodged ones disband; builds are waived."""
        states = self._states.copy()
        entries = [given for given in self.given if given.reason == 0]
        entries += self._implied({parts(given.order).province for given in entries if parts(given.order).kind != WAIVE})
        numbers = np.array([entry.order for entry in entries], np.int32)
        results = np.zeros(max(len(entries), 1), RESULT)
        advance(states[0], numbers, len(entries), RULES[self.rules], new_work()[0], results)
        rows: list[Any] = results[list(_RESULT_FIELDS)].tolist()
        verdicts = [_verdict(entry, row) for entry, row in zip(entries, rows, strict=False)]
        verdicts += [Verdict(g.power, g.text, g.order, ILLEGAL, g.reason, problem=g.problem) for g in self.given if g.reason]
        after = Board(states, self.rules)
        if self.plain.phase == BUILDS:
            removed = {parts(v.order).province for v in verdicts if _removes(v)}
            verdicts += civil_disorder(self.plain, after.plain, removed)
        return Outcome(self, after, tuple(verdicts))

    def explain(self) -> str:
        """What happens to each order, and why."""
        return self.adjudicate().explain()

    def _implied(self, ordered: set[int]) -> list[Given]:
        """What units do without an order: hold, or disband if they are dislodged."""
        state = self.plain
        if state.phase == BUILDS:
            return []
        is_out = state.phase in (SPRING_RETREATS, FALL_RETREATS)
        kinds, power, at = (state.out_kind, state.out_power, state.out_at) if is_out else (state.kind, state.power, state.at)
        missing = [p for p in range(PROVINCE_COUNT) if kinds[p] and p not in ordered]
        found = [(power[p], joined(DISBAND if is_out else HOLD, at[p])) for p in missing]
        return [Given(owner, write_order(order, state), order, given=False) for owner, order in found]


def check_rules(rules: str) -> None:
    """Refuse a version of the rules that there is none of."""
    if rules not in RULES:
        raise UsageError(f"rules: expected one of {', '.join(RULES)}, got '{rules}'")


def _verdict(entry: Given, row: tuple[int, ...]) -> Verdict:
    verdict, reason, other, source, strength, against = row
    return Verdict(entry.power, entry.text, entry.order, verdict, reason, other, source, strength, against, given=entry.given)


def _removes(verdict: Verdict) -> bool:
    return parts(verdict.order).kind == REMOVE and verdict.verdict == SUCCEEDED
