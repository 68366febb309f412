"""Reading ladders: is a chain that has one or two liberties caught by atari after atari?

The attacker only gives atari, the defender extends or captures a stone that is in atari beside the chain; the simple ko rule
holds. A chain that gets three liberties has escaped.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.games.go.board import is_legal, place
from playmill.games.go.chains import list_liberties, list_neighbours

MAX_PLIES = 200  # a ladder over the whole board of 19x19 takes less
MAX_NODES = 20_000
FREE = 3  # liberties of a chain that has escaped
MOST_NEIGHBOURS = 64


def make_reader(boards: Any) -> tuple[Any, Any]:
    """Working memory to read ladders on boards of this kind: a stack of boards, and counters."""
    return np.zeros(MAX_PLIES + 1, boards.dtype), np.zeros(1, np.int64)


def is_caught(boards: Any, cell: int, reader: tuple[Any, Any] | None = None, attacker_first: bool = True) -> bool:
    """Whether the chain on this cell of boards[0] is caught in a ladder when that side moves first.

    False also where reading it took too long (`MAX_PLIES`, `MAX_NODES`).
    """
    stack, nodes = reader or make_reader(boards)
    stack[0], nodes[0] = boards[0], 0
    return bool(read_ladder(stack, 0, cell, attacker_first, nodes))


@kernel
def read_ladder(stack, depth, cell, attacker_moves, nodes):
    """Whether the chain on `cell` of stack[depth] is caught; the boards after it are overwritten, nodes[0] counts."""
    nodes[0] += 1
    if depth + 1 >= stack.size or nodes[0] > MAX_NODES:
        return False
    liberties = np.empty(FREE, np.int64)
    count = list_liberties(stack[depth], np.int64(stack[depth].head[cell]), liberties)
    if count >= FREE or (count == 2 and not attacker_moves):
        return False
    if attacker_moves and count == 1:
        return True
    moves = np.empty(1 + MOST_NEIGHBOURS, np.int64)
    total = list_moves(stack[depth], cell, attacker_moves, liberties, count, moves)
    colour = np.int64(stack[depth].colour[cell])
    for i in range(total):
        if not try_move(stack, depth, moves[i], 3 - colour if attacker_moves else colour):
            continue
        if read_ladder(stack, depth + 1, cell, not attacker_moves, nodes) == attacker_moves:
            return attacker_moves
    return not attacker_moves


@kernel
def list_moves(board, cell, attacker_moves, liberties, count, moves):
    """Fill `moves`: the liberties, and for the defender the captures of chains beside it; return how many."""
    for i in range(count):
        moves[i] = liberties[i]
    if attacker_moves:
        return count
    beside, last = np.empty(MOST_NEIGHBOURS, np.int64), np.empty(2, np.int64)
    for i in range(list_neighbours(board, np.int64(board.head[cell]), beside)):
        if list_liberties(board, beside[i], last) == 1 and last[0] != liberties[0]:
            moves[count] = last[0]
            count += 1
    return count


@kernel
def try_move(stack, depth, cell, colour):
    """Put the board after the move on the stack if it is legal; return whether it is."""
    if not is_legal(stack[depth], cell, colour):
        return False
    stack[depth + 1] = stack[depth]
    place(stack[depth + 1], cell, colour, np.zeros((2, stack[depth].empty.size), np.uint64))
    return True
