"""Regret matching+ on a game that is given as a table of payoffs."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix
from playmill.search.regret import (
    PENDING,
    REGRETS,
    average,
    close_iteration,
    key_of,
    mean_values,
    open_iteration,
    set_even_priors,
    set_up_regrets,
)


def solve(payoffs: np.ndarray, iterations: int, seed: int = 0) -> tuple[list[np.ndarray], np.ndarray]:
    """The average strategies of all players, and what they expect.

    `payoffs` has one axis a player, by action, and a last one with what each player gets.
    """
    players, counts = payoffs.shape[-1], payoffs.shape[:-1]
    width = max(counts)
    # Padded, so that a profile's key is its row.
    padded = np.zeros((width,) * players + (players,))
    padded[tuple(slice(count) for count in counts)] = payoffs
    search = np.zeros(1, REGRETS)[0]
    set_up_regrets(search, players, width)
    search.counts[:players] = counts
    set_even_priors(search)
    run(search, padded.reshape(-1, players), iterations, np.uint64(mix(seed, 0)))
    found = average(search)
    return [found[player, :count] for player, count in enumerate(counts)], mean_values(search)


@kernel
def run(search, table, iterations, stream):
    """`table` has one row a profile."""
    for _ in range(iterations):
        open_iteration(search, stream)
        for i in range(search.tally[PENDING]):
            row = search.pending[i]
            key = key_of(search, row)
            for player in range(search.players):
                search.rows[row, player] = table[key, player]
        close_iteration(search)
