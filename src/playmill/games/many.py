"""The contract's kernels for many games at once: one record a game, each game in a lane of its own."""
# mypy: allow-untyped-defs, allow-incomplete-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import START, mix_word
from playmill.games.kernels import afterstate, chance_key, encode, legal, outcome, play, points, start, to_move

START_EVENT = np.uint64(START)


@kernel
def begin_games(game, lanes, seeds, blank, records):
    """Put the first state of each lane's episode into its record; `blank` is one zeroed record."""
    for lane in lanes:
        records[lane] = blank[0]
        start(game, records[lane], mix_word(seeds[lane], START_EVENT))


@kernel
def play_moves(game, lanes, seeds, actions, records, utilities, is_over):
    """Play each lane's action with the chance that its episode holds for it; note the utilities of games that end."""
    for i in range(lanes.size):
        lane = lanes[i]
        play(game, records[lane], actions[i], mix_word(seeds[lane], chance_key(game, records[lane])))
        is_over[i] = outcome(game, records[lane], utilities[i])


@kernel
def first_illegal(game, records, actions, scratch):
    """The first i whose actions[i] the rules forbid in records[i], or -1; `scratch` is int32 [max_legal]."""
    for i in range(records.size):
        count = legal(game, records[i], scratch)
        is_legal = False
        for k in range(count):
            is_legal |= scratch[k] == actions[i]
        if not is_legal:
            return i
    return -1


@kernel
def movers(game, records, out):
    """The player to move in each record."""
    for i in range(records.size):
        out[i] = to_move(game, records[i])


@kernel
def points_of(game, records, out):
    """The points of each player in each record."""
    for i in range(records.size):
        points(game, records[i], out[i])


@kernel
def afterstates(game, actions, records, scores, goes_on):
    """Change each record into what its action alone makes of it; note which games go on."""
    for i in range(records.size):
        afterstate(game, records[i], actions[i])
        goes_on[i] = not outcome(game, records[i], scores)


@kernel
def encode_all(game, records, features):
    """Fill one row of features a record."""
    for i in range(records.size):
        features[i, :] = 0
        encode(game, records[i], features[i])


@kernel
def replay(game, seeds, offsets, actions, blank, before):
    """Play recorded games again; fill before[k] with the state in which actions[k] was chosen.

    Game i is the episode seeds[i] with actions[offsets[i] : offsets[i + 1]]; `blank` is one zeroed record.
    """
    state = blank.copy()
    for i in range(seeds.size):
        state[0] = blank[0]
        start(game, state[0], mix_word(seeds[i], START_EVENT))
        for k in range(offsets[i], offsets[i + 1]):
            before[k] = state[0]
            play(game, state[0], actions[k], mix_word(seeds[i], chance_key(game, state[0])))
