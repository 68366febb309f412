"""Who could hit what: attack maps of both sides, by the reach of EXCHANGE's pieces.

A square counts as attacked by a piece that could hit an enemy there now, abilities aside: a knight attacks what its jumps with
a hit reach. A square with a piece of the own side counts too; it is defended.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from playmill.core.bits import ONE, lowest_bit
from playmill.core.jit import kernel
from playmill.games.exchange.board import (
    BASE_DAMAGE,
    BISHOP,
    CODES,
    DECREE_BONUS,
    DOWN,
    EMPTY,
    FAR,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    RAYS,
    ROOK,
    SIDE_OF,
    TYPE_OF,
    UP,
    WHITE,
)
from playmill.games.exchange.squares import BESIDE, LEAPT, NONE, ZONES, occupied_by, open_lines, union_of, without_lowest

MEAN_DIE = 3.5


def _span(code: int, direction: int) -> tuple[int, int]:
    """From which to which distance a piece hits on a line; none if the second is 0. A knight doesn't hit on lines."""
    kind = TYPE_OF[code]
    if kind == PAWN:
        ahead = UP if SIDE_OF[code] == WHITE else DOWN
        return 1, int(direction in ((ahead - 1) % 8, ahead + 1))
    if kind == BISHOP:
        return 2, FAR * (direction % 2)
    return 1, {KING: 1, QUEEN: FAR, ROOK: 2 - direction % 2}.get(int(kind), 0)


def _spanned(code: int) -> NDArray[np.uint64]:
    """Where a piece on each square would hit if all lines were open."""
    within = np.zeros((8, 8), bool)
    for direction in range(8):
        nearest, farthest = _span(code, direction)
        within[direction, nearest - 1 : farthest] = True
    return union_of(np.where(within, RAYS, -1))


SPANS = np.stack([_spanned(code) for code in range(CODES)])  # [code, square]


@kernel
def map_attacks(state, counts, damage, zone_attackers):
    """Fill zeroed maps: `counts` [2, 64] attackers, `damage` [2, 64] expected, and who attacks each side's king zone [2].

    A side's zone is its king's square and the neighbours; `zone_attackers[side]` counts the other side's pieces that attack it.
    """
    white, black = occupied_by(state)
    occupied = white | black
    for square in range(64):
        code = state.piece[square]
        if code == EMPTY:
            continue
        side, kind = SIDE_OF[code], TYPE_OF[code]
        bonus = DECREE_BONUS if state.decree[side] > 0 else 0
        expected = BASE_DAMAGE[kind] + MEAN_DIE + bonus
        reached = reach(occupied, code, square)
        king = state.king[1 - side]
        if king >= 0 and reached & ZONES[king]:
            zone_attackers[1 - side] += 1
        for target in range(64):  # all of them, without a branch: the compiler does eight at a time
            hits = np.int64(reached >> np.uint64(target) & ONE)
            counts[side, target] += hits
            damage[side, target] += hits * expected


@kernel
def reach(occupied, code, square):
    """The squares that a piece could hit: a knight reaches some in two ways."""
    if TYPE_OF[code] != KNIGHT:
        return open_lines(occupied, square) & SPANS[code, square]
    found, ends = NONE, LEAPT[square] & ~occupied
    while ends:
        found |= BESIDE[lowest_bit(ends)]
        ends = without_lowest(ends)
    return found
