"""Two games so small that every value can be had by hand: one for three players, one whose draw costs both sides."""

import numpy as np

from playmill.games.game import Game

# ------------------------------------------------------------------ march

MARCH = Game(
    "march", state=np.dtype([("ply", "i1"), ("mover", "i1"), ("first", "i1"), ("second", "i1"), ("third", "i1")]),
    players=3, logits=2, features=(9,), title="Three players say 0 or 1 in turn, once each.",
)  # fmt: skip

# Utilities of the players by what the three said, first * 4 + second * 2 + third.
MARCH_UTILITIES = np.array(
    [
        [0.1, 0.2, 0.9],
        [0.3, -0.4, 0.5],
        [-1.0, 1.0, 0.25],
        [0.6, 0.7, 0.0],
        [0.2, 0.2, -0.5],
        [0.8, -0.6, 0.1],
        [-0.3, 0.5, -0.2],
        [0.4, 0.3, 1.0],
    ]
)


@MARCH.kernel
def start(state, chance):
    state.ply = 0
    state.mover = 0
    state.first = 0
    state.second = 0
    state.third = 0


@MARCH.kernel
def legal(state, actions):
    actions[0] = 0
    actions[1] = 1
    return 2


@MARCH.kernel
def play(state, action, chance):
    if state.ply == 0:
        state.first = action
    elif state.ply == 1:
        state.second = action
    else:
        state.third = action
    state.ply += 1
    state.mover = state.ply % 3


@MARCH.kernel
def outcome(state, scores):
    if state.ply < 3:
        return False
    row = 4 * state.first + 2 * state.second + state.third
    for player in range(3):
        scores[player] = MARCH_UTILITIES[row, player]
    return True


@MARCH.kernel
def encode(state, planes):
    planes[state.ply] = 1
    planes[3 + state.first] = 1 if state.ply > 0 else 0
    planes[5 + state.second] = 1 if state.ply > 1 else 0
    planes[7 + state.third] = 1 if state.ply > 2 else 0


@MARCH.show
def show(state):
    return f"{state.first}{state.second}{state.third} after {state.ply}"


def march_value(said=()):
    """What each player gets if everybody takes what is best for itself (max^n), by plain recursion."""
    if len(said) == 3:
        return MARCH_UTILITIES[4 * said[0] + 2 * said[1] + said[2]]
    return max((march_value((*said, action)) for action in (0, 1)), key=lambda values: values[len(said)])


# ------------------------------------------------------------------ duel

DRAW = -0.5
DUEL = Game(
    "duel", state=np.dtype([("ply", "i1"), ("mover", "i1"), ("result", "i1")]), players=2, logits=3, features=(2,),
    zero_sum=False, draw_utility=DRAW, title="Two players; a draw costs both sides half a game.",
)  # fmt: skip


def _duel():
    """Player 0 passes on (0) or makes a draw (1); then player 1 wins (0), loses (1) or makes a draw (2)."""

    @DUEL.kernel
    def start(state, chance):
        state.ply = 0
        state.mover = 0
        state.result = 0

    @DUEL.kernel
    def legal(state, actions):
        count = 2 if state.ply == 0 else 3
        for action in range(count):
            actions[action] = action
        return count

    @DUEL.kernel
    def play(state, action, chance):
        if state.ply == 0:
            state.result = 3 if action == 1 else 0
        else:
            state.result = 1 + action
        state.ply += 1
        state.mover = 1 - state.mover

    @DUEL.kernel
    def outcome(state, scores):
        if state.result == 0:
            return False
        scores[0] = -1.0 if state.result == 1 else 1.0 if state.result == 2 else DRAW
        scores[1] = 1.0 if state.result == 1 else -1.0 if state.result == 2 else DRAW
        return True

    @DUEL.kernel
    def encode(state, planes):
        planes[state.ply if state.ply < 2 else 1] = 1

    @DUEL.show
    def show(state):
        return f"ply {state.ply}, result {state.result}"


_duel()
