"""The kernels of one-ply expectations."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.kernels import distinct, outcome, outcomes


@kernel
def list_distinct(game, states, actions):
    """Fill `actions` with those of states[0] that differ in effect; return how many."""
    return distinct(game, states[0], actions)


@kernel
def follow(game, states, action, records, chances, utilities):
    """Fill in what may follow an action in states[0], and utilities[i], which are NaN, where it is the end; return how many."""
    count = outcomes(game, states[0], action, records, chances)
    for i in range(count):
        if not outcome(game, records[i], utilities[i]):
            utilities[i, :] = np.nan
    return count
