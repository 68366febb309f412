"""Words to draw with, and what is drawn with them, for many games at once."""
# mypy: allow-untyped-defs, allow-incomplete-defs, no-check-untyped-defs

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import CHOICES, SEARCH, below_word, mix_word
from playmill.games.kernels import distinct, legal, logit_ids
from playmill.search.nodes import ask_logits
from playmill.search.noise import choose, uniform01

# Streams of an episode, far away from those of its own chance.
CHOICES_EVENT, SEARCH_EVENT = np.uint64(CHOICES), np.uint64(SEARCH)
OPENING_EVENT = np.uint64(0xFFFF_FFFF_FFFF_FF30)
EXPLORES, EXPLORED = np.uint64(1), np.uint64(2)  # whether a move is drawn from all, and which
SOUND = 0.1


@kernel
def words_of(lanes, seeds, event, plies, out):
    """Fill uint64 out[i] with the word of the stream `event` of each lane's episode at its ply."""
    for i in range(lanes.size):
        out[i] = mix_word(mix_word(seeds[lanes[i]], event), np.uint64(plies[lanes[i]]))


@kernel
def is_chosen(lanes, seeds, event, plies, share, chosen):
    """Decide for each lane, from a stream of its own, whether this decision is among the `share` that is kept."""
    for i in range(lanes.size):
        word = mix_word(mix_word(seeds[lanes[i]], event), np.uint64(plies[lanes[i]]))
        chosen[i] = uniform01(word) < share


@kernel
def draw_uniform(game, records, streams, scratch, out):
    """Draw each game's action evenly from its legal ones, with the word that its stream holds for choices."""
    for i in range(records.size):
        count = legal(game, records[i], scratch)
        out[i] = scratch[below_word(mix_word(streams[i], CHOICES_EVENT), count)]


@kernel
def draw_best(worths, word):
    """The place of the highest of `worths`, of which there is at least one; of equal ones each is as likely, by the word."""
    best, ties = 0, 0
    for k in range(worths.size):
        if worths[k] > worths[best]:
            best, ties = k, 1
        elif worths[k] == worths[best]:
            ties += 1
            # The last of n equal ones is taken with the chance 1/n, so in the end each is as likely.
            if below_word(mix_word(word, np.uint64(k)), ties) == 0:
                best = k
    return best


@kernel
def draw_moves(words, temperatures, explore, count, actions, policy, moves, is_sound):
    """Draw a move of each row's policy at its temperature, or with the chance `explore` one of all actions alike.

    A temperature of 0 takes the most likely, a tie the lowest. A move is sound if the policy has at least a share SOUND of its
    largest entry for it.
    """
    for i in range(words.size):
        chosen = choose(policy[i, : count[i]], temperatures[i], words[i])
        if explore > 0 and uniform01(mix_word(words[i], EXPLORES)) < explore:
            chosen = int(uniform01(mix_word(words[i], EXPLORED)) * count[i])
        moves[i] = actions[i, chosen]
        is_sound[i] = policy[i, chosen] >= SOUND * policy[i, : count[i]].max()


@kernel
def ask_logits_of(game, records, scratch, asked):
    """Name the logits that `best_logits` will want, a row of `asked` for each record; nothing where there is no room to ask."""
    if asked.shape[1] > 0:
        for i in range(records.size):
            ask_logits(game, records[i], scratch, asked[i])


@kernel
def best_logits(game, records, logits, were_asked, scratch, out):
    """The action with the highest logit among those that differ in effect; a tie goes to the lowest.

    A row of `logits` has all that the network has or, where they `were_asked` for, those of these actions in order.
    """
    for i in range(records.size):
        count = distinct(game, records[i], scratch)
        best, highest = scratch[0], -np.inf
        for k in range(count):
            if were_asked:
                logit = logits[i, k]
            else:
                one, two = logit_ids(game, records[i], scratch[k])
                logit = logits[i, one] + (logits[i, two] if two >= 0 else np.float32(0))
            if logit > highest:
                best, highest = scratch[k], logit
        out[i] = best
