"""Go boards as pictures that look like a book's diagrams: wood, star points, coordinates, numbered moves and marks.

A part of the board can be shown, as books do with problems: lines then run on over the edges that are cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from playmill.core.errors import UsageError
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.board_text import star_places
from playmill.games.go.geometry import LETTERS, cell_of
from playmill.games.svg import INK, caption, sheet, tag, text

CELL, STONE, MARGIN, LABEL = 30.0, 14.2, 14.0, 22.0
LETTER = 6.8  # how wide a letter of the caption is, more or less
WOOD, WOOD_EDGE, LINE = "#ecc987", "#b98e4a", "#3d2f1a"
MARKS = ("triangle", "square", "circle", "cross")
SHAPES = {
    "triangle": "M0,-8.2L7.1,4.1H-7.1Z",
    "square": "M-5.4,-5.4H5.4V5.4H-5.4Z",
    "circle": "M-6.2,0a6.2,6.2 0 1 1 12.4,0a6.2,6.2 0 1 1 -12.4,0Z",
    "cross": "M-5.4,-5.4L5.4,5.4M-5.4,5.4L5.4,-5.4",
}
FILLS = {BLACK: "url(#black)", WHITE: "url(#white)"}
RIMS = {BLACK: "#000000", WHITE: "#5b5b5b"}
INKS = {BLACK: "#ffffff", WHITE: "#111111"}
SIDE_COLOURS = ("#111111", "#d8d4cb")  # of the dot in a caption
Place = tuple[int, int]


@dataclass(frozen=True)
class Diagram:
    """What to draw on a board; places are (row, column) from the top left.

    `marks` are the words in `MARKS` or a letter; `last` gets a small ring; `view` shows the places from its first to its
    second, both included.
    """

    numbers: Mapping[Place, int] = field(default_factory=dict)
    marks: Mapping[Place, str] = field(default_factory=dict)
    last: Place | None = None
    view: tuple[Place, Place] | None = None
    words: str = ""
    side: int | None = None  # whose dot stands before the words


def draw_diagram(board: Any, diagram: Diagram | None = None) -> str:
    """The board as the text of an SVG."""
    diagram = diagram or Diagram()
    size = int(board.width)
    view = diagram.view or ((0, 0), (size - 1, size - 1))
    _check(size, view, diagram)
    rows, columns = range(view[0][0], view[1][0] + 1), range(view[0][1], view[1][1] + 1)
    sheet_of = _Sheet(size, rows, columns)
    points = [(row, column) for row in rows for column in columns]
    stones = "".join(_stone(sheet_of, board, place) for place in points)
    signs = "".join(_sign(sheet_of, board, diagram, place) for place in points)
    return _framed(sheet_of, diagram, sheet_of.board() + stones + signs)


def _framed(where: _Sheet, diagram: Diagram, drawn: str) -> str:
    """The drawing with its words below, in the middle of a card that is wide enough for both."""
    words, title = diagram.words, f"Go {where.size}x{where.size}"
    if not words:
        return sheet(where.width, where.height, title, _shades(), drawn)
    width = max(where.width, LETTER * len(words) + 2 * MARGIN)
    middle = tag("g", drawn, transform=f"translate({(width - where.width) / 2:g},0)")
    dot = None if diagram.side is None else SIDE_COLOURS[diagram.side]
    line = caption(width / 2, where.height + 16, words, dot)
    return sheet(width, where.height + 30, f"{title}, {words}", _shades(), middle, line)


@dataclass(frozen=True)
class _Sheet:
    """Where things are on the paper."""

    size: int
    rows: range
    columns: range

    @property
    def width(self) -> float:
        return len(self.columns) * CELL + 2 * (MARGIN + LABEL)

    @property
    def height(self) -> float:
        return len(self.rows) * CELL + 2 * (MARGIN + LABEL)

    def x(self, column: float) -> float:
        return MARGIN + LABEL + (column - self.columns[0] + 0.5) * CELL

    def y(self, row: float) -> float:
        return MARGIN + LABEL + (row - self.rows[0] + 0.5) * CELL

    def board(self) -> str:
        """The wood, the lines, the star points and the coordinates."""
        wood = tag(
            "rect", x=MARGIN, y=MARGIN, width=self.width - 2 * MARGIN, height=self.height - 2 * MARGIN, rx=3, fill=WOOD,
            stroke=WOOD_EDGE, stroke_width=1.5,
        )  # fmt: skip
        lines = "".join([self._across(row) for row in self.rows] + [self._down(column) for column in self.columns])
        stars = "".join(
            tag("circle", cx=self.x(column), cy=self.y(row), r=2.8, fill=LINE)
            for row, column in star_places(self.size)
            if row in self.rows and column in self.columns
        )
        return wood + lines + stars + self._names()

    def _across(self, row: int) -> str:
        left, right = _ends(self.columns, self.size)
        return _line(self.x(left), self.y(row), self.x(right), self.y(row), row in (0, self.size - 1))

    def _down(self, column: int) -> str:
        top, bottom = _ends(self.rows, self.size)
        return _line(self.x(column), self.y(top), self.x(column), self.y(bottom), column in (0, self.size - 1))

    def _names(self) -> str:
        """Letters above and below, numbers on both sides."""
        words = {"text_anchor": "middle"}
        top, bottom = MARGIN + 15.0, self.height - MARGIN - 7
        left, right = MARGIN + 12.0, self.width - MARGIN - 12
        letters = [text(self.x(c), y, LETTERS[c], 12, LINE, **words) for c in self.columns for y in (top, bottom)]
        numbers = [text(x, self.y(r) + 4, str(self.size - r), 12, LINE, **words) for r in self.rows for x in (left, right)]
        return "".join(letters + numbers)


def _ends(shown: range, size: int) -> tuple[float, float]:
    """From where to where lines run: half a cell further where the board goes on."""
    return shown[0] - (0.5 if shown[0] > 0 else 0.0), shown[-1] + (0.5 if shown[-1] < size - 1 else 0.0)


def _line(x1: float, y1: float, x2: float, y2: float, is_edge: bool) -> str:
    return tag(
        "path", d=f"M{x1:g},{y1:g}L{x2:g},{y2:g}", stroke=LINE, stroke_width=1.8 if is_edge else 0.9, stroke_linecap="square"
    )


def _shades() -> str:
    """What makes stones look round."""
    light = [("#5a5a5a", "#0c0c0c", "black"), ("#ffffff", "#dcd9d2", "white")]
    return tag("defs", *(
        tag("radialGradient", tag("stop", offset=0, stop_color=inner), tag("stop", offset=1, stop_color=outer), id=name,
            cx="0.36", cy="0.32", r="0.75")
        for inner, outer, name in light
    ))  # fmt: skip


def _colour(board: Any, place: Place) -> int:
    return int(board.colour[cell_of(int(board.width), *place)])


def _stone(where: _Sheet, board: Any, place: Place) -> str:
    colour = _colour(board, place)
    if colour not in FILLS:
        return ""
    spot = {"cx": where.x(place[1]), "cy": where.y(place[0])}
    return tag("circle", **spot, r=STONE, fill=FILLS[colour], stroke=RIMS[colour], stroke_width=0.8)


def _sign(where: _Sheet, board: Any, diagram: Diagram, place: Place) -> str:
    """A move's number, a mark or a letter, or the ring of the last move."""
    colour, x, y = _colour(board, place), where.x(place[1]), where.y(place[0])
    ink = INKS.get(colour, INK)
    if place in diagram.numbers:
        number = str(diagram.numbers[place])
        ground = "" if colour in FILLS else _cleared(x, y)
        return ground + _words(x, y, number, 15.0 if len(number) < 3 else 12.0, ink)
    mark = diagram.marks.get(place)
    if mark in SHAPES:
        return tag(
            "path", d=SHAPES[mark], transform=f"translate({x:g},{y:g})", fill="none", stroke=ink, stroke_width=1.9,
            stroke_linejoin="round",
        )  # fmt: skip
    if mark:
        return ("" if colour in FILLS else _cleared(x, y)) + _words(x, y, mark, 17.0, ink)
    if place == diagram.last:
        return tag("circle", cx=x, cy=y, r=6.2, fill="none", stroke=ink, stroke_width=1.8)
    return ""


def _cleared(x: float, y: float) -> str:
    """A spot of wood, so that lines don't run through a letter."""
    return tag("circle", cx=x, cy=y, r=10, fill=WOOD)


def _words(x: float, y: float, words: str, size: float, ink: str) -> str:
    return text(x, y + 0.36 * size, words, size, ink, text_anchor="middle", font_weight="bold")


def _check(size: int, view: tuple[Place, Place], diagram: Diagram) -> None:
    (top, left), (bottom, right) = view
    if not (0 <= top <= bottom < size and 0 <= left <= right < size):
        raise UsageError(f"go: view: expected two places on a board of {size}x{size}, top left first, got {view}")
    for place, mark in diagram.marks.items():
        if mark not in SHAPES and len(mark) != 1:
            raise UsageError(f"go: marks: expected {', '.join(MARKS)} or a letter, got {mark!r} at {place}")
