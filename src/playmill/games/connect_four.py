"""Connect four: drop discs into seven columns of six; four in a row wins, a full board is a draw.

Action a, 0..6, drops into column a, left to right. `discs[p]` is a bitboard with seven bits a column, lowest cell first:
bit 7 * column + row. Bit 6 of each column stays empty, so that lines never run over into the next column.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.connect_four_picture import draw_rack
from playmill.games.game import Game

STATE = np.dtype([("discs", "<i8", 2), ("mover", "u1")])
COLUMNS, ROWS = 7, 6
STRIDE = ROWS + 1
BOTTOM = sum(1 << STRIDE * column for column in range(COLUMNS))
FULL = BOTTOM * ((1 << ROWS) - 1)
TOP_ROW = BOTTOM << (ROWS - 1)

CONNECT_FOUR = Game(
    "connect_four",
    state=STATE,
    players=2,
    logits=COLUMNS,
    features=(2, ROWS, COLUMNS),
    feature_type="bit",
    symmetries=2,
    title="four in a row on 7x6; solved, the first player wins",
)


@CONNECT_FOUR.kernel
def start(state, chance):
    pass  # the zeroed record is the empty board


@CONNECT_FOUR.kernel
def legal(state, actions):
    tops = (state.discs[0] | state.discs[1]) & TOP_ROW
    count = 0
    for column in range(COLUMNS):
        actions[count] = column  # overwritten by the next one if this column is full
        count += 1 - (tops >> (STRIDE * column + ROWS - 1) & 1)
    return count


@CONNECT_FOUR.kernel
def play(state, action, chance):
    taken = state.discs[0] | state.discs[1]
    # Adding the column's lowest bit carries through its discs into the first empty cell.
    cell = (taken + (1 << STRIDE * action)) & ~taken & (((1 << ROWS) - 1) << STRIDE * action)
    state.discs[state.mover] |= cell
    state.mover = 1 - state.mover


@kernel
def has_four(discs):
    """Whether one player's discs hold four in a row."""
    for step in (1, STRIDE - 1, STRIDE, STRIDE + 1):  # up, down-right, right, up-right
        pairs = discs & (discs >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


@CONNECT_FOUR.kernel
def outcome(state, scores):
    last = 1 - state.mover  # only the player who just moved can have made four
    won = has_four(state.discs[last])
    if not won and (state.discs[0] | state.discs[1]) != FULL:
        return False
    scores[last] = 1.0 if won else 0.0
    scores[state.mover] = -1.0 if won else 0.0
    return True


@CONNECT_FOUR.kernel
def key(state):
    """Exact, not a hash: the mover's discs plus all taken cells plus the bottom row is unique, and fits 49 bits."""
    side = np.uint64(state.mover) << np.uint64(63)
    return np.uint64(state.discs[state.mover] + (state.discs[0] | state.discs[1]) + BOTTOM) | side


@CONNECT_FOUR.kernel
def encode(state, planes):
    """Two planes, top row first: the mover's discs, the opponent's."""
    mine, theirs = state.discs[state.mover], state.discs[1 - state.mover]
    for row in range(ROWS):
        for column in range(COLUMNS):
            bit = STRIDE * column + ROWS - 1 - row
            planes[row * COLUMNS + column] = mine >> bit & 1
            planes[(ROWS + row) * COLUMNS + column] = theirs >> bit & 1


@CONNECT_FOUR.kernel
def swap(state):
    first = state.discs[0]
    state.discs[0] = state.discs[1]
    state.discs[1] = first
    state.mover = 1 - state.mover


@CONNECT_FOUR.kernel
def symmetry(state, number):
    """The one besides itself: left and right exchanged."""
    for player in range(2):
        mirrored = 0
        for column in range(COLUMNS):
            cells = state.discs[player] >> STRIDE * column & ((1 << ROWS) - 1)
            mirrored |= cells << STRIDE * (COLUMNS - 1 - column)
        state.discs[player] = mirrored


@CONNECT_FOUR.kernel
def symmetry_action(state, action, number):
    return COLUMNS - 1 - action if number == 1 else action


@CONNECT_FOUR.show
def show(state) -> str:
    rows = ["".join(_mark(state, column, row) for column in range(COLUMNS)) for row in reversed(range(ROWS))]
    return f"{'/'.join(rows)} {'xo'[int(state.mover)]} to move"


@CONNECT_FOUR.draw
def draw(state) -> str:
    rows = [" ".join(_mark(state, column, row) for column in range(COLUMNS)) for row in reversed(range(ROWS))]
    return "\n".join([*rows, " ".join(str(column + 1) for column in range(COLUMNS)), standing(state)])


@CONNECT_FOUR.picture
def picture(state) -> str:
    rows = ["".join(_mark(state, column, row) for column in range(COLUMNS)) for row in reversed(range(ROWS))]
    won = {(ROWS - 1 - bit % STRIDE, bit // STRIDE) for bit in fours(int(state.discs[1 - int(state.mover)]))}
    return draw_rack(rows, won, standing(state))


def fours(discs: int) -> set[int]:
    """The bits of all fours in a row."""
    found = set()
    for step in (1, STRIDE - 1, STRIDE, STRIDE + 1):
        for bit in range(STRIDE * COLUMNS):
            four = [bit + step * i for i in range(4)]
            found |= set(four) if all(discs >> each & 1 for each in four) else set()
    return found


def standing(state) -> str:
    """Who is to move, or how it ended."""
    last = 1 - int(state.mover)
    if has_four(state.discs[last]):
        return f"over: {'xo'[last]} has won"
    return "over: drawn" if int(state.discs[0] | state.discs[1]) == FULL else f"{'xo'[1 - last]} to move"


def _mark(state, column, row) -> str:
    for player in range(2):
        if int(state.discs[player]) >> (STRIDE * column + row) & 1:
            return "xo"[player]
    return "."


@CONNECT_FOUR.name_action
def name_action(state, action: int) -> str:
    return f"column {action + 1}"
