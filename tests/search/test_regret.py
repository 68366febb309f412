"""The average strategy goes to the equilibrium of games that are solved on paper."""

import numpy as np
import pytest

from playmill.search.matrix_games import solve

NEAR = 0.02


def zero_sum(table):
    """Payoffs of both players out of the first one's."""
    first = np.array(table, float)
    return np.stack([first, -first], axis=-1)


# Each has just one equilibrium: the game, both strategies, and what the first player gets.
GAMES = {
    "matching pennies": ([[1, -1], [-1, 1]], [0.5, 0.5], [0.5, 0.5], 0.0),
    "scissors count double": ([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], [0.25, 0.5, 0.25], [0.25, 0.5, 0.25], 0.0),
    "mixed two by two": ([[3, 0], [1, 2]], [0.25, 0.75], [0.5, 0.5], 1.5),
    "one row dominates": ([[3, 2], [1, 0]], [1, 0], [0, 1], 2.0),
    "a third row is dominated": ([[3, 0], [1, 2], [0, -1]], [0.25, 0.75, 0], [0.5, 0.5], 1.5),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_average_strategy_is_the_known_equilibrium(name, seed):
    table, first, second, value = GAMES[name]
    strategies, values = solve(zero_sum(table), 100_000, seed)
    assert np.abs(strategies[0] - first).max() < NEAR
    assert np.abs(strategies[1] - second).max() < NEAR
    assert values[0] == pytest.approx(value, abs=2 * NEAR)
    assert values[0] == pytest.approx(-values[1], abs=2 * NEAR)


def test_all_players_learn_at_once_in_a_general_sum_game():
    # Both prisoners' second action dominates, so the only equilibrium, even correlated, is (1, 1).
    dilemma = np.array([[[3, 3], [0, 4]], [[4, 0], [1, 1]]], float)
    strategies, values = solve(dilemma, 5_000)
    assert all(strategy[1] > 1 - NEAR for strategy in strategies)
    assert np.allclose(values, 1, atol=2 * NEAR)


def test_three_players_find_their_dominant_actions():
    # Player p gets 1 for action 1, and loses 0.3 for each other who takes it: still worth it.
    table = np.zeros((2, 2, 2, 3))
    for profile in np.ndindex(2, 2, 2):
        for player in range(3):
            table[profile][player] = profile[player] - 0.3 * (sum(profile) - profile[player])
    strategies, _ = solve(table, 5_000)
    assert all(strategy[1] > 1 - NEAR for strategy in strategies)


def test_same_seed_same_strategies():
    first, again = (solve(zero_sum([[3, 0], [1, 2]]), 2_000, seed=5)[0] for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
