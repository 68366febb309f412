"""EXCHANGE's board: squares and lines, pieces with what they have when fresh, and the record of a state.

Squares are 0..63, a1 = 0, b1 = 1, h8 = 63. A square's `piece` is 0 if it is empty, 1..6 for White's K Q R B N P, 7..12 for
Black's, and 13 or 14 for a queen that was a pawn. `hp`, `cooldown` and `charges` are 0 where they mean nothing: on empty
squares, and `charges` for abilities without a limit. `decree` is how many own actions Royal Decree still helps. `king` is a
king's square or -1; `alive` counts pieces. `turn` counts plies, `calm` those since the last damage.

`trail` holds the quiet moves since the last position that can't come again, 64 * from + to, `quiet` of them; from them and the
board all earlier positions that matter follow, exactly. `repeats` is how often the position has been there, now included.
"""

from __future__ import annotations

import numpy as np

KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN = range(6)
LETTERS = "KQRBNP"
NAMES = ("king", "queen", "rook", "bishop", "knight", "pawn")
WHITE, BLACK = 0, 1
SIDES = ("White", "Black")
NOBODY = -1

MAX_HP = np.array([25, 10, 13, 10, 11, 7])
BASE_DAMAGE = np.array([1, 3, 2, 2, 2, 1])
COOLDOWN = np.array([0, 3, 3, 3, 3, 1])
CHARGES = np.array([3, 0, 5, 3, 5, 0])  # 0: no limit
SEEN_COOLDOWN = (0, 2, 3, 2, 2, 1)  # the most there is between turns: only a rook's is set while the other side moves

DIE = 6
DECREE_BONUS, DECREE_ACTIONS = 2, 2
OVEREXTEND_COST = 2
FAR = 3  # squares that a queen's hit, a bishop's hit and heal, and Interpose reach
MAX_TURNS, MAX_REPEATS = 300, 3

EMPTY, PROMOTED = 0, 13
CODES = 15
SIDE_OF = np.array([NOBODY, *[WHITE] * 6, *[BLACK] * 6, WHITE, BLACK])
TYPE_OF = np.array([NOBODY, *range(6), *range(6), QUEEN, QUEEN])

STATE = np.dtype(
    [
        ("piece", "i1", 64),
        ("hp", "i1", 64),
        ("cooldown", "i1", 64),
        ("charges", "i1", 64),
        ("decree", "i1", 2),
        ("king", "i1", 2),
        ("alive", "i1", 2),
        ("mover", "i1"),
        ("repeats", "i1"),
        ("turn", "<i2"),
        ("calm", "<i2"),
        ("quiet", "<i2"),
        ("trail", "<i2", MAX_TURNS),
    ]
)

# Eight directions, clockwise from straight up White's board: even ones are orthogonal, odd ones diagonal.
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
UP, DOWN = 0, 4
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def _square(file: int, rank: int) -> int:
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else -1


# RAYS[square, direction, distance - 1] and LEAPS[square, i] are squares, -1 beyond the edge; a ray ends with a -1.
RAYS = np.array(
    [[[_square(s % 8 + x * n, s // 8 + y * n) for n in range(1, 9)] for x, y in DIRECTIONS] for s in range(64)], np.int64
)
LEAPS = np.array([[_square(s % 8 + x, s // 8 + y) for x, y in JUMPS] for s in range(64)], np.int64)
# What turns one side's board into the other's: squares and directions as Black sees them.
FLIP = 56
FLIPPED = np.array([4, 3, 2, 1, 0, 7, 6, 5])

FIRST_RANKS = (ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK)


def square_name(square: int) -> str:
    return f"{'abcdefgh'[square % 8]}{square // 8 + 1}"


def code_of(side: int, kind: int) -> int:
    """The code of a piece that stands there since the start."""
    return 6 * side + kind + 1
