"""The map's geometry, read from shapes.yaml: provinces as rings of shared borders, and the spots where things are drawn."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from playmill.core.errors import unknown_name

SHAPES = Path(__file__).with_name("shapes.yaml")
EDGE = "edge"  # beyond the sheet
IMPASSABLE = "sui"

Spot = tuple[float, float]


@dataclass(frozen=True)
class Border:
    """The line between two areas; its first and last points are the corners `ends`."""

    areas: tuple[str, str]
    ends: tuple[str, str]
    points: tuple[Spot, ...]

    @property
    def is_straight(self) -> bool:
        """The sheet's own edge keeps its corners; all else is drawn as a smooth curve."""
        return EDGE in self.areas

    def turned(self) -> Border:
        return Border(self.areas, self.ends[::-1], self.points[::-1])


@dataclass(frozen=True)
class Place:
    """Where a province's label, unit, dislodged unit, supply centre, coastal fleets and the coasts' names go."""

    name: str
    label: Spot
    unit: Spot
    retreat: Spot
    centre: Spot | None
    coasts: Mapping[str, Spot]
    coast_labels: Mapping[str, Spot]


@dataclass(frozen=True)
class Shapes:
    """The whole sheet. Islands, lakes and straits are decoration."""

    size: tuple[int, int]
    seas: frozenset[str]
    borders: tuple[Border, ...]
    islands: Mapping[str, tuple[Spot, ...]]
    lakes: Mapping[str, tuple[Spot, ...]]
    straits: Mapping[str, tuple[Spot, ...]]
    places: Mapping[str, Place]

    def chain(self, area: str) -> list[Border]:
        """The area's borders, head to tail."""
        left = [border for border in self.borders if area in border.areas]
        chain = [left.pop(0)]
        while left:
            following = next(border for border in left if chain[-1].ends[1] in border.ends)
            left.remove(following)
            chain.append(following if following.ends[0] == chain[-1].ends[1] else following.turned())
        return chain

    def ring(self, area: str) -> list[Spot]:
        """The area's corner and border points, in order; the last one is joined to the first."""
        return [point for border in self.chain(area) for point in border.points[:-1]]

    def outline(self, area: str) -> str:
        """The area as a closed SVG path."""
        chain = self.chain(area)
        return f"M{xy(chain[0].points[0])}" + "".join(_stroke(border) for border in chain) + "z"

    def coast(self) -> str:
        """All lines between land and sea as one open SVG path."""
        lines = (b for b in self.borders if EDGE not in b.areas and len(self.seas.intersection(b.areas)) == 1)
        return "".join(f"M{xy(line.points[0])}{_stroke(line)}" for line in lines)

    def spot(self, location: str) -> Spot:
        """Where a unit stands: in a province, or on one coast of it (`stp/sc`)."""
        here, coast = self._find(location)
        return here.coasts[coast] if coast else here.unit

    def retreat(self, location: str) -> Spot:
        """Where a dislodged unit waits, beside the one that came."""
        return self._find(location)[0].retreat

    def locations(self) -> list[str]:
        """All 81 of them: the provinces and the six coasts."""
        return [*self.places, *(f"{name}/{coast}" for name, here in self.places.items() for coast in here.coasts)]

    def _find(self, location: str) -> tuple[Place, str]:
        province, _, coast = location.partition("/")
        here = self.places.get(province)
        if here is None or (coast and coast not in here.coasts):
            raise unknown_name("location", location, self.locations())
        return here, coast


@functools.cache
def load_shapes() -> Shapes:
    """The map; read once."""
    data = yaml.safe_load(SHAPES.read_text(encoding="utf-8"))
    corners = {name: (float(x), float(y)) for name, (x, y) in data["corners"].items()}
    return Shapes(
        size=(data["size"][0], data["size"][1]),
        seas=frozenset(data["seas"]),
        borders=tuple(_border(first, second, line, corners) for first, second, line in data["borders"]),
        islands=_lines(data["islands"]),
        lakes=_lines(data["lakes"]),
        straits=_lines(data["straits"]),
        places={province: _place(row) for province, row in data["places"].items()},
    )


def xy(spot: Spot) -> str:
    """A spot as SVG writes it; a tenth of a unit is finer than a pixel."""
    return ",".join(number(value) for value in spot)


def number(value: float) -> str:
    """A coordinate without needless digits; never `-0`."""
    return f"{round(value, 1) + 0.0:g}"


def open_curve(points: Sequence[Spot]) -> str:
    """A smooth path from the first point to the last, bent towards those between. It is the same line from either end."""
    if len(points) == 2:
        return f"L{xy(points[1])}"
    bends = points[1:-1]
    stops = [*(middle(a, b) for a, b in itertools.pairwise(bends)), points[-1]]
    return "".join(f"Q{xy(bend)} {xy(stop)}" for bend, stop in zip(bends, stops, strict=True))


def closed_curve(points: Sequence[Spot]) -> str:
    """A smooth closed path inside the polygon of `points`."""
    stops = [middle(a, b) for a, b in zip(points, [*points[1:], points[0]], strict=True)]
    return f"M{xy(stops[-1])}" + "".join(f"Q{xy(p)} {xy(s)}" for p, s in zip(points, stops, strict=True)) + "z"


def middle(a: Spot, b: Spot) -> Spot:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _stroke(border: Border) -> str:
    if border.is_straight:
        return "".join(f"L{xy(point)}" for point in border.points[1:])
    return open_curve(border.points)


def _border(first: str, second: str, line: str, corners: Mapping[str, Spot]) -> Border:
    words = line.split()
    points = (corners[words[0]], *map(_point, words[1:-1]), corners[words[-1]])
    return Border((first, second), (words[0], words[-1]), points)


def _lines(rows: Mapping[str, str]) -> dict[str, tuple[Spot, ...]]:
    return {name: tuple(map(_point, line.split())) for name, line in rows.items()}


def _point(word: str) -> Spot:
    x, y = word.split(",")
    return float(x), float(y)


def _place(row: Mapping[str, Any]) -> Place:
    coasts = {name: _spot(pair) for name, pair in row.get("coasts", {}).items()}
    names = {name: _spot(pair) for name, pair in row.get("coast_labels", {}).items()}
    centre = _spot(row["centre"]) if "centre" in row else None
    return Place(row["name"], _spot(row["label"]), _spot(row["unit"]), _spot(row["retreat"]), centre, coasts, names)


def _spot(pair: Sequence[float]) -> Spot:
    return float(pair[0]), float(pair[1])
