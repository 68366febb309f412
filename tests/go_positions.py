"""Go in tests: positions of random games, moves by name, and what the plain twin calls them."""

from __future__ import annotations

import numpy as np

from naive.go import Go
from playmill.games.go.board_text import read_point
from playmill.games.go.geometry import ACTION, FIRST, cell_of, cells_of
from playmill.games.golden import random_action
from playmill.games.registry import get_game

MARKS = ".XO"


def random_states(game, seed, every=1):
    """The states of a random game, each of so many."""
    state = get_game(game).new(seed)
    while not state.is_over:
        if state.ply % every == 0:
            yield state
        state = state.apply(random_action(state))


def boards_of(state):
    """The state's board, alone, shape [1]."""
    return state.record.board.reshape(1).copy()


def action(state, name):
    size = int(state.record.board.width)
    return size * size if name == "pass" else int(ACTION[FIRST[size] + read_point(size, name)])


def played(state, *names):
    for name in names:
        state = state.apply(action(state, name))
    return state


def may_play(state, name):
    return action(state, name) in state.legal_actions


def marks_of(board):
    """The points as the twin has them."""
    size = int(board.width)
    return tuple(MARKS[board.colour[cell_of(size, *divmod(at, size))]] for at in range(size * size))


def twin_of(board):
    """A twin with this board."""
    twin = Go()
    twin.size = int(board.width)
    twin.start(0)
    twin.board = marks_of(board)
    return twin


def as_points(cells_marked, size):
    """The numbers of the points whose cells are marked, as the twin counts them."""
    cells = np.flatnonzero(cells_marked)
    assert cells_marked.size == cells_of(size)
    return {int(ACTION[FIRST[size] + cell]) for cell in cells}
