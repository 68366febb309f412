"""Positions as text: `<year><s|f><m|r|b>/<units>/<centres>/<dislodged>`, and in retreat phases `/<contested>`.

    1901sm/Aabud,Aftri,Aavie,.../Abud,Atri,...,Nbel,.../-
    1902fr/Aatri,Iaven,.../.../Aatyr<ven,Ffbre<-/bur,pic

A unit is power, kind and province with its coast (`Rfstp.sc`), a centre power and province with N for nobody. A dislodged unit
also has the province that its attacker came from, or `-` if it came by convoy: then it may retreat there, too. `-` stands for
an empty list. The fifth field lists the provinces that a stand-off closed to retreats; where it is missing, there are none.
Writing is canonical: powers A E F G I R T N, provinces by their letters.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from playmill.core.errors import UsageError
from playmill.games.diplomacy.geography import (
    ARMY,
    CENTRE_COUNT,
    CENTRES,
    FLEET,
    IS_CENTRE,
    LETTERS,
    LOCATIONS,
    NAMES,
    NOBODY,
    PROVINCE_COUNT,
    PROVINCES,
)
from playmill.games.diplomacy.places import misplaced, place_text, read_place
from playmill.games.diplomacy.plain import PROVINCE, Plain
from playmill.games.diplomacy.state import (
    FALL_RETREATS,
    FIRST_YEAR,
    PHASES,
    SPRING_RETREATS,
    UNIT_LIMIT,
    phase_name,
)

EMPTY = "-"
FIELDS = ("phase", "units", "centres", "dislodged", "contested")
UNIT_KINDS = {"a": ARMY, "f": FLEET}
LAST_YEAR = 9999
CENTRE_LIST = CENTRES.tolist()


@dataclass(frozen=True)
class _Item:
    """One piece of a field, and where it stands, so that errors can point at it."""

    field: str
    text: str
    position: int

    def fail(self, problem: str) -> UsageError:
        return UsageError(f"DFEN: {self.field}: '{self.text}' at position {self.position}: {problem}")


def read_dfen(text: str) -> Plain:
    """The position that the text describes."""
    fields = text.strip().split("/")
    if len(fields) not in (4, 5):
        raise UsageError(f"DFEN: expected 4 or 5 fields between '/', got {len(fields)}: '{_short(text)}'")
    state = Plain()
    starts = [1 + sum(len(field) + 1 for field in fields[:number]) for number in range(len(fields))]
    items = [list(_items(*row)) for row in zip(FIELDS, fields, starts, strict=False)]
    _read_phase(state, items[0])
    _read_units(state, items[1])
    _read_centres(state, items[2])
    _read_dislodged(state, items[3])
    _read_contested(state, items[4] if len(items) > 4 else [])
    return state


def write_dfen(state: Plain) -> str:
    """The position's text."""
    units = [
        (state.power[p], p, _unit_text(state.power[p], state.kind[p], state.at[p]))
        for p in range(PROVINCE_COUNT)
        if state.kind[p]
    ]
    centres = [(state.owner[p] % 8, p, _centre_text(state.owner[p], p)) for p in CENTRE_LIST]  # nobody's come last
    out = [(state.out_power[p], p, _dislodged_text(state, p)) for p in range(PROVINCE_COUNT) if state.out_kind[p]]
    fields = [phase_name(state), _joined(units), _joined(centres), _joined(out)]
    if state.phase in (SPRING_RETREATS, FALL_RETREATS):
        fields.append(_joined([(0, p, PROVINCES[p]) for p in range(PROVINCE_COUNT) if state.contested[p]]))
    return "/".join(fields)


# ------------------------------------------------------------------ reading


def _items(field: str, text: str, start: int) -> Iterator[_Item]:
    """The pieces of a field; none of one that is `-`."""
    position = start
    for part in [] if text == EMPTY else text.split(","):
        yield _Item(field, part, position)
        position += len(part) + 1


def _read_phase(state: Plain, items: list[_Item]) -> None:
    item = items[0] if items else _Item("phase", EMPTY, 1)
    found = re.fullmatch(r"(\d{4})(sm|sr|fm|fr|fb)", item.text)
    if not found:
        raise item.fail(f"expected a year and one of {', '.join(PHASES)}, such as 1901sm")
    if int(found[1]) < FIRST_YEAR:
        raise item.fail(f"expected a year from {FIRST_YEAR} to {LAST_YEAR}")
    state.year, state.phase = int(found[1]), PHASES.index(found[2])


def _read_units(state: Plain, items: list[_Item]) -> None:
    if len(items) > UNIT_LIMIT:
        raise UsageError(f"DFEN: units: expected at most {UNIT_LIMIT}, one for each centre, got {len(items)}")
    for item in items:
        power, kind, location = _read_unit(item, item.text)
        province = PROVINCE[location]
        if state.kind[province]:
            raise item.fail(f"there is already a unit in {NAMES[province]}")
        state.put(kind, power, location)


def _read_unit(item: _Item, text: str) -> tuple[int, int, int]:
    """Power, kind and location of a text such as Rfstp.sc."""
    try:
        return _parse_unit(text)
    except UsageError as error:
        raise item.fail(str(error)) from None


@functools.lru_cache(maxsize=1 << 12)
def _parse_unit(text: str) -> tuple[int, int, int]:
    power, kind = text[:1], text[1:2]
    if not power or power not in LETTERS:
        raise UsageError(f"expected a power, one of {LETTERS}, got '{power}'")
    if kind not in UNIT_KINDS:
        raise UsageError(f"expected a (army) or f (fleet) after the power, got '{kind}'")
    location = read_place(text[2:], ".")
    problem = misplaced(UNIT_KINDS[kind], location)
    if problem:
        raise UsageError(problem)
    return LETTERS.index(power), UNIT_KINDS[kind], location


def _read_place(item: _Item, text: str) -> int:
    try:
        return read_place(text, ".")
    except UsageError as error:
        raise item.fail(str(error)) from None


def _read_province(item: _Item, text: str) -> int:
    location = _read_place(item, text)
    if location != PROVINCE[location]:
        raise item.fail("expected a province without a coast")
    return location


def _read_centres(state: Plain, items: list[_Item]) -> None:
    seen: set[int] = set()
    for item in items:
        owner = item.text[:1]
        if not owner or owner not in LETTERS + "N":
            raise item.fail(f"expected a power, one of {LETTERS}, or N for nobody, got '{owner}'")
        province = _read_province(item, item.text[1:])
        if not IS_CENTRE[province]:
            raise item.fail(f"{NAMES[province]} is no supply centre")
        if province in seen:
            raise item.fail(f"{NAMES[province]} is listed twice")
        seen.add(province)
        state.owner[province] = LETTERS.find(owner)
    if len(seen) != CENTRE_COUNT:
        missing = ", ".join(PROVINCES[p] for p in CENTRE_LIST if p not in seen)
        raise UsageError(f"DFEN: centres: expected all {CENTRE_COUNT}, got {len(seen)}; missing: {missing}")


def _read_dislodged(state: Plain, items: list[_Item]) -> None:
    for item in items:
        _require_retreats(state, item)
        unit, arrow, source = item.text.partition("<")
        if not arrow:
            raise item.fail("expected a unit, '<' and the province that its attacker came from, or '-' for a convoy")
        power, kind, location = _read_unit(item, unit)
        province = PROVINCE[location]
        if state.out_kind[province]:
            raise item.fail(f"there is already a dislodged unit in {NAMES[province]}")
        if not state.kind[province]:
            raise item.fail(f"nobody stands in {NAMES[province]}, so nobody was dislodged there")
        state.put_dislodged(kind, power, location, NOBODY if source == EMPTY else _read_province(item, source))


def _read_contested(state: Plain, items: list[_Item]) -> None:
    for item in items:
        _require_retreats(state, item)
        province = _read_province(item, item.text)
        if state.kind[province]:
            raise item.fail(f"a stand-off leaves the province empty, and there is a unit in {NAMES[province]}")
        state.contested[province] = 1


def _require_retreats(state: Plain, item: _Item) -> None:
    if state.phase not in (SPRING_RETREATS, FALL_RETREATS):
        raise item.fail(f"expected '-' in phase {phase_name(state)}, which has no retreats")


def _short(text: str, width: int = 60) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


# ------------------------------------------------------------------ writing


def _unit_text(power: int, kind: int, location: int) -> str:
    return f"{LETTERS[power]}{'a' if kind == ARMY else 'f'}{place_text(location, '.')}"


def _centre_text(owner: int, province: int) -> str:
    return f"{'N' if owner == NOBODY else LETTERS[owner]}{LOCATIONS[province]}"


def _dislodged_text(state: Plain, province: int) -> str:
    unit = _unit_text(state.out_power[province], state.out_kind[province], state.out_at[province])
    source = state.out_from[province]
    return f"{unit}<{EMPTY if source == NOBODY else PROVINCES[source]}"


def _joined(rows: list[tuple[int, int, str]]) -> str:
    return ",".join(text for _, _, text in sorted(rows)) or EMPTY
