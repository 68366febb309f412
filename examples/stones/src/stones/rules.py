"""Stones: take one to three of 21; whoever takes the last one wins.

Action a takes a + 1 stones. Whoever leaves a multiple of four wins.
"""

import numpy as np

from playmill.games.game import Game

STONES, MOST = 21, 3
STATE = np.dtype([("stones", "i2"), ("mover", "i1")])
GAME = Game("stones", state=STATE, players=2, logits=MOST, features=(STONES,), title="take one to three of 21 stones")


@GAME.kernel
def start(state, chance):
    state.stones = STONES


@GAME.kernel
def legal(state, actions):
    count = min(MOST, state.stones)
    for action in range(count):
        actions[action] = action
    return count


@GAME.kernel
def play(state, action, chance):
    state.stones -= action + 1
    state.mover = 1 - state.mover


@GAME.kernel
def outcome(state, scores):
    if state.stones > 0:
        return False
    scores[state.mover] = -1.0  # the other one took the last stone
    scores[1 - state.mover] = 1.0
    return True


@GAME.kernel
def encode(state, planes):
    for stone in range(state.stones):
        planes[stone] = 1


@GAME.show
def show(state):
    return f"{state.stones} stones, player {state.mover} to move"
