"""EXCHANGE's moves: their numbers, and which of them are legal.

A move is from << 15 | to << 9 | target << 3 | kind: the square where the piece stands, where it stands afterwards, the square
that it hits or heals (`to` where it does neither), and what it does. A pass, of a side that can do nothing else, is 1 << 21.
"""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.exchange.board import (
    BISHOP,
    DOWN,
    EMPTY,
    FAR,
    KNIGHT,
    LEAPS,
    MAX_HP,
    PAWN,
    QUEEN,
    RAYS,
    ROOK,
    SIDE_OF,
    TYPE_OF,
    UP,
    WHITE,
)

MOVE, ADVANCE, ATTACK, JUMP, OVEREXTEND, SKIRMISH, CONSECRATION, DECREE = range(8)
KINDS = ("move", "advance", "attack", "jump", "overextend", "skirmish", "consecration", "decree")
PASS = 1 << 21
ACTIONS = PASS + 1
# Without Overextend no side has more than 458 moves, that of nine queens. With it, random games have seen 160; a position that
# had more than fit, which takes a board full of new queens, is offered as many as fit.
MAX_LEGAL = 512


@kernel
def pack(start, end, target, kind):
    return start << 15 | end << 9 | target << 3 | kind


@kernel
def generate(state, side, actions):
    """Fill `actions` with what `side` may do, in no order; return how many."""
    count = 0
    first, last = MAX_LEGAL, 0  # what queens that may overextend do lies between
    for square in range(64):
        code = state.piece[square]
        if SIDE_OF[code] == side:
            kind, begin = TYPE_OF[code], count
            count = of_piece(state, side, square, kind, actions, count)
            if kind == QUEEN and is_ready(state, square, False):
                first, last = min(first, begin), count
    for i in range(first, last):
        square = actions[i] >> 15
        if actions[i] & 7 == MOVE and TYPE_OF[state.piece[square]] == QUEEN and is_ready(state, square, False):
            count = overextend(state, side, square, actions[i] >> 9 & 63, actions, count)
    if count == 0:
        actions[0] = PASS
        count = 1
    return count


@kernel
def of_piece(state, side, square, kind, actions, count):
    if kind == PAWN:
        return of_pawn(state, side, square, actions, count)
    if kind == KNIGHT:
        return of_knight(state, side, square, actions, count)
    if kind == QUEEN:
        return of_queen(state, side, square, actions, count)
    if kind == ROOK:
        return of_rook(state, side, square, actions, count)
    if kind == BISHOP:
        return of_bishop(state, side, square, actions, count)
    return of_king(state, side, square, actions, count)


@kernel
def is_enemy(state, side, square):
    code = state.piece[square]
    return code != EMPTY and SIDE_OF[code] != side


@kernel
def is_ready(state, square, has_limit):
    """Whether its ability may be used as far as cooldown and charges go."""
    return state.cooldown[square] == 0 and (not has_limit or state.charges[square] > 0)


@kernel
def slide(state, square, direction, actions, count):
    """Moves along a line; returns the count, and the first piece's square and distance, or -1 and 0."""
    for i in range(8):
        end = RAYS[square, direction, i]
        if end < 0:
            break
        if state.piece[end] != EMPTY:
            return count, end, i + 1
        actions[count] = pack(square, end, end, MOVE)
        count += 1
    return count, -1, 0


@kernel
def first_piece(state, square, direction, ignored):
    """The first piece within reach on a line, as if `ignored` were empty: its square and distance, or -1 and 0."""
    for i in range(FAR):
        found = RAYS[square, direction, i]
        if found < 0:
            break
        if state.piece[found] != EMPTY and found != ignored:
            return found, i + 1
    return -1, 0


@kernel
def of_king(state, side, square, actions, count):
    for direction in range(8):
        end = RAYS[square, direction, 0]
        if end < 0:
            continue
        if state.piece[end] == EMPTY:
            actions[count] = pack(square, end, end, MOVE)
            count += 1
        elif is_enemy(state, side, end):
            actions[count] = pack(square, square, end, ATTACK)
            count += 1
    if state.charges[square] > 0:
        actions[count] = pack(square, square, square, DECREE)
        count += 1
    return count


@kernel
def of_queen(state, side, square, actions, count):
    """All but Overextend."""
    for direction in range(8):
        count, hit, distance = slide(state, square, direction, actions, count)
        if hit >= 0 and distance <= FAR and is_enemy(state, side, hit):
            actions[count] = pack(square, square, hit, ATTACK)
            count += 1
    return count


@kernel
def overextend(state, side, square, end, actions, count):
    """Slide to `end`, then hit: the square that it left is empty by then."""
    for direction in range(8):
        hit, _ = first_piece(state, end, direction, square)
        if hit >= 0 and is_enemy(state, side, hit) and count < MAX_LEGAL:
            actions[count] = pack(square, end, hit, OVEREXTEND)
            count += 1
    return count


@kernel
def of_rook(state, side, square, actions, count):
    """Straight lines to move; the neighbours to hit, and two squares away on straight lines."""
    for direction in range(8):
        if direction % 2 == 0:
            count, hit, distance = slide(state, square, direction, actions, count)
        else:
            hit, distance = RAYS[square, direction, 0], 1
        if hit >= 0 and distance <= 2 and is_enemy(state, side, hit):
            actions[count] = pack(square, square, hit, ATTACK)
            count += 1
    return count


@kernel
def of_bishop(state, side, square, actions, count):
    heals = is_ready(state, square, True)
    for direction in range(1, 8, 2):
        count, hit, distance = slide(state, square, direction, actions, count)
        if hit < 0 or distance > FAR:
            continue
        if is_enemy(state, side, hit):
            if distance > 1:
                actions[count] = pack(square, square, hit, ATTACK)
                count += 1
        elif heals and state.hp[hit] < MAX_HP[TYPE_OF[state.piece[hit]]]:
            actions[count] = pack(square, square, hit, CONSECRATION)
            count += 1
    return count


@kernel
def of_knight(state, side, square, actions, count):
    for i in range(8):
        end = LEAPS[square, i]
        if end >= 0 and state.piece[end] == EMPTY:
            actions[count] = pack(square, end, end, MOVE)
            count = hits_around(state, side, square, end, end, JUMP, actions, count + 1)
    if is_ready(state, square, True):
        for direction in range(8):
            end = RAYS[square, direction, 0]
            if end >= 0 and state.piece[end] == EMPTY:
                count = hits_around(state, side, square, end, square, SKIRMISH, actions, count)
    return count


@kernel
def hits_around(state, side, square, end, middle, kind, actions, count):
    """A knight's hits at the four neighbours of the square where it stands when it hits."""
    for direction in range(0, 8, 2):
        hit = RAYS[middle, direction, 0]
        if hit >= 0 and is_enemy(state, side, hit):
            actions[count] = pack(square, end, hit, kind)
            count += 1
    return count


@kernel
def of_pawn(state, side, square, actions, count):
    ahead = UP if side == WHITE else DOWN
    for aside in (-1, 1):
        hit = RAYS[square, (ahead + aside) % 8, 0]
        if hit >= 0 and is_enemy(state, side, hit):
            actions[count] = pack(square, square, hit, ATTACK)
            count += 1
    one, two = RAYS[square, ahead, 0], RAYS[square, ahead, 1]
    if one < 0 or state.piece[one] != EMPTY:
        return count
    actions[count] = pack(square, one, one, MOVE)
    count += 1
    is_at_start = square // 8 == (1 if side == WHITE else 6)
    if two >= 0 and state.piece[two] == EMPTY and (is_at_start or is_ready(state, square, False)):
        actions[count] = pack(square, two, two, MOVE if is_at_start else ADVANCE)
        count += 1
    return count


@kernel
def sort(actions, count):
    """Ascending, in place; blocks of one piece already follow each other, so most have not far to go."""
    for i in range(1, count):
        action = actions[i]
        j = i
        while j > 0 and actions[j - 1] > action:
            actions[j] = actions[j - 1]
            j -= 1
        actions[j] = action
