"""What a move of EXCHANGE did, in words: what the die threw, who lost or gained how much, who fell."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.games.exchange.board import DIE, EMPTY, NAMES, PROMOTED, ROOK, SIDE_OF, SIDES, STATE, TYPE_OF, square_name
from playmill.games.exchange.effects import apply, rolls
from playmill.games.exchange.moves import DECREE, PASS

ANY_DIE = list(range(1, DIE + 1))


def tell_move(before: Any, action: int, after: Any) -> str:
    """The die, then each piece whose HP changed; "" for a quiet move."""
    if action == PASS:
        return "nothing else can move"
    if action & 7 == DECREE:
        return "Royal Decree: +2 on dice of the next two own turns"
    start, end = action >> 15, action >> 9 & 63
    told = [_change(before, after, square, end if square == start else square) for square in range(64)]
    if before.piece[start] < PROMOTED <= after.piece[end]:
        told.append(f"the pawn becomes a queen with {after.hp[end]} HP")
    thrown = f"{_die(before, action, after)}: " if rolls(action) else ""
    words = ", ".join(part for part in told if part)
    return f"{thrown}{words}" if words else f"{thrown}nothing changes" if thrown else ""


def _die(before: Any, action: int, after: Any) -> str:
    """What the die threw; where several faces come to the same, as far as that can be told."""
    faces = [die for die in ANY_DIE if _follows(before, action, die, after)]
    if len(faces) <= 1:
        return f"die {faces[0]}" if faces else "die"
    return "any die" if faces == ANY_DIE else f"die {faces[0]} or more"


def _follows(before: Any, action: int, die: int, after: Any) -> bool:
    records = np.zeros(1, np.dtype((np.record, STATE)))
    records[0] = before
    apply(records[0], action, die)
    return bool(records[0].tobytes() == after.tobytes())


def _change(before: Any, after: Any, square: int, now: int) -> str:
    """What became of the piece on a square, which stands on `now` if it lives; "" if nothing did."""
    code = int(before.piece[square])
    if code == EMPTY or (code < PROMOTED <= after.piece[now]):
        return ""
    name = f"{SIDES[SIDE_OF[code]]}'s {NAMES[TYPE_OF[code]]} on {square_name(now)}"
    if after.piece[now] == EMPTY or SIDE_OF[after.piece[now]] != SIDE_OF[code]:
        return f"{name} falls"
    gained = int(after.hp[now]) - int(before.hp[square])
    interposes = " interposes," if TYPE_OF[code] == ROOK and after.charges[now] < before.charges[square] else ""
    return f"{name}{interposes} {gained:+d} HP, has {after.hp[now]}" if gained else ""
