"""Go's geometry: cells of a padded board, the eight ways to turn it, and position hashes that turn with it.

A board of size n lies in an array of (n + 2) * (n + 1) + 1 cells with a border around it, so that the neighbours of a cell are
always cell - stride, cell - 1, cell + 1 and cell + stride, where stride = n + 1. Row 0 is the top one. Cell 0 is border: where
a cell is asked for, 0 means none.

A position's hash is the exclusive or of one word for each stone. Byte g of a stone's word is a random byte for the place to
which symmetry g takes the stone; so byte g of a position's hash is a hash of its image, and to turn a board permutes the bytes
of its hash. A history of hashes can thus be turned without the positions. Stones on an axis of the board have equal bytes in
pairs: positions that differ on one axis only are told apart by 32 bits, all others by 64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix

MIN_SIZE, MAX_SIZE = 2, 19
SYMMETRIES = 8
LETTERS = "ABCDEFGHJKLMNOPQRST"
SEED = 9  # of the hashes; every stone's word is unlike all others of its size

BYTE = np.uint64(255)


def cells_of(size: int) -> int:
    """How many cells the padded board has."""
    return (size + 2) * (size + 1) + 1


def cell_of(size: int, row: int, column: int) -> int:
    """The cell of a point."""
    return (row + 1) * (size + 1) + column + 1


@kernel
def cell_of_action(size, action):
    """The cell of point number `action`, counted by rows from the top left."""
    return action + action // size + size + 2


def place_of(size: int, cell: int) -> tuple[int, int]:
    """The row and the column of a cell on the board."""
    return cell // (size + 1) - 1, cell % (size + 1) - 1


def name_point(size: int, row: int, column: int) -> str:
    """A point as people say it, such as D4: letters without I from the left, numbers from below."""
    return f"{LETTERS[column]}{size - row}"


def turned_place(size: int, row: int, column: int, number: int) -> tuple[int, int]:
    """Where a symmetry takes a point: 4 transposes, then 1 mirrors left and right, 2 top and bottom, and sums do both."""
    if number & 4:
        row, column = column, row
    return size - 1 - row if number & 2 else row, size - 1 - column if number & 1 else column


@kernel
def turned_cell(size, cell, number):
    """`turned_place` for a cell of the board."""
    stride = size + 1
    row, column = cell // stride - 1, cell % stride - 1
    if number & 4:
        row, column = column, row
    if number & 2:
        row = size - 1 - row
    if number & 1:
        column = size - 1 - column
    return (row + 1) * stride + column + 1


def _composed(first: int, second: int) -> int:
    """The symmetry that does `first` and then `second`; one point that lies on no axis tells."""
    aim = turned_place(5, *turned_place(5, 0, 1, first), second)
    return next(number for number in range(SYMMETRIES) if turned_place(5, 0, 1, number) == aim)


def inverse_of(number: int) -> int:
    """The symmetry that takes everything back where it was."""
    return next(other for other in range(SYMMETRIES) if _composed(number, other) == 0)


# SOURCE_BYTE[s, g]: which byte of a hash becomes byte g when the board is turned by s.
SOURCE_BYTE = np.array([[_composed(s, g) for g in range(SYMMETRIES)] for s in range(SYMMETRIES)], np.int64)


@kernel
def turn_hashes(hashes, number):
    """The hashes of the positions turned by a symmetry, uint64, as many as came."""
    turned = np.zeros_like(hashes)
    for g in range(SYMMETRIES):
        turned |= ((hashes >> np.uint64(8 * SOURCE_BYTE[number, g])) & BYTE) << np.uint64(8 * g)
    return turned


def _stone_word(size: int, row: int, column: int, colour: int) -> int:
    images = [turned_place(size, row, column, g) for g in range(SYMMETRIES)]
    return sum((mix(SEED + size, 2 * cell_of(size, *image) + colour) & 255) << 8 * g for g, image in enumerate(images))


def _tables() -> tuple[Any, Any, Any]:
    """The words of all stones on boards of all sizes, one size after the other; the actions likewise; where each begins."""
    first = np.cumsum([0] + [cells_of(size) if size >= MIN_SIZE else 0 for size in range(MAX_SIZE + 1)])[:-1]
    words = np.zeros((3, int(first[-1]) + cells_of(MAX_SIZE)), np.uint64)
    actions = np.full(words.shape[1], -1, np.int32)
    for size in range(MIN_SIZE, MAX_SIZE + 1):
        for at in range(size * size):
            place = divmod(at, size)
            cell = int(first[size]) + cell_of(size, *place)
            actions[cell] = at
            for colour in (1, 2):
                words[colour, cell] = _stone_word(size, *place, colour)
    return words, actions, first.astype(np.int64)


# WORDS[colour, FIRST[size] + cell] is what a stone adds to a position's hash, ACTION[FIRST[size] + cell] the action there.
WORDS, ACTION, FIRST = _tables()
