"""Positions of EXCHANGE as text, after chess's FEN: board, side, Decree, turn, calm plies, trail.

    rnbqk2r/pppp(5)pppp/8/4p3/2B(8~2*2)1P3/8/PPPP1PPP/RNBQK(*2)1NR b 10 7 1 -

Ranks from 8 to 1, digits for empty squares, capitals for White; a queen that was a pawn is `Q+`. In brackets stands what
differs from a fresh piece, in this order: its HP, `~` and its cooldown, `*` and the charges left. Then the side to move, the
turns that Royal Decree is active for White and for Black, the plies played, the plies since the last damage, and the quiet
moves since the last position that can't come again, or `-`. A text means one record, and a record has one text; `notation.py`
reads it.
"""

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
    WHITE,
    square_name,
)


def position_text(record: Any) -> str:
    """The record as one line without a break."""
    ranks = "/".join(_rank_text(record, rank) for rank in reversed(range(8)))
    decree = "".join(str(turns) for turns in record.decree)
    return f"{ranks} {'wb'[int(record.mover)]} {decree} {record.turn} {record.calm} {trail_text(record)}"


def _rank_text(record: Any, rank: int) -> str:
    words: list[str] = []
    for square in range(8 * rank, 8 * rank + 8):
        if record.piece[square] != EMPTY:
            words.append(piece_text(record, square))
        elif words and words[-1].isdigit():
            words[-1] = str(int(words[-1]) + 1)
        else:
            words.append("1")
    return "".join(words)


def piece_text(record: Any, square: int) -> str:
    """A piece as it stands in a text: its letter, and what differs from a fresh one."""
    code = int(record.piece[square])
    kind = int(TYPE_OF[code])
    letter = LETTERS[kind] if SIDE_OF[code] == WHITE else LETTERS[kind].lower()
    hp, cooldown, charges = (int(part[square]) for part in (record.hp, record.cooldown, record.charges))
    inside = str(hp) if hp != MAX_HP[kind] else ""
    inside += f"~{cooldown}" if cooldown else ""
    inside += f"*{charges}" if charges != CHARGES[kind] else ""
    return letter + "+" * (code >= PROMOTED) + (f"({inside})" if inside else "")


def trail_text(record: Any) -> str:
    """Quiet moves with commas between them, or "-"."""
    return ",".join(quiet_text(int(move)) for move in record.trail[: record.quiet]) or "-"


def quiet_text(move: int) -> str:
    return square_name(move >> 6) + square_name(move & 63) if move else "--"
