"""Trail: two players push one token over a board of 4 x 4 squares, never back to a square where it was; who can't move loses.

The record holds the trail, the network sees only where the token is and so can't tell one trail from another.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.game import Game

STATE = np.dtype([("place", "u1"), ("trail", "<u2"), ("mover", "u1")])
SIDE = 4
STEPS_X, STEPS_Y = np.array([1, 0, -1, 0]), np.array([0, 1, 0, -1])


@kernel
def target(state, action):
    """The square that an action leads to, or -1."""
    x, y = state.place % SIDE + STEPS_X[action], state.place // SIDE + STEPS_Y[action]
    if x < 0 or y < 0 or x >= SIDE or y >= SIDE or state.trail >> (y * SIDE + x) & 1:
        return -1
    return y * SIDE + x


@kernel
def start(state, chance):
    state.place = 1
    state.trail = 1 << 1


@kernel
def legal(state, actions):
    count = 0
    for action in range(4):
        if target(state, action) >= 0:
            actions[count] = action
            count += 1
    return count


@kernel
def play(state, action, chance):
    place = target(state, action)
    state.place = place
    state.trail |= 1 << place
    state.mover = 1 - state.mover


@kernel
def outcome(state, scores):
    for action in range(4):
        if target(state, action) >= 0:
            return False
    scores[state.mover] = -1
    scores[1 - state.mover] = 1
    return True


@kernel
def encode(state, planes):
    planes[state.place] = 1


@kernel
def eval_key(state):
    return np.uint64(2 * state.place + state.mover)


KERNELS = {"start": start, "legal": legal, "play": play, "outcome": outcome, "encode": encode}


def make(name, **more):
    game = Game(name, state=STATE, players=2, logits=4, features=(SIDE * SIDE,))
    game.kernels.update(KERNELS | more)
    return game


TRAIL = make("trail", eval_key=eval_key)
PLAIN_TRAIL = make("plain_trail")
