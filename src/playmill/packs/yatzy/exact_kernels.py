"""Decisions out of solved turns."""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel
from playmill.games.yatzy.ends import action_values


@kernel
def look_up(lanes, records, ends, keeps, temperature, count, actions, policy, priors, values, visits, value, mover):
    """Fill one row a lane: action values, and as the policy their softmax, `temperature[i]` points (or wins) to a factor of e.

    The best action has the largest share whatever the temperature, so playing it needs no more than the policy.
    """
    worth = np.empty(actions.shape[1])
    for i in range(lanes.size):
        g = lanes[i]
        n = action_values(records[i], ends[g], keeps[g], actions[i], worth)
        best = worth[:n].max()
        total = 0.0
        for j in range(n):
            values[i, j] = worth[j]
            policy[i, j] = math.exp((worth[j] - best) / temperature[i])
            total += policy[i, j]
        for j in range(n):
            policy[i, j] /= total
        count[i] = n
        mover[i] = records[i].mover
        value[i, mover[i]] = best
