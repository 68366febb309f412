"""EXCHANGE as a picture: the board with its pieces, their HP as bars, cooldowns and charges."""

from __future__ import annotations

from typing import Any

from playmill.games.exchange.board import (
    CHARGES,
    EMPTY,
    LETTERS,
    MAX_HP,
    PROMOTED,
    SIDE_OF,
    TYPE_OF,
)
from playmill.games.exchange.moves import ATTACK, CONSECRATION, PASS
from playmill.games.exchange.shapes import outline
from playmill.games.exchange.table import decrees, standing
from playmill.games.svg import FAINT, HIGHLIGHT, INK, caption, sheet, tag, text

CELL, MARGIN = 56.0, 26.0
LIGHT, DARK = "#f0ead9", "#c9b998"
FILLS, EDGE = ("#fffdf7", "#333c46"), "#10161d"
HEALTHY, HURT, DYING, LOST = "#3f9b5a", "#d99a1c", "#c8321f", "#8d8371"
WAITING = "#6a4fa3"
BAR, BAR_HEIGHT = 44.0, 4.5
MOVERS = ("#d9d4c6", "#333c46")


def draw_board(record: Any) -> str:
    """The board from White's side, White's pieces light."""
    size, words = 8 * CELL, standing(record) + decrees(record)
    squares = "".join(_square(square) for square in range(64))
    pieces = "".join(_piece(record, square) for square in range(64) if record.piece[square] != EMPTY)
    names = "".join(_names(i) for i in range(8))
    is_over = words.startswith("over")
    line = caption(MARGIN + size / 2, MARGIN + size + 42, words, None if is_over else MOVERS[int(record.mover)])
    return sheet(size + 2 * MARGIN, size + 2 * MARGIN + 34, f"EXCHANGE, {words}", squares, names, pieces, line)


def mark_move(_before: Any, action: int) -> str:
    """Where a move came from and went, and whom it hit or healed."""
    if action == PASS:
        return ""
    start, end, target = action >> 15, action >> 9 & 63, action >> 3 & 63
    kind = action & 7
    squares = "".join(_frame(square, HIGHLIGHT) for square in sorted({start, end}))
    aims = ATTACK <= kind <= CONSECRATION
    aim = _frame(target, HEALTHY if kind == CONSECRATION else DYING) if aims else ""
    return squares + (_way(start, end) if start != end else "") + aim


def _frame(square: int, colour: str) -> str:
    x, y = _corner(square)
    side = CELL - 3
    return tag("rect", x=x + 1.5, y=y + 1.5, width=side, height=side, rx=4, fill="none", stroke=colour, stroke_width=3)


def _way(start: int, end: int) -> str:
    """A line from square to square, under which the pieces are still seen."""
    (x1, y1), (x2, y2) = (tuple(c + CELL / 2 for c in _corner(square)) for square in (start, end))
    spot = tag("circle", cx=x1, cy=y1, r=6, fill=HIGHLIGHT, fill_opacity=0.8)
    return spot + tag(
        "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=HIGHLIGHT, stroke_width=5, stroke_linecap="round", stroke_opacity=0.55
    )


def _corner(square: int) -> tuple[float, float]:
    return MARGIN + CELL * (square % 8), MARGIN + CELL * (7 - square // 8)


def _square(square: int) -> str:
    x, y = _corner(square)
    return tag("rect", x=x, y=y, width=CELL, height=CELL, fill=LIGHT if (square % 8 + square // 8) % 2 else DARK)


def _names(i: int) -> str:
    """The name of a file below the board, and of a rank beside it."""
    file = text(MARGIN + CELL * (i + 0.5), MARGIN + 8 * CELL + 16, "abcdefgh"[i], 12, FAINT, text_anchor="middle")
    return file + text(MARGIN - 10, MARGIN + CELL * (7.5 - i) + 4, str(i + 1), 12, FAINT, text_anchor="middle")


def _piece(record: Any, square: int) -> str:
    code = int(record.piece[square])
    kind, side = int(TYPE_OF[code]), int(SIDE_OF[code])
    x, y = _corner(square)
    shape = tag(
        "path", d=outline(LETTERS[kind]), transform=f"translate({x + CELL / 2:g},{y + 40:g})", fill=FILLS[side],
        stroke=EDGE, stroke_width=1.4, stroke_linejoin="round",
    )  # fmt: skip
    crown = tag("circle", cx=x + CELL / 2, cy=y + 26, r=3.2, fill=HIGHLIGHT, stroke=INK, stroke_width=0.6)
    return shape + (crown if code >= PROMOTED else "") + _bar(record, square, kind) + _ability(record, square, kind)


def _bar(record: Any, square: int, kind: int) -> str:
    """How much HP is left, as a bar with the number beside the piece."""
    x, y = _corner(square)
    left, top, share = x + (CELL - BAR) / 2, y + CELL - 10, record.hp[square] / MAX_HP[kind]
    shade = HEALTHY if share > 0.6 else HURT if share > 0.3 else DYING
    whole = tag("rect", x=left, y=top, width=BAR, height=BAR_HEIGHT, rx=2, fill=LOST)
    full = tag("rect", x=left, y=top, width=round(BAR * share, 1), height=BAR_HEIGHT, rx=2, fill=shade)
    return whole + full + text(x + 4, y + 12, str(record.hp[square]), 10, INK)


def _ability(record: Any, square: int, kind: int) -> str:
    """Charges as dots down the right side; a cooldown as a number in a ring above them."""
    x, y = _corner(square)
    left = int(record.charges[square])
    dots = "".join(tag("circle", cx=x + CELL - 5, cy=y + CELL - 15 - 5 * i, r=1.7, fill=WAITING) for i in range(left))
    if CHARGES[kind] and not left:
        dots = tag("path", d=f"M{x + CELL - 7:g},{y + CELL - 17:g}l4,4m0,-4l-4,4", stroke=DYING, stroke_width=1.4)
    if not record.cooldown[square]:
        return dots
    ring = tag("circle", cx=x + CELL - 8, cy=y + 9, r=6, fill="#ffffff", stroke=WAITING, stroke_width=1.4)
    return dots + ring + text(x + CELL - 8, y + 12.4, str(record.cooldown[square]), 9.5, WAITING, text_anchor="middle")
