"""Benson's unconditional life, on drawn boards and beside its plain twin."""

import numpy as np
import pytest

from go_positions import as_points, random_states, twin_of
from naive.go_reading import alive_points
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.board_text import read_board
from playmill.games.go.life import STONE, VITAL, mark_alive

FILLER = "\n".join([". . . . . . . . ."] * 4)


def marks(text, colour=BLACK):
    """How many stones are alive, how many points are vital regions."""
    boards, _ = read_board(f"{text}\n{FILLER}")
    alive = np.zeros(boards[0].colour.size, np.uint8)
    assert mark_alive(boards[0], colour, alive) == (alive > 0).sum()
    return int((alive == STONE).sum()), int((alive == VITAL).sum())


TWO_EYES = """
. X . X O . . . .
X X X X O . . . .
O O O O O . . . .
. . . . . . . . .
. . . . . . . . .
"""
ONE_EYE = TWO_EYES.replace(". X . X O", "X X . X O")
# Two chains that are not joined, but both eyes are eyes of both.
TWO_HEADED = """
. X X O . . . . .
X . X O . . . . .
X X O O . . . . .
O O O . . . . . .
. . . . . . . . .
"""
# The eye at C9 is false: White can capture the three stones on the right.
FALSE_EYE = """
. X . X O . . . .
X X O X O . . . .
O O O X O . . . .
. . . O O . . . .
. . . . . . . . .
"""
# A white stone in an eye of two points, and an eye of three in a row.
LARGE_EYES = """
. O X . . . X O .
X X X X X X X O .
O O O O O O O O .
. . . . . . . . .
. . . . . . . . .
"""
# Six points in one room: no passing defender keeps it.
ONE_ROOM = """
. . . X O . . . .
. . . X O . . . .
X X X X O . . . .
O O O O O . . . .
. . . . . . . . .
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TWO_EYES, (6, 2)),
        (ONE_EYE, (0, 0)),
        (TWO_HEADED, (6, 2)),
        (FALSE_EYE, (0, 0)),
        (LARGE_EYES, (9, 5)),
        (ONE_ROOM, (0, 0)),
    ],
)
def test_what_is_alive(text, expected):
    assert marks(text) == expected
    assert marks(text, WHITE) == (0, 0)


def test_nothing_lives_on_an_empty_board():
    assert marks("\n".join([". . . . . . . . ."] * 5)) == (0, 0)


def test_random_positions_agree_with_the_plain_twin():
    living = 0
    for state in (state for seed in range(6) for state in random_states("go9", seed, every=7)):
        board, twin = state.record.board, twin_of(state.record.board)
        for colour, mark in ((BLACK, "X"), (WHITE, "O")):
            alive = np.zeros(board.colour.size, np.uint8)
            mark_alive(board, colour, alive)
            stones, eyes = alive_points(twin, mark)
            assert as_points(alive == STONE, 9) == stones
            assert as_points(alive == VITAL, 9) == eyes
            living += bool(stones)
    assert living > 3
