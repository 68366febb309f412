"""A game whose actions stand on two logits: take the cell where a row and a column cross, or pass.

Action a, 0..11, takes the cell in row a // 4, column a % 4, and is worth WORTH[row, column]; its logits are the row's and the
column's. Action 12 passes; it has one logit. Each player moves three times, and the higher sum wins.
"""

import numpy as np

from playmill.games.game import Game

ROWS, COLUMNS = 3, 4
CELLS = ROWS * COLUMNS
PASS = CELLS
MOVES = 6
WORTH = np.array([[1, 5, 2, 8], [3, 1, 7, 2], [4, 6, 2, 1]], np.int64)

CROSSINGS = Game(
    "crossings",
    state=np.dtype([("taken", "<u2"), ("sums", "<i2", 2), ("moves", "u1"), ("mover", "u1")]),
    players=2,
    logits=ROWS + COLUMNS + 1,
    actions=CELLS + 1,
    features=(CELLS + 2,),
)


@CROSSINGS.kernel
def start(state, chance):
    pass


@CROSSINGS.kernel
def legal(state, actions):
    count = 0
    for cell in range(CELLS):
        if state.taken >> cell & 1 == 0:
            actions[count] = cell
            count += 1
    actions[count] = PASS
    return count + 1


@CROSSINGS.kernel
def play(state, action, chance):
    if action != PASS:
        state.taken |= 1 << action
        state.sums[state.mover] += WORTH[action // COLUMNS, action % COLUMNS]
    state.moves += 1
    state.mover = 1 - state.mover


@CROSSINGS.kernel
def outcome(state, scores):
    if state.moves < MOVES:
        return False
    lead = state.sums[0] - state.sums[1]
    scores[0] = 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
    scores[1] = -scores[0]
    return True


@CROSSINGS.kernel
def encode(state, planes):
    for cell in range(CELLS):
        planes[cell] = state.taken >> cell & 1
    planes[CELLS] = (state.sums[state.mover] - state.sums[1 - state.mover]) / 10
    planes[CELLS + 1] = state.moves / MOVES


@CROSSINGS.kernel
def logit_ids(state, action):
    if action == PASS:
        return ROWS + COLUMNS, -1
    return action // COLUMNS, ROWS + action % COLUMNS
