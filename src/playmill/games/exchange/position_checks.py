"""What no position of EXCHANGE can be, with the square that shows it."""

from __future__ import annotations

from typing import Any

from playmill.core.errors import UsageError
from playmill.games.exchange.board import (
    BISHOP,
    CHARGES,
    EMPTY,
    KING,
    KNIGHT,
    MAX_HP,
    NAMES,
    PAWN,
    PROMOTED,
    QUEEN,
    ROOK,
    SEEN_COOLDOWN,
    SIDE_OF,
    SIDES,
    TYPE_OF,
    square_name,
)

MOST = {KING: 1, QUEEN: 1, ROOK: 2, BISHOP: 2, KNIGHT: 2, PAWN: 8}


def check_pieces(record: Any) -> None:
    """Each piece by itself, then how many there are; fills `king` and `alive`."""
    squares = [square for square in range(64) if record.piece[square] != EMPTY]
    for square in squares:
        _check_piece(record, square)
    record.king = (-1, -1)
    for side in range(2):
        own = [square for square in squares if SIDE_OF[record.piece[square]] == side]
        record.alive[side] = len(own)
        _check_counts(record, side, own)
    if (record.king < 0).all():
        raise UsageError("exchange: expected a king of at least one side, got none")


def _check_piece(record: Any, square: int) -> None:
    kind, side = int(TYPE_OF[record.piece[square]]), int(SIDE_OF[record.piece[square]])
    limits = {
        "HP": (record.hp, 1, MAX_HP[kind]),
        "a cooldown": (record.cooldown, 0, SEEN_COOLDOWN[kind]),
        "charges": (record.charges, 0, CHARGES[kind]),
    }
    for what, (numbers, least, most) in limits.items():
        if not least <= numbers[square] <= most:
            expected = f"{what} of {least} to {most} for a {NAMES[kind]}"
            raise UsageError(f"exchange: {square_name(square)}: expected {expected}, got {numbers[square]}")
    if kind == PAWN and square // 8 in (0, 7):
        raise UsageError(f"exchange: {square_name(square)}: expected no pawn on a first or last rank, got {SIDES[side]}'s")


def _check_counts(record: Any, side: int, own: list[int]) -> None:
    promoted = [square for square in own if record.piece[square] >= PROMOTED]
    for kind, most in MOST.items():
        found = [square for square in own if TYPE_OF[record.piece[square]] == kind and square not in promoted]
        allowed = most - len(promoted) if kind == PAWN else most
        if len(found) > max(0, allowed):
            tail = " beside its new queens" if kind == PAWN and promoted else ""
            expected = f"at most {max(0, allowed)} of {SIDES[side]}'s {NAMES[kind]}s{tail}"
            raise UsageError(f"exchange: {square_name(found[-1])}: expected {expected}, got {len(found)}")
        if kind == KING and found:
            record.king[side] = found[0]
    if len(promoted) > MOST[PAWN]:
        raise UsageError(
            f"exchange: {square_name(promoted[-1])}: expected at most 8 queens that were pawns, got {len(promoted)}"
        )


def check_position(record: Any) -> None:
    """What the fields say together."""
    for side in range(2):
        king = int(record.king[side])
        if record.decree[side] and king >= 0 and record.charges[king] == CHARGES[KING]:
            why = f"its king on {square_name(king)} has all its charges"
            raise UsageError(f"exchange: decree: expected 0 for {SIDES[side]}, since {why}, got {record.decree[side]}")
