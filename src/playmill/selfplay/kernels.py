"""What happens to many games between two searches: draw a move, note a sample, play it, see who is done."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import CHOICES, SEARCH, START, mix_word
from playmill.games.kernels import afterstate, chance_key, outcome, play, points, start, to_move
from playmill.search.noise import choose, unit

CHOICES_EVENT, SEARCH_EVENT, START_EVENT = np.uint64(CHOICES), np.uint64(SEARCH), np.uint64(START)
EXPLORES, EXPLORED = np.uint64(1), np.uint64(2)  # whether a move is drawn from all, and which
SOUND = 0.1
DECISION = 1  # the kind of a row that is a decision
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
def draw_moves(slots, seeds, plies, temperatures, explore, count, actions, policy, moves, is_sound):
    """Draw a move for each slot from its policy at its temperature, or with the chance `explore` from all actions alike.

    A move is sound if the policy has at least a share SOUND of its largest entry for it.
    """
    for i in range(slots.size):
        g = slots[i]
        word = mix_word(mix_word(seeds[g], CHOICES_EVENT), np.uint64(plies[g]))
        chosen = choose(policy[i, : count[i]], temperatures[i], word)
        if explore > 0 and unit(mix_word(word, EXPLORES)) < explore:
            chosen = int(unit(mix_word(word, EXPLORED)) * count[i])
        moves[i] = actions[i, chosen]
        is_sound[i] = policy[i, chosen] >= SOUND * policy[i, : count[i]].max()


@kernel
def is_chosen(slots, seeds, plies, event, share, chosen):
    """Decide for each slot, from its own stream, whether this decision is kept: as a sample, or as a logged root."""
    for i in range(slots.size):
        g = slots[i]
        chosen[i] = unit(mix_word(mix_word(seeds[g], event), np.uint64(plies[g]))) < share


@kernel
def join_policies(rows, count, actions, policy, new_count, new_actions, new_policy):
    """Put the policies of these rows end to end, without the actions that have no mass; return the size."""
    size = 0
    for i in range(rows.size):
        first, row = size, rows[i]
        for j in range(count[row]):
            if policy[row, j] > 0:
                new_actions[size] = actions[row, j]
                new_policy[size] = policy[row, j]
                size += 1
        new_count[i] = size - first
    return size


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
def afterstates(game, moves, records, scores, goes_on):
    """Change each record into what its move alone makes of it; note which games go on."""
    for i in range(records.size):
        afterstate(game, records[i], moves[i])
        goes_on[i] = not outcome(game, records[i], scores)


@kernel
def play_moves(game, slots, seeds, moves, records, returns, is_over):
    """Play each slot's move with the chance that its episode holds for it; note the returns of games that end."""
    for i in range(slots.size):
        g = slots[i]
        play(game, records[g], moves[i], mix_word(seeds[g], chance_key(game, records[g])))
        is_over[i] = outcome(game, records[g], returns[i])


@kernel
def fold_back(share, first, number, kind, mover, is_sound, points, q, q_togo, final_returns, final_points):
    """Mix into the search's value of each decision the share `share` of the next one's, already mixed; last comes the outcome.

    Rows are sorted by game and ply, game `first` is row 0 of the two finals. Values are a win's (`q`) or the mover's points to
    come (`q_togo`), whose next one is the same player's; NaN where there is none. What followed a move that is not sound says
    nothing about the position before it.
    """
    game = -1
    win, players = 0.0, np.zeros(final_points.shape[1])
    for row in range(number.size - 1, -1, -1):
        if number[row] != game:
            game = number[row]
            win = final_returns[game - first, 0]
            players[:] = final_points[game - first]
        if kind[row] != DECISION:
            continue
        player, later = mover[row], share if is_sound[row] else 0.0
        if not np.isnan(q[row]):
            sign = 1.0 if player == 0 else -1.0
            win = (1 - later) * sign * q[row] + later * win
            q[row] = sign * win
        if not np.isnan(q_togo[row]):
            players[player] = (1 - later) * (points[row, player] + q_togo[row]) + later * players[player]
            q_togo[row] = players[player] - points[row, player]
