"""EXCHANGE in the terminal: a board with HP bars, cooldowns and charges; in colours where it is looked at."""

from __future__ import annotations

import os
import sys
from typing import Any

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

BAR = 5
FILES = "     " + "".join(f"{file:<8}" for file in "abcdefgh").rstrip()
SIDE_COLOURS = ("1;38;5;208", "1;38;5;39")  # orange and blue, which stay apart for colour-blind eyes
HEALTHY, HURT, DYING = "38;5;71", "38;5;178", "38;5;160"


def draw_table(record: Any, colour: bool | None = None) -> str:
    """The board from White's side. A piece has its letter and HP (`~` and its cooldown), below a bar and `*` with its charges.

    White's letters are capitals; a queen that was a pawn is Q+. Colours are for a terminal that has not asked for none.
    """
    is_coloured = _wants_colour() if colour is None else colour
    lines = [FILES]
    for rank in reversed(range(8)):
        squares = range(8 * rank, 8 * rank + 8)
        for label, part in ((str(rank + 1), _upper), (" ", _lower)):
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


def _wants_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _painted(words: str, colour: str, is_coloured: bool) -> str:
    return f"\x1b[{colour}m{words}\x1b[0m" if is_coloured else words


def _upper(record: Any, square: int, is_coloured: bool) -> str:
    """Eight columns: letter, HP, cooldown."""
    code = int(record.piece[square])
    if code == EMPTY:
        return f"{'.':<8}"
    letter = LETTERS[TYPE_OF[code]] if SIDE_OF[code] == WHITE else LETTERS[TYPE_OF[code]].lower()
    cooldown = f"~{record.cooldown[square]}" if record.cooldown[square] else ""
    words = f"{letter}{'+' if code >= PROMOTED else ''}{record.hp[square]}{cooldown}"
    return _painted(words, SIDE_COLOURS[SIDE_OF[code]], is_coloured) + " " * (8 - len(words))


def _lower(record: Any, square: int, is_coloured: bool) -> str:
    """Eight columns: the bar, the charges."""
    code = int(record.piece[square])
    if code == EMPTY:
        return " " * 8
    share = float(record.hp[square] / MAX_HP[TYPE_OF[code]])
    full = max(1, round(BAR * share))
    shade = HEALTHY if share > 0.6 else HURT if share > 0.3 else DYING
    charges = f"*{record.charges[square]}" if CHARGES[TYPE_OF[code]] else "  "
    return _painted("━" * full, shade, is_coloured) + "─" * (BAR - full) + charges + " "
