"""Who could hit what: attack maps of both sides, by the reach of EXCHANGE's pieces.

A square counts as attacked by a piece that could hit an enemy there now, abilities aside: a knight attacks what its jumps with
a hit reach. A square with a piece of the own side counts too; it is defended.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.exchange.board import (
    BASE_DAMAGE,
    BISHOP,
    DECREE_BONUS,
    DOWN,
    EMPTY,
    FAR,
    KING,
    KNIGHT,
    LEAPS,
    PAWN,
    QUEEN,
    RAYS,
    ROOK,
    SIDE_OF,
    TYPE_OF,
    UP,
    WHITE,
)

MEAN_DIE = 3.5


@kernel
def map_attacks(state, counts, damage, zone_attackers):
    """Fill zeroed maps: `counts` [2, 64] attackers, `damage` [2, 64] expected, and who attacks each side's king zone [2].

    A side's zone is its king's square and the neighbours; `zone_attackers[side]` counts the other side's pieces that attack it.
    """
    reached = np.full(64, -1, np.int64)  # by the piece on which square, last: a knight reaches some squares in two ways
    for square in range(64):
        code = state.piece[square]
        if code == EMPTY:
            continue
        side, kind = SIDE_OF[code], TYPE_OF[code]
        bonus = DECREE_BONUS if state.decree[side] > 0 else 0
        expected = BASE_DAMAGE[kind] + MEAN_DIE + bonus
        mark_reach(state, side, kind, square, reached, counts[side], damage[side], expected)
        if attacks_zone(reached, square, np.int64(state.king[1 - side])):
            zone_attackers[1 - side] += 1


@kernel
def attacks_zone(reached, square, king):
    if king < 0:
        return False
    if reached[king] == square:
        return True
    for direction in range(8):
        near = RAYS[king, direction, 0]
        if near >= 0 and reached[near] == square:
            return True
    return False


@kernel
def mark_reach(state, side, kind, square, reached, counts, damage, expected):
    """Count the piece on every square that it could hit."""
    if kind == PAWN:
        ahead = UP if side == WHITE else DOWN
        mark(RAYS[square, (ahead + 1) % 8, 0], square, reached, counts, damage, expected)
        mark(RAYS[square, (ahead - 1) % 8, 0], square, reached, counts, damage, expected)
    elif kind == KNIGHT:
        for i in range(8):
            end = LEAPS[square, i]
            if end >= 0 and state.piece[end] == EMPTY:
                for direction in range(0, 8, 2):
                    mark(RAYS[end, direction, 0], square, reached, counts, damage, expected)
    else:
        for direction in range(8):
            nearest, farthest = span(kind, direction)
            for i in range(farthest):
                target = RAYS[square, direction, i]
                if target < 0:
                    break
                if i + 1 >= nearest:
                    mark(target, square, reached, counts, damage, expected)
                if state.piece[target] != EMPTY:
                    break


@kernel
def span(kind, direction):
    """From which to which distance a piece hits on a line; none if the second is 0."""
    if kind == KING:
        return 1, 1
    if kind == QUEEN:
        return 1, FAR
    if kind == ROOK:
        return 1, 2 - direction % 2
    if kind == BISHOP and direction % 2 == 1:
        return 2, FAR
    return 1, 0


@kernel
def mark(target, square, reached, counts, damage, expected):
    """Count a hit of the piece on `square`, once."""
    if target >= 0 and reached[target] != square:
        reached[target] = square
        counts[target] += 1
        damage[target] += expected
