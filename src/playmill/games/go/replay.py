"""Recorded moves on a board: a line of them at once, up to the first that the rules forbid."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.go.board import EMPTY, can_breathe, place, remove, set_up

FINE, OCCUPIED, REPEATED, KO, SUICIDE = range(5)
WHY = (
    "", "there is a stone of the other side", "there is the same stone already", "it takes back a ko at once",
    "the stone would have no liberty",
)  # fmt: skip


@kernel
def play_line(boards, cells, colours, taken, may_suicide):
    """Play the moves on boards[0]; return how many could be played, and why the next one could not.

    `cells` and `colours` are int64 [moves], cell 0 a pass; sides need not alternate. `taken` is as in `board.place`. Where
    suicide is allowed, it takes away a chain of two stones or more; a single stone's would change nothing and is refused.
    """
    board = boards[0]
    for i in range(cells.size):
        cell, colour = cells[i], colours[i]
        if cell == 0:
            board.ko = 0
            continue
        why = _why_not(board, cell, colour, may_suicide)
        if why != FINE:
            return i, why
        place(board, cell, colour, taken)
        head = np.int64(board.head[cell])
        if board.liberties[head] == 0:
            remove(board, head, taken)
            board.ko = 0
    return cells.size, FINE


@kernel
def _why_not(board, cell, colour, may_suicide):
    """One of the reasons above. All neighbours of a ko are stones of the side that took it, which may fill it."""
    if board.colour[cell] != EMPTY:
        return REPEATED if board.colour[cell] == colour else OCCUPIED
    stride = np.int64(board.width) + 1
    has_friend = False
    for step in (-stride, -1, 1, stride):
        has_friend = has_friend or board.colour[cell + step] == colour
    if cell == board.ko and not has_friend:
        return KO
    if can_breathe(board, cell, colour) or (may_suicide and has_friend):
        return FINE
    return SUICIDE


@kernel
def lay_out(boards, size, colours):
    """Set boards[0] up with these stones, uint8 [cells]; return a cell of a chain without liberties, or 0."""
    board = boards[0]
    set_up(board, size, colours)
    for cell in range(colours.size):
        if board.head[cell] == cell and cell != 0 and board.liberties[cell] == 0:
            return cell
    return 0
