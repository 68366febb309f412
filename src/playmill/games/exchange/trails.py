"""Reading the trail of a position: the quiet moves that repetitions are found in."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from playmill.core.errors import UsageError
from playmill.games import one
from playmill.games.exchange.board import EMPTY, square_name
from playmill.games.exchange.moves import MOVE, PASS, pack
from playmill.games.exchange.position_text import quiet_text
from playmill.games.exchange.rules import EXCHANGE
from playmill.games.state import State

FORM = re.compile(r"([a-h][1-8])([a-h][1-8])|--")


def follow_trail(records: Any, text: str) -> Any:
    """The record after its trail, of which `records` has the last position: it is taken back to its beginning, and played."""
    if text == "-":
        return records
    record = records[0]
    moves = [_read_move(word) for word in text.split(",")]
    if len(moves) > record.calm:
        raise UsageError(f"exchange: trail: expected at most the {record.calm} calm plies, got {len(moves)} in '{text}'")
    if record.cooldown.any() or record.decree.any():
        raise UsageError(
            "exchange: trail: expected '-' while something cools down or Royal Decree is active: it can't come again"
        )
    first = records.copy()
    for move in reversed(moves):
        _take_back(first[0], move)
    return _play(first, moves, records)


def _read_move(word: str) -> int:
    match = FORM.fullmatch(word)
    if match is None:
        raise UsageError(f"exchange: trail: expected moves such as g1f3, with commas between them, or '--', got '{word}'")
    return 0 if word == "--" else 64 * _number(match[1]) + _number(match[2])


def _number(name: str) -> int:
    return 8 * (int(name[1]) - 1) + "abcdefgh".index(name[0])


def _take_back(record: Any, move: int) -> None:
    start, end = move >> 6, move & 63
    if move and (record.piece[end] == EMPTY or record.piece[start] != EMPTY):
        word = f"a piece on {square_name(end)} that came from {square_name(start)}, which is empty"
        raise UsageError(f"exchange: trail: {quiet_text(move)}: expected {word}")
    for field in ("piece", "hp", "charges") if move else ():
        record[field][start], record[field][end] = record[field][end], 0
    for side in range(2):
        if move and record.king[side] == end:
            record.king[side] = start
    record.turn, record.calm, record.mover = record.turn - 1, record.calm - 1, 1 - record.mover


def _play(records: Any, moves: list[int], last: Any) -> Any:
    """Play the trail with the rules themselves, so that one that can't have been is found out."""
    for move in moves:
        action = PASS if move == 0 else int(pack(move >> 6, move & 63, move & 63, MOVE))
        if action not in State(EXCHANGE, records, 0, 0).legal_actions:
            raise UsageError(f"exchange: trail: {quiet_text(move)}: expected a legal move of the position before it")
        one.play_one(EXCHANGE, records, action, np.uint64(0))
    record = records[0]
    if record.quiet != len(moves):
        raise UsageError("exchange: trail: expected quiet moves only, none of a pawn")
    assert record.piece.tobytes() == last[0].piece.tobytes()
    return records
