"""What stands and moves on the map: units, supply centres, and orders as arrows, rings and crosses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

from playmill.core.errors import unknown_name
from playmill.games.diplomacy.draw_shapes import Spot, middle, number, xy

UNIT = 12.5  # an army's radius; a fleet is as high and wider
GHOST = "#ffffff"
FAILED = "#e4002b"
INK = "#1d2733"
FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
ARROW_BEND = 0.09  # of its length, to its left: two units that swap get two arrows, not one on top of the other
CONVOY_BEND = 0.22
HEAD_LENGTH, HEAD_WIDTH = 12.0, 5.5
HULLS = {
    "a": f'<circle r="{UNIT:g}"/>',
    "f": '<path d="M-17.5,-9.5H17.5L13,6Q11,11 5,11H-5Q-11,11 -13,6z"/>',
}


@dataclass(frozen=True)
class Power:
    """A power's colours: its provinces, its units with the letter on them, and its orders."""

    name: str
    tint: str
    unit: str
    letter: str
    line: str


# After the Okabe-Ito palette, whose colours stay apart for colour-blind eyes; tints and lines are paler and darker kin.
POWERS = {
    "A": Power("Austria", "#f2a077", "#d55e00", "#ffffff", "#9c4400"),
    "E": Power("England", "#7495cb", "#0a559c", "#ffffff", "#083f75"),
    "F": Power("France", "#a6d6fb", "#56b4e9", INK, "#13679c"),
    "G": Power("Germany", "#9d9996", "#474747", "#ffffff", "#262626"),
    "I": Power("Italy", "#8fdfae", "#00875f", "#ffffff", "#00573d"),
    "R": Power("Russia", "#ebbad3", "#cc79a7", INK, "#8b2d63"),
    "T": Power("Turkey", "#f4e06f", "#efcf1a", INK, "#7d6900"),
}


@dataclass(frozen=True)
class Arrow:
    """A bent line from `start` to `end`; `bend` is the point it leans towards."""

    start: Spot
    bend: Spot
    end: Spot

    @property
    def middle(self) -> Spot:
        """Where supports and convoys join it."""
        return self.at(0.5)

    def at(self, share: float) -> Spot:
        """The spot after a share of the way."""
        return between(between(self.start, self.bend, share), between(self.bend, self.end, share), share)

    def parts(self, share: float) -> tuple[Arrow, Arrow]:
        """The arrow up to a share of the way, and the rest."""
        first, last, cut = between(self.start, self.bend, share), between(self.bend, self.end, share), self.at(share)
        return Arrow(self.start, first, cut), Arrow(cut, last, self.end)


def power(letter: str) -> Power:
    if letter not in POWERS:
        raise unknown_name("power", letter, POWERS)
    return POWERS[letter]


def arrow(start: Spot, end: Spot, lean: float = ARROW_BEND, gaps: tuple[float, float] = (UNIT, UNIT)) -> Arrow:
    """The line between two spots, cut short by `gaps` so that it starts and stops beside the units there."""
    half, (dx, dy) = middle(start, end), (end[0] - start[0], end[1] - start[1])
    bend = (half[0] + dy * lean, half[1] - dx * lean)
    return Arrow(towards(start, bend, gaps[0]), bend, towards(end, bend, gaps[1]))


def between(start: Spot, end: Spot, share: float) -> Spot:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def towards(start: Spot, end: Spot, steps: float) -> Spot:
    """The spot `steps` away from `start`, never beyond `end`."""
    length = math.dist(start, end) or 1.0
    return between(start, end, min(1.0, steps / length))


def unit(spot: Spot, owner: Power, kind: str, words: str = "") -> str:
    """An army is a disc with an A, a fleet a hull with an F: the shape says it without the colour."""
    if kind not in HULLS:
        raise unknown_name("unit", kind, HULLS)
    letter = f'<text y="5" fill="{owner.letter}" stroke="none">{kind.upper()}</text>'
    title = f"<title>{owner.name}, {'army' if kind == 'a' else 'fleet'}{words}</title>"
    return f'<g transform="translate({xy(spot)})" fill="{owner.unit}">{title}{HULLS[kind]}{letter}</g>'


def framed(units: str, colour: str = INK, dashes: str = "none", width: float = 1.6) -> str:
    """Units with the frame and the letters they share."""
    frame = f'stroke="{colour}" stroke-width="{width:g}" stroke-dasharray="{dashes}"'
    return f'<g {frame} font-size="15" font-weight="bold" text-anchor="middle">{units}</g>'


def centre(spot: Spot, colour: str, words: str) -> str:
    """A supply centre: a dot in its owner's colour inside a ring."""
    x, y = map(number, spot)
    dots = f'<circle cx="{x}" cy="{y}" r="6"/><circle cx="{x}" cy="{y}" r="3.2" fill="{colour}"/>'
    return f"<g><title>{escape(words)}</title>{dots}</g>"


def line(path: str, dashes: str = "") -> str:
    """A stroke on a pale bed, so that it shows on every colour below it."""
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path d="{path}" stroke="{GHOST}" stroke-width="6.5" stroke-opacity=".75"/><path d="{path}"{dash}/>'


def bent(shape: Arrow, dashes: str = "") -> str:
    """The arrow's shaft alone."""
    return line(f"M{xy(shape.start)}Q{xy(shape.bend)} {xy(shape.end)}", dashes)


def pointed(shape: Arrow, colour: str, dashes: str = "") -> str:
    """The arrow with its head."""
    neck = towards(shape.end, shape.bend, HEAD_LENGTH)
    dx, dy = (shape.end[0] - neck[0]) / HEAD_LENGTH * HEAD_WIDTH, (shape.end[1] - neck[1]) / HEAD_LENGTH * HEAD_WIDTH
    corners = (shape.end, (neck[0] - dy, neck[1] + dx), (neck[0] + dy, neck[1] - dx))
    head = " ".join(xy(corner) for corner in corners)
    shaft = bent(Arrow(shape.start, shape.bend, towards(shape.end, shape.bend, HEAD_LENGTH - 1)), dashes)
    return f'{shaft}<polygon points="{head}" fill="{colour}" stroke="{GHOST}" stroke-width="1"/>'


def ring(spot: Spot, radius: float, dashes: str = "") -> str:
    x, y, r = number(spot[0]), number(spot[1]), number(radius)
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<circle cx="{x}" cy="{y}" r="{r}" stroke="{GHOST}" stroke-width="6" stroke-opacity=".75"/>'
        f'<circle cx="{x}" cy="{y}" r="{r}"{dash}/>'
    )


def cross(spot: Spot, size: float = 6.0) -> str:
    """The sign of failure, or of a unit that goes."""
    x, y = spot
    ends = [(x - size, y - size), (x + size, y + size), (x - size, y + size), (x + size, y - size)]
    a, b, c, d = map(xy, ends)
    return line(f"M{a}L{b}M{c}L{d}")


def plus(spot: Spot, size: float = 5.0) -> str:
    x, y = spot
    return line(f"M{number(x - size)},{number(y)}h{number(2 * size)}M{number(x)},{number(y - size)}v{number(2 * size)}")


def dot(spot: Spot, colour: str) -> str:
    x, y = map(number, spot)
    return f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}" stroke="{GHOST}" stroke-width="1"/>'
