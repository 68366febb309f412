"""Our games as PettingZoo environments, held to PettingZoo's own tests."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from playmill.adapters.pettingzoo import env
from playmill.core.errors import UsageError
from playmill.games.registry import get_game

GAMES = ["tictactoe", "connect_four", "yatzy", "exchange", "go9"]

pytestmark = pytest.mark.jit


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoos_own_api_test_passes(name):
    api_test(env(name), num_cycles=30)


def test_pettingzoos_own_seed_test_passes():
    seed_test(lambda: env("yatzy"), num_cycles=20)


@pytest.mark.parametrize("name", ["tictactoe", "exchange"])
def test_a_game_there_is_the_game_here(name):
    zoo, state = env(name), get_game(name).new(7)
    zoo.reset(seed=7)
    draws = np.random.default_rng(0)
    while not state.is_over:
        seen, reward, is_over, _, _ = zoo.last()
        assert (zoo.agent_selection, reward, is_over) == (f"player_{state.to_move}", 0.0, False)
        np.testing.assert_array_equal(seen["observation"], state.features())
        place = int(draws.integers(len(state.legal_actions)))
        assert seen["action_mask"].sum() == len(state.legal_actions)
        zoo.step(int(np.flatnonzero(seen["action_mask"])[place]))
        state = state.apply(state.legal_actions[place])
    assert list(zoo.rewards.values()) == list(state.returns)


def test_what_is_no_action_is_refused():
    zoo = env("exchange")
    zoo.reset(seed=1)
    with pytest.raises(UsageError, match="legal actions, got place"):
        zoo.step(500)
