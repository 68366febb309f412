"""The record of a game of Go: a board and what the rules remember besides.

`board` is that of `board.py`. `history` has the hashes of all positions so far, `positions` of them, the newest last; no stone
may make one of them again (positional superko). `seen` has a bit set for each of them, found by its lowest bits, so that most
moves are let through by one look. `taken` has the cells where Black's and White's stones were captured, as bits: only where
the mover lost one before can a move repeat a position. `past` is a hash of the whole history in its order.

`prisoners` are the stones that Black and White took. `komi` is in half points. `last` is the cell of the last move, 0 for a
pass and at the start; `passes` counts those in a row, `ply` all moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.bits import add_bit, has_bit, words_for
from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.go.board import beside, board_type, word_of
from playmill.games.go.geometry import cells_of

SEEN_SHARE = 16  # bits of `seen` for a position, at the least


def move_limit(size: int) -> int:
    """Moves after which a game is over: twice as many as there are points."""
    return 2 * size * size


def state_type(size: int) -> np.dtype[Any]:
    """The record of a game on a board of this size."""
    words = 1 << (SEEN_SHARE * size * size // 64 - 1).bit_length()
    return np.dtype(
        [
            ("board", board_type(size)),
            ("mover", "u1"),
            ("passes", "u1"),
            ("last", "<u2"),
            ("ply", "<u2"),
            ("positions", "<u2"),
            ("komi", "<i2"),
            ("prisoners", "<u2", 2),
            ("past", "<u8"),
            ("taken", "<u8", (2, words_for(cells_of(size)))),
            ("seen", "<u8", words),
            ("history", "<u8", move_limit(size)),
        ]
    )


@kernel
def remember(state):
    """Note the position on the board as one that has been there."""
    word = state.board.hash
    add_bit(state.seen, np.int64(word & np.uint64(64 * state.seen.size - 1)))
    state.history[state.positions] = word
    state.positions += 1
    state.past = mix_word(state.past, word)


@kernel
def has_been(state, word):
    """Whether a position of this hash has been on the board."""
    if not has_bit(state.seen, np.int64(word & np.uint64(64 * state.seen.size - 1))):
        return False
    found = False
    for i in range(state.positions):  # to the end, so that many are compared at once
        found |= state.history[i] == word
    return found


@kernel
def repeats(state, cell, colour):
    """Whether a stone on this empty cell, where it can breathe, would make a position that has been there."""
    return has_bit(state.taken[colour - 1], cell) and has_been(state, hash_after(state.board, cell, colour))


@kernel
def hash_after(board, cell, colour):
    """The hash of the position that a stone on this empty cell would make; the board stays as it is."""
    stride = np.int64(board.width) + 1
    word = board.hash ^ word_of(board, colour, cell)
    heads = (
        np.int64(board.head[cell - stride]), np.int64(board.head[cell - 1]),
        np.int64(board.head[cell + 1]), np.int64(board.head[cell + stride]),
    )  # fmt: skip
    for i in range(4):
        head = heads[i]
        is_new = head > 0 and board.colour[head] == 3 - colour
        for k in range(i):
            is_new = is_new and heads[k] != head
        if is_new and board.liberties[head] == beside(board, head, cell):
            word ^= chain_hash(board, head)
    return word


@kernel
def chain_hash(board, head):
    """What the stones of a chain add to the position's hash."""
    stride = np.int64(board.width) + 1
    colour = np.int64(board.colour[head])
    word = np.uint64(0)
    at, last = head, head
    while at <= last + stride:
        if board.head[at] == head:
            last = at
            word ^= word_of(board, colour, at)
        at += 1
    return word
