"""Moves of EXCHANGE as text, and back.

g1f3      a move                     d1d4!xd6  Overextend: slide to d4, hit d6
e3e5^     Advance                    c3xc4!d3  Skirmish: hit c4, step to d3
e4xd5     a hit from where it stands c1+e3     Consecration
b1c3xc4   a knight's jump and hit    e1*       Royal Decree
--        a pass
"""

from __future__ import annotations

import re
from typing import Any

from playmill.core.errors import IllegalAction
from playmill.games.exchange.board import EMPTY, NAMES, SIDE_OF, SIDES, TYPE_OF, square_name
from playmill.games.exchange.moves import PASS
from playmill.games.state import State

LEGEND = {
    "g1f3": "a move",
    "e4xd5": "a hit from where it stands",
    "b1c3xc4": "a knight's jump to c3 and hit at c4",
    "d1d4!xd6": "Overextend: slide to d4, hit d6",
    "c3xc4!d3": "Skirmish: hit c4, step to d3",
    "e3e5^": "Advance",
    "c1+e3": "Consecration of e3",
    "e1*": "Royal Decree",
}
FORMS = (
    "{start}{end}",
    "{start}{end}^",
    "{start}x{target}",
    "{start}{end}x{target}",
    "{start}{end}!x{target}",
    "{start}x{target}!{end}",
    "{start}+{target}",
    "{start}*",
)


def move_text(action: int) -> str:
    """A move as text; it says all that the move's number does."""
    if action == PASS:
        return "--"
    start, end, target = (square_name(square) for square in (action >> 15, action >> 9 & 63, action >> 3 & 63))
    return FORMS[action & 7].format(start=start, end=end, target=target)


def piece_text(record: Any, action: int) -> str:
    """Which piece a move is one of: "knight g1"; "pass" for none."""
    start = action >> 15
    return "pass" if action == PASS else f"{NAMES[TYPE_OF[record.piece[start]]]} {square_name(start)}"


def read_move(state: State, text: str) -> int:
    """The legal move that a text means; an illegal one is refused with what its piece may do."""
    text = "".join(text.lower().split())
    moves = {move_text(action): action for action in state.legal_actions}
    if text in moves:
        return moves[text]
    if state.is_over:
        raise IllegalAction(f"exchange: '{text}' can't be played, the game is over in '{state.line}'")
    raise IllegalAction(f"exchange: '{text}' is illegal: {_why(state.record, text, list(moves))}")


def _why(record: Any, text: str, moves: list[str]) -> str:
    side = SIDES[int(record.mover)]
    match = re.match("[a-h][1-8]", text)
    if moves == ["--"]:
        return f"{side} has no other move than '--'"
    if match is None:
        return f"expected a move such as g1f3, e4xd5 or e1*, beginning with the square of one of {side}'s pieces"
    name = match[0]
    code = int(record.piece[8 * (int(name[1]) - 1) + "abcdefgh".index(name[0])])
    if code == EMPTY or SIDE_OF[code] != record.mover:
        there = "nothing" if code == EMPTY else f"{SIDES[SIDE_OF[code]]}'s {NAMES[TYPE_OF[code]]}"
        able = ", ".join(sorted({move[:2] for move in moves}))
        return f"expected one of {side}'s pieces on {name}, got {there}; those on {able} can do something"
    piece = f"{side}'s {NAMES[TYPE_OF[code]]} on {name}"
    own = [move for move in moves if move.startswith(name)]
    return f"of {piece} legal moves are {', '.join(own)}" if own else f"{piece} has no legal move"
