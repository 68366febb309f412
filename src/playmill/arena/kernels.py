"""What the arena does with many games at once: check moves, draw them, and walk a record again."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import CHOICES, START, below_word, mix_word
from playmill.games.kernels import chance_key, distinct, legal, play, slots, start
from playmill.search.noise import choose

CHOICES_EVENT, START_EVENT = np.uint64(CHOICES), np.uint64(START)
OPENING_EVENT = np.uint64(0xFFFF_FFFF_FFFF_FF30)


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
def draw_uniform(game, records, streams, scratch, out):
    """Draw each game's action evenly from its legal ones, with the word that its stream holds for choices."""
    for i in range(records.size):
        count = legal(game, records[i], scratch)
        out[i] = scratch[below_word(mix_word(streams[i], CHOICES_EVENT), count)]


@kernel
def opening_streams(seeds, ply, out):
    """Where the random opening moves of each episode come from; neither bot uses these words."""
    for i in range(seeds.size):
        out[i] = mix_word(mix_word(seeds[i], OPENING_EVENT), np.uint64(ply))


@kernel
def draw_decisions(count, actions, policy, temperatures, streams, out):
    """Draw each action from its row's policy at its temperature; at 0 the most likely, a tie to the lowest."""
    for i in range(count.size):
        word = mix_word(streams[i], CHOICES_EVENT)
        out[i] = actions[i, choose(policy[i, : count[i]], temperatures[i], word)]


@kernel
def best_logits(game, records, logits, scratch, out):
    """The action with the highest logit among those that differ in effect; a tie goes to the lowest."""
    for i in range(records.size):
        count = distinct(game, records[i], scratch)
        best, highest = scratch[0], -np.inf
        for k in range(count):
            one, two = slots(game, records[i], scratch[k])
            logit = logits[i, one] + (logits[i, two] if two >= 0 else np.float32(0))
            if logit > highest:
                best, highest = scratch[k], logit
        out[i] = best


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
