"""Sets of squares: a word with a bit for each, a1's the lowest. Who stands where, and how far lines are open.

The first pieces on a line are found without a walk along it: one subtraction flips all bits from the nearest piece on the lower
side up to the nearest on the upper side.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from playmill.core.bits import ONE, highest_bit
from playmill.core.jit import kernel
from playmill.games.exchange.board import LEAPS, RAYS

NONE = np.uint64(0)
# The last, that of the square -1, is of none.
BITS = np.array([*(1 << square for square in range(64)), 0], np.uint64)
BELOW = BITS[:64] - ONE  # the squares of lower numbers


def union_of(squares: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A set for each of the 64 rows, of what its other axes hold; -1 is no square."""
    return np.bitwise_or.reduce(BITS[squares].reshape(64, -1), axis=1)  # type: ignore[no-any-return]


LEAPT = union_of(LEAPS)  # by a knight
BESIDE = union_of(RAYS[:, ::2, 0])  # the neighbours on straight lines
ZONES = BITS[:64] | union_of(RAYS[:, :, 0])  # a square and all its neighbours
# Four lines cross a square. Of each, the squares of higher numbers and those of lower ones: [square, line].
HIGHER = np.stack([union_of(RAYS[:, direction]) for direction in (0, 1, 2, 7)], axis=1)
LOWER = np.stack([union_of(RAYS[:, direction]) for direction in (4, 5, 6, 3)], axis=1)

# Eight squares at a time. A code is less than 128, so adding 128 - n to each byte sets its top bit where the code is at least
# n; the product gathers the lowest bits of the bytes in the topmost byte.
TOPS, GATHER, TO_LOWEST, TO_BYTE = np.uint64(0x8080808080808080), np.uint64(0x0102040810204080), np.uint64(7), np.uint64(56)
AT_LEAST = np.array([(128 - n) * 0x0101010101010101 if n else 0 for n in range(16)], np.uint64)


@kernel
def occupied_by(state):
    """The squares of White's pieces, and of Black's."""
    rows = state.piece.view(np.uint64)
    white, black = NONE, NONE
    for rank in range(8):
        row = rows[rank]
        theirs = (row + AT_LEAST[7]) ^ (row + AT_LEAST[13]) ^ (row + AT_LEAST[14])  # 7 to 12, and 14
        shift = np.uint64(8 * rank)
        white |= gather((row + AT_LEAST[1]) & ~theirs) << shift
        black |= gather(theirs) << shift
    return white, black


@kernel
def gather(row):
    """The top bits of eight bytes as one byte."""
    return ((row & TOPS) >> TO_LOWEST) * GATHER >> TO_BYTE


@kernel
def along(occupied, square, line):
    """The squares that a line is open to from a square, both ways, the first pieces' included."""
    lower, higher = LOWER[square, line], HIGHER[square, line]
    last = ONE << np.uint64(highest_bit(occupied & lower | ONE))
    above = occupied & higher
    return (above ^ (above - last)) & (lower | higher)


@kernel
def open_lines(occupied, square):
    """The same of all four lines: what a queen could see."""
    rank_and_file = along(occupied, square, 0) | along(occupied, square, 2)
    return rank_and_file | along(occupied, square, 1) | along(occupied, square, 3)


@kernel
def without_lowest(squares):
    """All but the first of a set."""
    return squares & (squares - ONE)
