"""The contract's kernels for one state, an array of one record: what the Python face and the conformance kit call."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import START, mix_word
from playmill.games.kernels import (
    chance_key,
    encode,
    eval_key,
    key,
    legal,
    logit_ids,
    meets_chance,
    outcome,
    outcomes,
    play,
    start,
    swap,
    to_move,
)

START_EVENT = np.uint64(START)


@kernel
def start_one(game, states, seed):
    """Fill states[0] with the first state of the episode `seed`."""
    start(game, states[0], mix_word(seed, START_EVENT))


@kernel
def legal_one(game, states, actions, scores):
    """Fill `actions` with the legal ones of states[0]; none if it is over."""
    if outcome(game, states[0], scores):
        return 0
    return legal(game, states[0], actions)


@kernel
def play_one(game, states, action, seed):
    """Play `action` in states[0], with the chance that the episode `seed` holds for it."""
    play(game, states[0], action, mix_word(seed, chance_key(game, states[0])))


@kernel
def outcome_one(game, states, scores):
    return outcome(game, states[0], scores)


@kernel
def to_move_one(game, states):
    return to_move(game, states[0])


@kernel
def key_one(game, states):
    return key(game, states[0])


@kernel
def eval_key_one(game, states):
    return eval_key(game, states[0])


@kernel
def meets_chance_one(game, states, action):
    return meets_chance(game, states[0], action)


@kernel
def outcomes_one(game, states, action, records, probabilities):
    """Fill `records` and `probabilities` with what may follow an action in states[0]; return how many."""
    return outcomes(game, states[0], action, records, probabilities)


@kernel
def encode_one(game, states, planes):
    planes[:] = 0
    encode(game, states[0], planes)


@kernel
def logit_ids_one(game, states, action):
    return logit_ids(game, states[0], action)


@kernel
def swap_one(game, states):
    swap(game, states[0])
