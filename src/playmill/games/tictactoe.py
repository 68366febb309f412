"""Tic-tac-toe: three in a row on 3x3; a full board without one is a draw.

Action a, 0..8, takes the square in row a // 3, column a % 3. `stones[p]` has bit a set where player p stands.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.game import Game
from playmill.games.tictactoe_picture import draw_squares

STATE = np.dtype([("stones", "<u2", 2), ("mover", "u1")])
SQUARES = 9
FULL = (1 << SQUARES) - 1
LINES = np.array([0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.uint16)

TICTACTOE = Game(
    "tictactoe",
    state=STATE,
    players=2,
    logits=SQUARES,
    features=(2, 3, 3),
    feature_type="bit",
    title="three in a row on 3x3; solved, a draw",
)


@TICTACTOE.kernel
def start(state, chance):
    pass  # the zeroed record is the empty board


@TICTACTOE.kernel
def legal(state, actions):
    taken = state.stones[0] | state.stones[1]
    count = 0
    for square in range(SQUARES):
        if taken >> square & 1 == 0:
            actions[count] = square
            count += 1
    return count


@TICTACTOE.kernel
def play(state, action, chance):
    state.stones[state.mover] |= 1 << action
    state.mover = 1 - state.mover


@kernel
def has_line(stones):
    """Whether one player's stones hold three in a row."""
    for line in LINES:  # noqa: SIM110  (kernels know no any())
        if stones & line == line:
            return True
    return False


@TICTACTOE.kernel
def outcome(state, scores):
    last = 1 - state.mover  # only the player who just moved can have made a line
    won = has_line(state.stones[last])
    if not won and (state.stones[0] | state.stones[1]) != FULL:
        return False
    scores[last] = 1.0 if won else 0.0
    scores[state.mover] = -1.0 if won else 0.0
    return True


@TICTACTOE.kernel
def encode(state, planes):
    """Two planes: the mover's stones, the opponent's."""
    for square in range(SQUARES):
        planes[square] = state.stones[state.mover] >> square & 1
        planes[SQUARES + square] = state.stones[1 - state.mover] >> square & 1


@TICTACTOE.kernel
def swap(state):
    first = state.stones[0]
    state.stones[0] = state.stones[1]
    state.stones[1] = first
    state.mover = 1 - state.mover


@TICTACTOE.show
def show(state) -> str:
    rows = ["".join(mark(state, 3 * row + column) for column in range(3)) for row in range(3)]
    return f"{'/'.join(rows)} {'xo'[int(state.mover)]} to move"


@TICTACTOE.draw
def draw(state) -> str:
    rows = [f"{3 - row} " + " ".join(mark(state, 3 * row + column) for column in range(3)) for row in range(3)]
    return "\n".join([*rows, "  a b c", standing(state)])


@TICTACTOE.picture
def picture(state) -> str:
    marks = "".join(mark(state, square) for square in range(SQUARES))
    return draw_squares(marks, won_squares(state), standing(state))


def won_squares(state) -> list[int]:
    """The squares of whoever has three in a row."""
    last = int(state.stones[1 - int(state.mover)])
    return [square for line in LINES if last & int(line) == int(line) for square in range(SQUARES) if int(line) >> square & 1]


def standing(state) -> str:
    """Who is to move, or how it ended."""
    last = 1 - int(state.mover)
    if has_line(state.stones[last]):
        return f"over: {'xo'[last]} has won"
    return "over: drawn" if int(state.stones[0] | state.stones[1]) == FULL else f"{'xo'[1 - last]} to move"


def mark(state, square) -> str:
    """`x` or `o` for the player who stands there, `.` for nobody."""
    for player in range(2):
        if int(state.stones[player]) >> square & 1:
            return "xo"[player]
    return "."


@TICTACTOE.name_action
def name_action(state, action: int) -> str:
    return "abc"[action % 3] + "321"[action // 3]
