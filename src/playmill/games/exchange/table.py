"""EXCHANGE in the terminal: a board with HP bars, cooldowns and charges; in colours where it is looked at."""

from __future__ import annotations

from typing import Any

from playmill.core.terminal import columns, painted, wants_colour
from playmill.games.exchange.board import (
    CHARGES,
    EMPTY,
    LETTERS,
    MAX_HP,
    MAX_REPEATS,
    MAX_TURNS,
    PROMOTED,
    SIDE_OF,
    SIDES,
    TYPE_OF,
    WHITE,
)

LEGEND = {
    "N8~2 *4": "a knight with 8 HP; 2 turns till its ability is ready, 4 uses left",
    "Q+7": "a queen that was a pawn",
}
BAR = 5
CELL, NARROW_CELL = 8, 4  # columns of a square
WIDE = 70  # columns, under which the narrow board is drawn
SIDE_COLOURS = ("1;38;5;208", "1;38;5;39")  # orange and blue, which stay apart for colour-blind eyes
HEALTHY, HURT, DYING = "38;5;71", "38;5;178", "38;5;160"


def draw_table(record: Any, colour: bool | None = None, width: int | None = None) -> str:
    """The board from White's side. A piece has its letter and HP (`~` and its cooldown), below a bar and `*` with its charges.

    White's letters are capitals; a queen that was a pawn is Q+. Colours are for a terminal that has not asked for none. In less
    than 70 columns a square has four: the bar is short, and gives way to a cooldown.
    """
    is_coloured = wants_colour() if colour is None else colour
    is_narrow = (columns() if width is None else width) < WIDE
    cell, parts = (NARROW_CELL, (_narrow_upper, _narrow_lower)) if is_narrow else (CELL, (_upper, _lower))
    lines = [("     " + "".join(f"{file:<{cell}}" for file in "abcdefgh")).rstrip()]
    for rank in reversed(range(8)):
        squares = range(8 * rank, 8 * rank + 8)
        for label, part in zip((str(rank + 1), " "), parts, strict=True):
            cells = "".join(part(record, square, is_coloured) for square in squares)
            lines.append(f"  {label}  {cells}".rstrip())
    return "\n".join([*lines, "", standing(record) + decrees(record)])


def standing(record: Any) -> str:
    """Who is to move, or how it ended."""
    for side in range(2):
        if record.king[side] < 0:
            return f"over: {SIDES[1 - side]} has won"
    if (record.alive == 1).all():
        return "over: drawn, only the kings are left"
    if record.repeats >= MAX_REPEATS:
        return "over: drawn, the position is there for the third time"
    if record.turn >= MAX_TURNS:
        return f"over: drawn after {MAX_TURNS} turns"
    return f"turn {record.turn}, {SIDES[int(record.mover)]} to move"


def decrees(record: Any) -> str:
    """Whose Royal Decree is active, and for how long."""
    active = [f"{SIDES[side]}'s for {record.decree[side]}" for side in range(2) if record.decree[side]]
    return f"; Royal Decree: {', '.join(active)}" if active else ""


def _upper(record: Any, square: int, is_coloured: bool) -> str:
    """Eight columns: letter, HP, cooldown."""
    cooldown = f"~{record.cooldown[square]}" if record.cooldown[square] else ""
    return _named(record, square, cooldown, CELL, is_coloured)


def _narrow_upper(record: Any, square: int, is_coloured: bool) -> str:
    """Four columns: letter, HP."""
    return _named(record, square, "", NARROW_CELL, is_coloured)


def _named(record: Any, square: int, tail: str, width: int, is_coloured: bool) -> str:
    """The piece on a square, in its side's colour."""
    code = int(record.piece[square])
    if code == EMPTY:
        return f"{'.':<{width}}"
    letter = LETTERS[TYPE_OF[code]] if SIDE_OF[code] == WHITE else LETTERS[TYPE_OF[code]].lower()
    words = f"{letter}{'+' if code >= PROMOTED else ''}{record.hp[square]}{tail}"
    return painted(words, SIDE_COLOURS[SIDE_OF[code]], is_coloured) + " " * (width - len(words))


def _lower(record: Any, square: int, is_coloured: bool) -> str:
    """Eight columns: the bar, the charges."""
    if record.piece[square] == EMPTY:
        return " " * CELL
    return _bar(record, square, BAR, is_coloured) + (_charges(record, square) or "  ") + " "


def _narrow_lower(record: Any, square: int, is_coloured: bool) -> str:
    """Four columns: the cooldown or a bar, the charges."""
    if record.piece[square] == EMPTY:
        return " " * NARROW_CELL
    charges = _charges(record, square)
    if record.cooldown[square]:
        return f"~{record.cooldown[square]}{charges}".ljust(NARROW_CELL)
    return _bar(record, square, NARROW_CELL - 1 - len(charges), is_coloured) + charges + " "


def _charges(record: Any, square: int) -> str:
    return f"*{record.charges[square]}" if CHARGES[TYPE_OF[int(record.piece[square])]] else ""


def _bar(record: Any, square: int, length: int, is_coloured: bool) -> str:
    """How much HP is left."""
    share = float(record.hp[square] / MAX_HP[TYPE_OF[int(record.piece[square])]])
    full = max(1, round(length * share))
    shade = HEALTHY if share > 0.6 else HURT if share > 0.3 else DYING
    return painted("━" * full, shade, is_coloured) + "─" * (length - full)
