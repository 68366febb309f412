"""The map as arrays for kernels, read from `map.yaml` and checked while it is read.

A province is a number, 0..74, by its three letters. A location is where a unit stands: the province itself, or for a fleet in
a province with two coasts one of the coasts, 75..80. A sea also has a number of its own, 0..18, so that sets of seas fit the
bits of one word.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np
import yaml

from playmill.core.errors import UsageError

ARMY, FLEET = 1, 2
INLAND, COASTAL, SEA = 0, 1, 2
KINDS = {"inland": INLAND, "coastal": COASTAL, "sea": SEA}
NOBODY = -1


def read_map() -> dict[str, Any]:
    """The map file as it stands."""
    text = files(__package__).joinpath("map.yaml").read_text(encoding="utf-8")
    data: dict[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return data


_DATA = read_map()
_ROWS: dict[str, dict[str, Any]] = dict(sorted(_DATA["provinces"].items()))

POWERS: tuple[str, ...] = tuple(_DATA["powers"])
LETTERS = "".join(power[0].upper() for power in POWERS)
PROVINCES: tuple[str, ...] = tuple(_ROWS)
COASTS: tuple[str, ...] = tuple(f"{name}/{coast}" for name, row in _ROWS.items() for coast in row.get("coasts", ()))
LOCATIONS = PROVINCES + COASTS
NAMES: tuple[str, ...] = tuple(row["name"] for row in _ROWS.values())
ALIASES: dict[str, str] = {alias: name for name, aliases in _DATA["aliases"].items() for alias in aliases}
INDEX = {name: number for number, name in enumerate(LOCATIONS)}

POWER_COUNT = len(POWERS)
PROVINCE_COUNT = len(PROVINCES)
LOCATION_COUNT = len(LOCATIONS)


def fleet_neighbours(location: str) -> list[str]:
    """The places that a fleet can go to from `location`; none from a province whose coasts must be named."""
    name, _, coast = location.partition("/")
    row = _ROWS[name]
    places: list[str] = row.get("coasts", {}).get(coast, []) if coast else row.get("fleets", [])
    return places


def _army_table() -> np.ndarray:
    table = np.zeros((LOCATION_COUNT, LOCATION_COUNT), np.bool_)
    for name, row in _ROWS.items():
        for other in row.get("armies", ()):
            table[INDEX[name], INDEX[other]] = True
    return table


def _fleet_table() -> np.ndarray:
    table = np.zeros((LOCATION_COUNT, LOCATION_COUNT), np.bool_)
    for name in LOCATIONS:
        for other in fleet_neighbours(name):
            table[INDEX[name], INDEX[other]] = True
    return table


def _lists(table: np.ndarray) -> np.ndarray:
    """Each row's true columns, closed by -1."""
    rows = [np.flatnonzero(row) for row in table]
    out = np.full((len(rows), max(row.size for row in rows) + 1), NOBODY, np.int64)
    for number, row in enumerate(rows):
        out[number, : row.size] = row
    return out


def check_map() -> None:
    """Refuse a map whose borders are not the same from both sides, or that sends a unit where it can't be."""
    for label, table in (("armies", CAN_GO[ARMY]), ("fleets", CAN_GO[FLEET])):
        one_way = np.argwhere(table & ~table.T)
        if one_way.size:
            a, b = (LOCATIONS[number] for number in one_way[0])
            raise UsageError(f"map.yaml: provinces.{a}.{label}: '{b}' is listed here, but '{a}' is not listed under '{b}'")
    for name, row in _ROWS.items():
        if row["kind"] not in KINDS:
            raise UsageError(f"map.yaml: provinces.{name}.kind: expected one of {', '.join(KINDS)}, got '{row['kind']}'")
        if (row["kind"] == "sea" and "armies" in row) or (row["kind"] == "inland" and ("fleets" in row or "coasts" in row)):
            raise UsageError(f"map.yaml: provinces.{name}: a province of kind {row['kind']} has borders of the other kind")


# ------------------------------------------------------------------ what kernels read

KIND = np.array([KINDS.get(row["kind"], NOBODY) for row in _ROWS.values()], np.int64)
IS_CENTRE = np.array([bool(row.get("centre")) for row in _ROWS.values()])
HOME = np.array([POWERS.index(row["home"]) if "home" in row else NOBODY for row in _ROWS.values()], np.int64)
PROVINCE_OF = np.array([INDEX[name.partition("/")[0]] for name in LOCATIONS], np.int64)
HAS_COASTS = np.array(["coasts" in row for row in _ROWS.values()])
# Of a province with two coasts, its first one; the other has the next number.
FIRST_COAST = np.array([INDEX.get(next((c for c in COASTS if c.startswith(name)), ""), NOBODY) for name in PROVINCES], np.int64)
CENTRES = np.flatnonzero(IS_CENTRE).astype(np.int64)
CENTRE_COUNT = len(CENTRES)
HOMES = _lists(HOME[None, :] == np.arange(POWER_COUNT)[:, None])

# [unit kind, from, to], by location; kind 0 is nobody. A fleet's target has its coast.
CAN_GO = np.stack([np.zeros((LOCATION_COUNT, LOCATION_COUNT), np.bool_), _army_table(), _fleet_table()])
# The same, to any coast of a province: where a unit can lend support.
REACHES = np.zeros((3, LOCATION_COUNT, PROVINCE_COUNT), np.bool_)
for _place in range(LOCATION_COUNT):
    REACHES[:, :, PROVINCE_OF[_place]] |= CAN_GO[:, :, _place]
# [unit kind, from]: the locations in reach, closed by -1.
GOES_TO = np.full((3, LOCATION_COUNT, int(CAN_GO.sum(axis=2).max()) + 1), NOBODY, np.int64)
for _kind in (ARMY, FLEET):
    _rows = _lists(CAN_GO[_kind])
    GOES_TO[_kind, :, : _rows.shape[1]] = _rows

SEAS = np.flatnonzero(KIND == SEA).astype(np.int64)
SEA_COUNT = len(SEAS)
SEA_NUMBER = np.full(PROVINCE_COUNT, NOBODY, np.int64)
SEA_NUMBER[SEAS] = np.arange(SEA_COUNT)
SEA_BIT = np.where(KIND == SEA, 1 << np.maximum(SEA_NUMBER, 0).astype(np.int64), 0)
# The seas that border a province, as bits; any coast counts, as an army has none. For a sea: its neighbours.
SEAS_BY = np.zeros(PROVINCE_COUNT, np.int64)
for _place in range(LOCATION_COUNT):
    for _sea in SEAS:
        if CAN_GO[FLEET, _place, _sea]:
            SEAS_BY[PROVINCE_OF[_place]] |= SEA_BIT[_sea]
SEA_NEIGHBOURS = SEAS_BY[SEAS]
# The coastal provinces that a fleet at sea can put an army ashore in, closed by -1; by the sea's own number.
SHORES = _lists(((SEAS_BY[None, :] >> np.arange(SEA_COUNT)[:, None]) & 1).astype(bool) & (KIND == COASTAL)[None, :])

# A power of two below 2**66 has its own remainder by 67: the number of a set's lowest bit, without a loop.
BIT_NUMBER = np.zeros(67, np.int64)
for _bit in range(64):
    BIT_NUMBER[(1 << _bit) % 67] = _bit

check_map()
