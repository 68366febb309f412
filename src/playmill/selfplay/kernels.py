"""What becomes of searches in a shard: policies end to end, and values that look ahead."""

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
