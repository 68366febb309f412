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
ONE = np.uint64(1)
# A set of squares is a word, a bit a square; the last of BITS, that of the square -1, is of none.
BITS = np.array([*(1 << square for square in range(64)), 0], np.uint64)
BESIDE = np.bitwise_or.reduce(BITS[RAYS[:, ::2, 0]], axis=1)  # the neighbours on straight lines
ZONES = BITS[:64] | np.bitwise_or.reduce(BITS[RAYS[:, :, 0]], axis=1)


@kernel
def map_attacks(state, counts, damage, zone_attackers):
    """Fill zeroed maps: `counts` [2, 64] attackers, `damage` [2, 64] expected, and who attacks each side's king zone [2].

    A side's zone is its king's square and the neighbours; `zone_attackers[side]` counts the other side's pieces that attack it.
    """
    for square in range(64):
        code = state.piece[square]
        if code == EMPTY:
            continue
        side, kind = SIDE_OF[code], TYPE_OF[code]
        bonus = DECREE_BONUS if state.decree[side] > 0 else 0
        expected = BASE_DAMAGE[kind] + MEAN_DIE + bonus
        reached = reach(state, side, kind, square)
        king = state.king[1 - side]
        if king >= 0 and reached & ZONES[king]:
            zone_attackers[1 - side] += 1
        for target in range(64):  # all of them, without a branch: the compiler does eight at a time
            hits = np.int64(reached >> np.uint64(target) & ONE)
            counts[side, target] += hits
            damage[side, target] += hits * expected


@kernel
def reach(state, side, kind, square):
    """The squares that a piece could hit, a bit each: a knight reaches some in two ways."""
    found = np.uint64(0)
    if kind == PAWN:
        ahead = UP if side == WHITE else DOWN
        found = BITS[RAYS[square, (ahead + 1) % 8, 0]] | BITS[RAYS[square, (ahead - 1) % 8, 0]]
    elif kind == KNIGHT:
        for i in range(8):
            end = LEAPS[square, i]
            if end >= 0 and state.piece[end] == EMPTY:
                found |= BESIDE[end]
    else:
        for direction in range(8):
            nearest, farthest = span(kind, direction)
            for i in range(farthest):
                target = RAYS[square, direction, i]
                if target < 0:
                    break
                if i + 1 >= nearest:
                    found |= BITS[target]
                if state.piece[target] != EMPTY:
                    break
    return found


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
