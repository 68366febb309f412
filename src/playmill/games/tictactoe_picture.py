"""Tic-tac-toe as a picture: crosses and noughts, and the line that won."""

from __future__ import annotations

from collections.abc import Sequence

from playmill.games.svg import FAINT, FIRST, HIGHLIGHT, LINE, SECOND, caption, sheet, side_of, tag, text

CELL, LEFT, TOP = 62.0, 34.0, 16.0
SIDE = 3 * CELL
COLOURS = {"x": FIRST, "o": SECOND}


def draw_squares(marks: str, won: Sequence[int], standing: str) -> str:
    """The board: a character a square ("x", "o" or ".", row by row), the squares of a line that won, and a line below."""
    return sheet(
        LEFT + SIDE + 18,
        TOP + SIDE + 60,
        f"tic-tac-toe, {standing}",
        "".join(_highlight(square) for square in won),
        _grid(),
        "".join(_mark(square, mark) for square, mark in enumerate(marks) if mark != "."),
        _names(),
        caption(LEFT + SIDE / 2, TOP + SIDE + 46, standing, COLOURS.get(side_of(standing))),
    )


def _spot(square: int) -> tuple[float, float]:
    """The middle of a square."""
    return LEFT + (square % 3 + 0.5) * CELL, TOP + (square // 3 + 0.5) * CELL


def _grid() -> str:
    lines = "".join(
        f"M{LEFT + i * CELL:g},{TOP:g}v{SIDE:g}M{LEFT:g},{TOP + i * CELL:g}h{SIDE:g}" for i in (1, 2)
    )  # fmt: skip
    return tag("path", d=lines, stroke=LINE, stroke_width=4, stroke_linecap="round")


def _highlight(square: int) -> str:
    x, y = _spot(square)
    half = CELL / 2 - 5
    box = {"x": x - half, "y": y - half, "width": 2 * half, "height": 2 * half}
    return tag("rect", **box, rx=9, fill=HIGHLIGHT, fill_opacity=0.35)


def _mark(square: int, mark: str) -> str:
    x, y = _spot(square)
    style: dict[str, float | str] = {"stroke": COLOURS[mark], "stroke_width": 8, "fill": "none", "stroke_linecap": "round"}
    if mark == "o":
        return tag("circle", cx=x, cy=y, r=16, **style)
    return tag("path", d=f"M{x - 14:g},{y - 14:g}l28,28m0,-28l-28,28", **style)


def _names() -> str:
    """The rows and columns, as actions are called."""
    rows = [text(16, TOP + (row + 0.5) * CELL + 5, str(3 - row), 13, FAINT) for row in range(3)]
    columns = [
        text(LEFT + (i + 0.5) * CELL, TOP + SIDE + 18, name, 13, FAINT, text_anchor="middle") for i, name in enumerate("abc")
    ]
    return "".join([*rows, *columns])
