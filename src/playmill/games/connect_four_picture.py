"""Connect four as a picture: the rack with its discs, the numbers of its columns, and the four that won."""

from __future__ import annotations

from collections.abc import Collection

from playmill.games.svg import FAINT, caption, sheet, side_of, tag, text

CELL, HOLE, EDGE, MARGIN = 44.0, 17.5, 8.0, 16.0
RACK, RIM, EMPTY = "#2b5f9e", "#1f4a7f", "#f4f7fa"
DISCS = {"x": "#e4572e", "o": "#f6c445"}
RIMS = {"x": "#b83d18", "o": "#cf9a13"}
WON = "#ffffff"


def draw_rack(rows: list[str], won: Collection[tuple[int, int]], standing: str) -> str:
    """The rack: rows from the top, a character a cell ("x", "o" or "."); the (row, column) cells of a four that won."""
    across, down = len(rows[0]) * CELL + 2 * EDGE, len(rows) * CELL + 2 * EDGE
    cells = [_cell(r, c, mark, (r, c) in won) for r, row in enumerate(rows) for c, mark in enumerate(row)]
    return sheet(
        across + 2 * MARGIN,
        down + MARGIN + 60,
        f"connect four, {standing}",
        tag("rect", x=MARGIN, y=MARGIN, width=across, height=down, rx=14, fill=RACK, stroke=RIM, stroke_width=2),
        "".join(cells),
        "".join(_number(column, MARGIN + down + 18) for column in range(len(rows[0]))),
        caption(MARGIN + across / 2, MARGIN + down + 44, standing, DISCS.get(side_of(standing))),
    )


def _middle(index: int) -> float:
    return MARGIN + EDGE + (index + 0.5) * CELL


def _cell(row: int, column: int, mark: str, has_won: bool) -> str:
    spot = {"cx": _middle(column), "cy": _middle(row)}
    if mark == ".":
        return tag("circle", **spot, r=HOLE, fill=EMPTY, stroke=RIM, stroke_width=1.5)
    disc = tag("circle", **spot, r=HOLE, fill=DISCS[mark], stroke=RIMS[mark], stroke_width=1.5)
    ring = tag("circle", **spot, r=HOLE - 5.5, fill="none", stroke=RIMS[mark], stroke_width=1.5, stroke_opacity=0.6)
    star = tag("circle", **spot, r=HOLE - 1.5, fill="none", stroke=WON, stroke_width=4) if has_won else ""
    return disc + ring + star


def _number(column: int, y: float) -> str:
    return text(_middle(column), y, str(column + 1), 13, FAINT, text_anchor="middle")
