"""EXCHANGE's moves: their numbers, and which of them are legal.

A move is from << 15 | to << 9 | target << 3 | kind: the square where the piece stands, where it stands afterwards, the square
that it hits or heals (`to` where it does neither), and what it does. A pass, of a side that can do nothing else, is 1 << 21.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from playmill.core.bits import lowest_bit
from playmill.core.jit import kernel
from playmill.games.exchange.attacks import SPANS
from playmill.games.exchange.board import (
    BISHOP,
    CODES,
    DOWN,
    EMPTY,
    FAR,
    KING,
    KNIGHT,
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
from playmill.games.exchange.squares import (
    BELOW,
    BESIDE,
    BITS,
    LEAPT,
    NONE,
    ZONES,
    occupied_by,
    open_lines,
    union_of,
    without_lowest,
)

MOVE, ADVANCE, ATTACK, JUMP, OVEREXTEND, SKIRMISH, CONSECRATION, DECREE = range(8)
KINDS = ("move", "advance", "attack", "jump", "overextend", "skirmish", "consecration", "decree")
PASS = 1 << 21
ACTIONS = PASS + 1
# Without Overextend no side has more than 458 moves, that of nine queens. With it, random games have seen 160; a position that
# had more than fit, which takes a board full of new queens, is offered as many as fit.
MAX_LEGAL, MAX_OTHERS = 512, 458
HEALS = union_of(RAYS[:, 1::2, :FAR])


def _paths(code: int) -> NDArray[np.int64]:
    """The squares [64, directions, distances] that a piece would move along lines to, if they were open."""
    ahead = UP if SIDE_OF[code] == WHITE else DOWN
    paths = {KING: RAYS[:, :, :1], QUEEN: RAYS, ROOK: RAYS[:, ::2], BISHOP: RAYS[:, 1::2], PAWN: RAYS[:, ahead : ahead + 1, :2]}
    return paths.get(int(TYPE_OF[code]), RAYS[:, :0])


PATHS = np.stack([union_of(_paths(code)) for code in range(CODES)])  # [code, square]


@kernel
def pack(start, end, target, kind):
    return start << 15 | end << 9 | target << 3 | kind


@kernel
def generate(state, side, actions):
    """Fill `actions` with what `side` may do, ascending; return how many."""
    count, left = list_moves(state, side, MAX_LEGAL - MAX_OTHERS, actions)
    if left < 0:  # more Overextends than always fit, once in 7000 plies of random games: count the others
        others, _ = list_moves(state, side, 0, actions)
        count, _ = list_moves(state, side, MAX_LEGAL - others, actions)
    if count == 0:
        actions[0] = PASS
        count = 1
    return count


@kernel
def list_moves(state, side, left, actions):
    """Fill `actions` with at most `left` Overextends and all else; return the count and what is left, below 0 if too few were.

    Ascending: pieces by their squares, what each does by where it ends, then by target. So nothing is sorted.
    """
    white, black = occupied_by(state)
    own, enemy = (white, black) if side == WHITE else (black, white)
    count, pieces = 0, own
    while pieces:
        square = lowest_bit(pieces)
        pieces = without_lowest(pieces)
        kind = TYPE_OF[state.piece[square]]
        if kind == KNIGHT:
            count = of_knight(state, square, own | enemy, enemy, actions, count)
        elif kind == QUEEN and is_ready(state, square, False):
            count, left = of_ready_queen(state, square, own | enemy, enemy, left, actions, count)
        else:
            count = of_piece(state, kind, square, own, enemy, actions, count)
    return count, left


@kernel
def is_ready(state, square, has_limit):
    """Whether its ability may be used as far as cooldown and charges go."""
    return state.cooldown[square] == 0 and (not has_limit or state.charges[square] > 0)


@kernel
def first_piece(state, square, direction):
    """The first piece within reach on a line: its square and distance, or -1 and 0."""
    for i in range(FAR):
        found = RAYS[square, direction, i]
        if found < 0:
            break
        if state.piece[found] != EMPTY:
            return found, i + 1
    return -1, 0


@kernel
def of_piece(state, kind, square, own, enemy, actions, count):
    """What a piece does that moves or acts, but not both: it goes to lower squares, stays where it is, goes to higher ones."""
    code, occupied = state.piece[square], own | enemy
    lines = open_lines(occupied, square)
    ends = lines & PATHS[code, square] & ~occupied
    targets = lines & SPANS[code, square] & enemy
    if kind == PAWN and square // 8 != (1 if SIDE_OF[code] == WHITE else 6):
        return of_gone_pawn(state, square, ends, targets, enemy, actions, count)
    other = CONSECRATION
    if kind == KING and state.charges[square] > 0:
        targets |= BITS[square]
        other = DECREE
    elif kind == BISHOP and is_ready(state, square, True):
        targets |= hurt_ones(state, lines & HEALS[square] & own)
    return add_all(square, ends, targets, enemy, other, actions, count)


@kernel
def of_gone_pawn(state, square, ends, targets, enemy, actions, count):
    """A pawn that has left its first rank: of `ends`, the free ones of the two squares ahead, the second takes Advance."""
    if not is_ready(state, square, False):
        ends &= ZONES[square]
    first = count
    count = add_all(square, ends, targets, enemy, ATTACK, actions, count)
    if ends & ~ZONES[square]:
        actions[count - 1 if SIDE_OF[state.piece[square]] == WHITE else first] |= ADVANCE
    return count


@kernel
def add_all(square, ends, targets, enemy, other, actions, count):
    """Moves to lower squares, then hits and `other` from where the piece stands, then moves to higher squares."""
    count = add_moves(square, ends & BELOW[square], actions, count)
    count = add_aimed(square, square, targets, enemy, ATTACK, other, actions, count)
    return add_moves(square, ends & ~BELOW[square], actions, count)


@kernel
def add_moves(square, ends, actions, count):
    """Moves to squares of a set, ascending."""
    while ends:
        end = lowest_bit(ends)
        actions[count] = pack(square, end, end, MOVE)
        count += 1
        ends = without_lowest(ends)
    return count


@kernel
def add_aimed(square, end, targets, enemy, hit, other, actions, count):
    """What ends on one square, ascending by target: `hit` at enemies, and `other` where no enemy is."""
    while targets:
        target = lowest_bit(targets)
        actions[count] = pack(square, end, target, hit if enemy & BITS[target] else other)
        count += 1
        targets = without_lowest(targets)
    return count


@kernel
def hurt_ones(state, squares):
    """Those of a set of pieces that can be healed."""
    hurt = NONE
    while squares:
        square = lowest_bit(squares)
        if state.hp[square] < MAX_HP[TYPE_OF[state.piece[square]]]:
            hurt |= BITS[square]
        squares = without_lowest(squares)
    return hurt


@kernel
def of_knight(state, square, occupied, enemy, actions, count):
    """Leaps, with a hit beside the new square or without; and steps after a hit beside the old one, Skirmish."""
    leaps, around = LEAPT[square] & ~occupied, BESIDE[square] & enemy
    steps = ZONES[square] & ~occupied if around and is_ready(state, square, True) else NONE
    ends = leaps | steps
    while ends:
        end = lowest_bit(ends)
        if leaps & BITS[end]:
            count = add_aimed(square, end, BESIDE[end] & enemy | BITS[end], enemy, JUMP, MOVE, actions, count)
        else:
            count = add_aimed(square, end, around, enemy, SKIRMISH, SKIRMISH, actions, count)
        ends = without_lowest(ends)
    return count


@kernel
def of_ready_queen(state, square, occupied, enemy, left, actions, count):
    """Moves, each also with a hit from where it ends, and hits from where the queen stands; the count, and what is `left`."""
    code, lines = state.piece[square], open_lines(occupied, square)
    ends = lines & ~occupied | BITS[square]
    while ends:
        end = lowest_bit(ends)
        # The square that it left is empty by then.
        targets = open_lines(occupied & ~BITS[square], end) & SPANS[code, end] & enemy
        if end == square:
            count = add_aimed(square, square, targets, enemy, ATTACK, ATTACK, actions, count)
        else:
            if left < 8:
                targets, left = as_many(targets, left)
            before = count
            count = add_aimed(square, end, targets | BITS[end], enemy, OVEREXTEND, MOVE, actions, count)
            left -= count - before - 1
        ends = without_lowest(ends)
    return count, left


@kernel
def as_many(squares, most):
    """The first so many of a set; and how many were asked for, or -1 if there were more."""
    kept, room = NONE, most
    while squares and room > 0:
        kept |= squares & ~without_lowest(squares)
        squares = without_lowest(squares)
        room -= 1
    return kept, -1 if squares else most
