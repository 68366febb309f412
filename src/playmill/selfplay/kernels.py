"""What happens to many games between two searches: draw a move, note a sample, play it, see who is done."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import CHOICES, SEARCH, START, mix_word
from playmill.games.kernels import chance_key, encode, outcome, play, points, start, to_move
from playmill.search.noise import choose, unit

CHOICES_EVENT, SEARCH_EVENT, START_EVENT = np.uint64(CHOICES), np.uint64(SEARCH), np.uint64(START)
SAMPLES, ROOTS = np.uint64(0xFFFF_FFFF_FFFF_FF20), np.uint64(0xFFFF_FFFF_FFFF_FF21)  # what is kept of a decision


@kernel
def begin_games(game, slots, seeds, blank, records):
    """Put the first state of each slot's episode into its record; `blank` is one zeroed record."""
    for g in slots:
        records[g] = blank[0]
        start(game, records[g], mix_word(seeds[g], START_EVENT))


@kernel
def search_streams(slots, seeds, plies, streams):
    """What a search may imagine at this ply: a stream that the game's own chance never uses."""
    for i in range(slots.size):
        streams[i] = mix_word(mix_word(seeds[slots[i]], SEARCH_EVENT), np.uint64(plies[slots[i]]))


@kernel
def draw_moves(slots, seeds, plies, temperatures, count, actions, policy, moves):
    """Draw a move for each slot from its policy at its temperature."""
    for i in range(slots.size):
        g = slots[i]
        word = mix_word(mix_word(seeds[g], CHOICES_EVENT), np.uint64(plies[g]))
        moves[i] = actions[i, choose(policy[i, : count[i]], temperatures[i], word)]


@kernel
def is_chosen(slots, seeds, plies, event, share, chosen):
    """Decide for each slot, from its own stream, whether this decision is kept: as a sample, or as a logged root."""
    for i in range(slots.size):
        g = slots[i]
        chosen[i] = unit(mix_word(mix_word(seeds[g], event), np.uint64(plies[g]))) < share


@kernel
def encode_all(game, records, features):
    """Fill one zeroed row of features a record."""
    for i in range(records.size):
        encode(game, records[i], features[i])


@kernel
def movers(game, records, out):
    for i in range(records.size):
        out[i] = to_move(game, records[i])


@kernel
def points_of(game, records, out):
    """The points of each player in each record."""
    for i in range(records.size):
        points(game, records[i], out[i])


@kernel
def play_moves(game, slots, seeds, moves, records, returns, is_over):
    """Play each slot's move with the chance that its episode holds for it; note the returns of games that end."""
    for i in range(slots.size):
        g = slots[i]
        play(game, records[g], moves[i], mix_word(seeds[g], chance_key(game, records[g])))
        is_over[i] = outcome(game, records[g], returns[i])
