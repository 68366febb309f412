"""From searches to the rows of a shard: policies end to end, and values by TD(lambda)."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel

DECISION = 1  # the kind of a row that is a decision
SAMPLES, ROOTS = np.uint64(0xFFFF_FFFF_FFFF_FF20), np.uint64(0xFFFF_FFFF_FFFF_FF21)  # what is kept of a decision


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
def td_lambda(share, first, number, kind, mover, is_sound, points, q, q_togo, final_returns, final_points):
    """TD(lambda) in place: a value becomes (1 - share) of itself plus `share` of the next one, and after the last the outcome.

    Rows are sorted by game and ply, game `first` is row 0 of the two finals. Values are utilities (`q`) or the mover's points
    to come (`q_togo`), whose next one is the same player's; one a player, by seat, NaN where there is none. What followed a
    move that is not sound says nothing about the position before it.
    """
    game = -1
    utilities, players = np.zeros(final_returns.shape[1]), np.zeros(final_points.shape[1])
    for row in range(number.size - 1, -1, -1):
        if number[row] != game:
            game = number[row]
            utilities[:] = final_returns[game - first]
            players[:] = final_points[game - first]
        if kind[row] != DECISION:
            continue
        own, later = mover[row], share if is_sound[row] else 0.0
        for player in range(utilities.size):
            if not np.isnan(q[row, player]):
                utilities[player] = (1 - later) * q[row, player] + later * utilities[player]
                q[row, player] = utilities[player]
        if not np.isnan(q_togo[row, own]):
            players[own] = (1 - later) * (points[row, own] + q_togo[row, own]) + later * players[own]
            q_togo[row, own] = players[own] - points[row, own]
