"""What a network sees of Go: 13 planes, all bits, by the side to move. `docs/games/go.md` has the table."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.go.board import EMPTY, WHITE

PLANES = 13
OWN, ENEMY, OWN_LIBERTIES, ENEMY_LIBERTIES, KO, LAST, PASSED, IS_WHITE, BOARD = 0, 1, 2, 5, 8, 9, 10, 11, 12
MOST_LIBERTIES = 3  # that have a plane of their own


@kernel
def fill_planes(state, planes):
    """Fill the zeroed row `planes` [13 * n * n], rows from the top."""
    board = state.board
    size, own = np.int64(board.width), np.int64(state.mover) + 1
    area = size * size
    liberties = np.zeros(board.colour.size, np.int64)
    count_liberties(board, liberties)
    for row in range(size):
        for column in range(size):
            cell, at = (row + 1) * (size + 1) + column + 1, row * size + column
            fill_point(board, liberties, own, cell, at, area, planes)
            planes[KO * area + at] = cell == board.ko
            planes[LAST * area + at] = cell == state.last
            planes[PASSED * area + at] = state.passes > 0
            planes[IS_WHITE * area + at] = own == WHITE
            planes[BOARD * area + at] = 1


@kernel
def fill_point(board, liberties, own, cell, at, area, planes):
    """The planes of a stone: whose it is, and how many liberties its chain has if they are few."""
    stone = board.colour[cell]
    if stone != EMPTY:
        is_own = stone == own
        planes[(OWN if is_own else ENEMY) * area + at] = 1
        count = liberties[board.head[cell]]
        if count <= MOST_LIBERTIES:
            planes[((OWN_LIBERTIES if is_own else ENEMY_LIBERTIES) + count - 1) * area + at] = 1


@kernel
def count_liberties(board, liberties):
    """Add each chain's number of liberties at its head to `liberties` int64 [cells], which is zeroed."""
    stride = np.int64(board.width) + 1
    for cell in range(stride, board.colour.size - stride):
        if board.colour[cell] == EMPTY:
            above, left = np.int64(board.head[cell - stride]), np.int64(board.head[cell - 1])
            right, below = np.int64(board.head[cell + 1]), np.int64(board.head[cell + stride])
            # Cells without a stone have the head 0, where nobody looks.
            liberties[above] += 1
            liberties[left] += np.int64(left != above)
            liberties[right] += np.int64(right != above and right != left)
            liberties[below] += np.int64(below != above and below != left and below != right)
