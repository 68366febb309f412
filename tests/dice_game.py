"""Pig: roll and gather points as long as you dare, or hold and keep them; a one loses what was gathered. First to 12 wins.

Action 0 rolls, action 1 holds. Holding meets no chance.
"""

from __future__ import annotations

import numpy as np

from playmill.core.seeds import below_word
from playmill.games.game import Game

STATE = np.dtype([("kept", "u1", 2), ("pot", "u1"), ("mover", "u1"), ("event", "u1")])
GOAL, FACES = 12, 6
ROLL, HOLD = 0, 1

PIG = Game("pig", state=STATE, players=2, logits=2, max_outcomes=FACES, features=(3,))


@PIG.kernel
def start(state, chance):
    pass


@PIG.kernel
def legal(state, actions):
    actions[0] = ROLL
    actions[1] = HOLD
    return 2


@PIG.kernel
def play(state, action, chance):
    state.event += 1
    if action == ROLL:
        die = below_word(chance, FACES) + 1
        if die > 1:
            state.pot = min(state.pot + die, GOAL)
            return
        state.pot = 0
    state.kept[state.mover] = min(state.kept[state.mover] + state.pot, GOAL)
    state.pot = 0
    state.mover = 1 - state.mover


@PIG.kernel
def outcome(state, scores):
    for player in range(2):
        if state.kept[player] >= GOAL or state.event == 200:
            winner = player if state.kept[player] >= GOAL else 1
            scores[winner] = 1
            scores[1 - winner] = -1
            return True
    return False


@PIG.kernel
def chance_key(state):
    return np.uint64(state.event)


@PIG.kernel
def meets_chance(state, action):
    return action == ROLL


@PIG.kernel
def outcomes(state, action, records, probabilities):
    for die in range(1, FACES + 1):
        records[die - 1] = state
        records[die - 1].event += 1
        probabilities[die - 1] = 1 / FACES
        if die > 1:
            records[die - 1].pot = min(state.pot + die, GOAL)
        else:
            records[die - 1].pot = 0
            records[die - 1].mover = 1 - state.mover
    # At the goal all dice that reach it are the same.
    count = FACES
    while count > 2 and records[count - 1].pot == records[count - 2].pot:
        count -= 1
        probabilities[count - 1] += probabilities[count]
    return count


@PIG.kernel
def encode(state, planes):
    planes[0] = state.kept[state.mover] / GOAL
    planes[1] = state.kept[1 - state.mover] / GOAL
    planes[2] = state.pot / GOAL
