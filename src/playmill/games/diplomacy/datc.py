"""The DATC: test cases for adjudicators by Lucas B. Kruijswijk, sections 6.A to 6.J, kept in `datc/*.yaml` in our words.

A case names its units by their orders, or under `units`; `centres` are those that a power owns. Beside each order stands what
must become of it: a verdict, and `dislodged` if the unit is. `orders` are moves, `retreats` follow them, `builds` are
adjustments, and `removed` lists the units that civil disorder takes. A case that holds by one version of the rules alone says
so under `rules`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import yaml

from playmill.games.diplomacy.board import RULES, Board
from playmill.games.diplomacy.geography import INDEX, POWERS
from playmill.games.diplomacy.outcome import Outcome, Verdict
from playmill.games.diplomacy.places import UNITS, read_place
from playmill.games.diplomacy.state import BUILDS, SPRING_MOVES, new_states, put_unit
from playmill.games.diplomacy.verdicts import DISLODGED, PARADOX, REMOVED, SUCCEEDED

SECTIONS = "ABCDEFGHIJ"
SHORT_WORDS = {SUCCEEDED: "ok", PARADOX: "paradox"}
Expected = dict[str, list[dict[str, str]]]


@dataclass(frozen=True)
class Case:
    """One test case as its file has it."""

    id: str
    title: str
    rules: tuple[str, ...]
    data: dict[str, Any]

    def check(self, rules: str) -> list[str]:
        """What goes wrong by that version of the rules; nothing if the case passes."""
        board, problems = self.board(rules), []
        for phase in self._phases():
            expected: Expected = self.data.get(phase, {})
            outcome = _give(board, expected).adjudicate()
            problems += list(_compare(outcome, expected))
            if phase == "builds":
                problems += _compare_removed(outcome, self.data.get("removed", []))
            board = outcome.next
        return problems

    def board(self, rules: str) -> Board:
        """The position before the first orders."""
        states = new_states(1)
        for power, unit in self._units():
            put_unit(states[0], UNITS[unit[0]], POWERS.index(power), read_place(unit[2:]))
        for power, centres in self.data.get("centres", {}).items():
            for centre in centres:
                states[0].owner[INDEX[centre]] = POWERS.index(power)
        states[0].phase = BUILDS if self._phases() == ["builds"] else SPRING_MOVES
        return Board(states, rules)

    def _phases(self) -> list[str]:
        return [phase for phase in ("orders", "retreats") if phase in self.data] or ["builds"]

    def _units(self) -> Iterator[tuple[str, str]]:
        """Every unit once: those that are listed, or else those that are ordered to move."""
        if "units" in self.data or "orders" not in self.data:
            for power, units in self.data.get("units", {}).items():
                yield from ((power, unit) for unit in units)
            return
        for power, text, _ in _rows(self.data["orders"]):
            yield power, " ".join(text.split()[:2])


def load_cases() -> list[Case]:
    """Every case, by section and number."""
    return [case for section in SECTIONS for case in _read_section(section)]


def _read_section(section: str) -> Iterator[Case]:
    text = files(__package__).joinpath("datc", f"6{section.lower()}.yaml").read_text(encoding="utf-8")
    for data in yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        rules = (data["rules"],) if "rules" in data else tuple(RULES)
        yield Case(data["id"], data["title"], rules, data)


def _rows(expected: Expected) -> Iterator[tuple[str, str, str]]:
    """Power, order and what must become of it."""
    for power, orders in expected.items():
        for order in orders:
            for text, words in order.items():
                yield power, text, words


def _give(board: Board, expected: Expected) -> Board:
    for power, text, _ in _rows(expected):
        board = board.orders(text, power)
    return board


def _compare(outcome: Outcome, expected: Expected) -> Iterator[str]:
    """One line for each order that ended otherwise. Equal orders are told apart by their turn."""
    found = list(outcome.verdicts)
    for power, text, words in _rows(expected):
        verdict = next(v for v in found if v.text == text and POWERS[v.power] == power)
        found.remove(verdict)
        if _words(verdict) != words:
            yield f"{text}: expected {words}, got {_words(verdict)}"


def _words(verdict: Verdict) -> str:
    word = SHORT_WORDS.get(verdict.verdict, verdict.word)
    return f"{word}, dislodged" if verdict.is_dislodged and verdict.verdict != DISLODGED else word


def _compare_removed(outcome: Outcome, expected: list[str]) -> list[str]:
    found = sorted(v.text.removesuffix(" D") for v in outcome.verdicts if v.verdict == REMOVED)
    return [] if found == sorted(expected) else [f"expected {expected} to be removed, got {found}"]
