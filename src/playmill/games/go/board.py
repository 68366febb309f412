"""A plain Go board as one record: stones, chains and liberties, kept up by every move. No players, turns or history.

`colour` says what stands on a cell (`geometry.py`): 0 nothing, 1 black, 2 white, 3 border. Stones of a chain have the same
`head`, the lowest of their cells. `liberties` of a head counts pairs of a stone of the chain and an empty neighbour, so a
liberty counts once for each stone that touches it; a chain whose only liberty is a point has exactly as many as it has
stones beside the point. All else is 0 there. `hash` is that of the position, `ko` the cell on which a simple ko forbids to
take back at once, or 0.

But for `ko` a record follows from its stones alone: equal positions are equal bytes, whatever led to them. To take moves
back, keep a copy: a record of 9x9 has 360 bytes, one of 19x19 has 2.2 kB. `empty` has a bit for each empty cell.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from playmill.core.bits import LAST_BIT, ONE, add_bit, drop_bit, words_for
from playmill.core.jit import kernel
from playmill.games.go.geometry import FIRST, WORDS, cells_of

EMPTY, BLACK, WHITE, BORDER = range(4)
WORD = np.uint64(64)


@cache
def board_type(size: int) -> np.dtype[Any]:
    """The type of a board's record; `np.zeros(1, board_type(9))`, then `clear(boards[0], 9)`."""
    cells, most = cells_of(size), 2 * size * (size - 1)
    head, count = "u1" if cells < 256 else "<u2", "u1" if most < 256 else "<u2"
    fields = [
        ("hash", "<u8"), ("empty", "<u8", words_for(cells)), ("ko", "<u2"), ("width", "u1"), ("colour", "u1", cells),
        ("head", head, cells), ("liberties", count, cells),
    ]  # fmt: skip
    return np.dtype((np.record, np.dtype(fields)))


@kernel
def clear(board, size):
    """Make it an empty board of this size, the one that the record was made for."""
    board.hash = np.uint64(0)
    board.ko = 0
    board.width = size
    board.colour[:] = BORDER
    board.head[:] = 0
    board.liberties[:] = 0
    board.empty[:] = 0
    for row in range(size):
        first = (row + 1) * (size + 1) + 1
        for cell in range(first, first + size):
            board.colour[cell] = EMPTY
            add_bit(board.empty, cell)


@kernel
def set_up(board, size, colours):
    """Make it the board with the stones of `colours` [cells], where all but 1 and 2 is empty. Each chain needs a liberty."""
    clear(board, size)
    for cell in range(colours.size):
        if board.colour[cell] == EMPTY and (colours[cell] == BLACK or colours[cell] == WHITE):
            lay(board, cell, np.int64(colours[cell]))


@kernel
def word_of(board, colour, cell):
    """What a stone there adds to the position's hash."""
    return WORDS[colour, FIRST[np.int64(board.width)] + cell]


@kernel
def beside(board, head, cell):
    """How many of the cell's neighbours belong to a chain."""
    stride = np.int64(board.width) + 1
    heads = board.head
    above, below = heads[cell - stride] == head, heads[cell + stride] == head
    left, right = heads[cell - 1] == head, heads[cell + 1] == head
    return np.int64(above) + np.int64(left) + np.int64(right) + np.int64(below)


@kernel
def can_breathe(board, cell, colour):
    """Whether a stone on this empty cell would have a liberty, also by capturing: else the move is suicide."""
    stride = np.int64(board.width) + 1
    for step in (-stride, -1, 1, stride):
        stone = board.colour[cell + step]
        if stone == EMPTY:
            return True
        if stone != BORDER:
            head = np.int64(board.head[cell + step])
            is_last = np.int64(board.liberties[head]) == beside(board, head, cell)
            if is_last != (stone == colour):
                return True  # a chain of ours that has another liberty, or one of theirs that has none
    return False


@kernel
def roomy_word(board, i):
    """Word i of a set: the empty cells that have an empty neighbour."""
    empty = board.empty
    row = np.uint64(board.width) + ONE
    here = empty[i]
    near = here << ONE | here >> ONE | here << row | here >> row
    if i > 0:
        near |= empty[i - 1] >> LAST_BIT | empty[i - 1] >> (WORD - row)
    if i + 1 < empty.size:
        near |= empty[i + 1] << LAST_BIT | empty[i + 1] << (WORD - row)
    return here & near


@kernel
def is_legal(board, cell, colour):
    """Whether a stone may be played there under the simple ko rule; suicide may not."""
    return board.colour[cell] == EMPTY and cell != board.ko and can_breathe(board, cell, colour)


@kernel
def place(board, cell, colour, taken):
    """Play a legal stone and take what it captures; return how many stones that were.

    `taken` uint64 [2, words] gets the captured stones' cells as bits, Black's in the first row; other bits stay as they are.
    """
    stride = np.int64(board.width) + 1
    is_alone = lay(board, cell, colour)
    captured, last = 0, 0
    for step in (-stride, -1, 1, stride):
        near = cell + step
        if board.colour[near] == 3 - colour and board.liberties[board.head[near]] == 0:
            captured += remove(board, np.int64(board.head[near]), taken)
            last = near
    board.ko = 0
    if captured == 1 and is_alone and board.liberties[cell] == 1:
        board.ko = last
    return captured


@kernel
def lay(board, cell, colour):
    """Put a stone on an empty cell and join it to its chains; nothing is captured. Return whether it stands alone."""
    stride = np.int64(board.width) + 1
    board.hash ^= word_of(board, colour, cell)
    board.colour[cell] = colour
    drop_bit(board.empty, cell)
    board.head[cell] = cell
    breath = 0
    for step in (-stride, -1, 1, stride):
        near = cell + step
        stone = board.colour[near]
        if stone == EMPTY:
            breath += 1
        elif stone != BORDER:
            board.liberties[board.head[near]] -= 1
    board.liberties[cell] = breath
    is_alone = True
    for step in (-stride, -1, 1, stride):
        near = cell + step
        if board.colour[near] == colour:
            is_alone = False
            if board.head[near] != board.head[cell]:
                join(board, np.int64(board.head[near]), np.int64(board.head[cell]))
    return is_alone


@kernel
def join(board, one, other):
    """Make one chain of two."""
    kept, lost = min(one, other), max(one, other)
    stride = np.int64(board.width) + 1
    # Cells of a chain in ascending order are never further apart than a row.
    at, last = lost, lost
    while at <= last + stride:
        if board.head[at] == lost:
            board.head[at] = kept
            last = at
        at += 1
    board.liberties[kept] += board.liberties[lost]
    board.liberties[lost] = 0


@kernel
def remove(board, head, taken):
    """Take a chain off the board; return how many stones it had. `taken` is as in `place`."""
    stride = np.int64(board.width) + 1
    colour = np.int64(board.colour[head])
    at, last, count = head, head, 0
    while at <= last + stride:
        if board.head[at] == head:
            last = at
            count += 1
            board.hash ^= word_of(board, colour, at)
            board.colour[at] = EMPTY
            add_bit(board.empty, at)
            add_bit(taken[colour - 1], at)
            board.head[at] = 0
            for step in (-stride, -1, 1, stride):
                other = np.int64(board.head[at + step])
                if other > 0:
                    board.liberties[other] += 1
        at += 1
    board.liberties[head] = 0
    return count
