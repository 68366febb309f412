"""Our games in OpenSpiel, held to its own tests; its games under our search, which visits what our kernels visit."""

import numpy as np
import pyspiel
import pytest

import playmill
from playmill.adapters.openspiel_games import register_game, register_games
from playmill.adapters.openspiel_search import PuctBot, open_position, search_openspiel
from playmill.adapters.reference_search import search_position
from playmill.core.errors import UsageError
from playmill.games.registry import get_game
from playmill.search.settings import PuctSettings, SearchSettings

pytestmark = pytest.mark.jit


@pytest.fixture(scope="module", autouse=True)
def registered():
    return register_games()


@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "yatzy", "go9"])
def test_openspiels_own_test_passes(name, registered):
    assert f"playmill_{name}" in registered
    pyspiel.random_sim_test(pyspiel.load_game(f"playmill_{name}"), num_sims=2, serialize=True, verbose=False)


def test_what_openspiel_cannot_hold_is_refused_by_name(registered):
    assert "playmill_exchange" not in registered
    with pytest.raises(UsageError, match="exchange: OpenSpiel numbers actions"):
        register_game(get_game("exchange"))


def test_chance_is_explicit_and_adds_up(registered):
    state = pyspiel.load_game("playmill_yatzy(seed=7)").new_initial_state()
    assert str(state) == get_game("yatzy").new(7).line
    state.apply_action(0)  # keep nothing
    assert state.is_chance_node()
    assert sum(share for _, share in state.chance_outcomes()) == pytest.approx(1.0)


def test_openspiels_connect_four_and_ours_are_the_same_game(registered):
    ours, theirs = (pyspiel.load_game(name).new_initial_state() for name in ("playmill_connect_four", "connect_four"))
    draws = np.random.default_rng(3)
    while not theirs.is_terminal():
        assert ours.legal_actions() == theirs.legal_actions()
        action = int(draws.choice(theirs.legal_actions()))
        ours.apply_action(action)
        theirs.apply_action(action)
    assert ours.is_terminal()
    assert ours.returns() == theirs.returns()


@pytest.mark.parametrize(("name", "moves"), [("tictactoe", []), ("connect_four", [3, 2, 3, 2]), ("connect_four", [])])
def test_the_plain_search_visits_what_the_kernels_visit(name, moves):
    state = get_game(name).new(1)
    for move in moves:
        state = state.apply(move)
    settings = SearchSettings(kind="puct", puct=PuctSettings(budget=200, inflight=1, c_puct=1.5))
    kernels = playmill.search(state, simulations=200, kind=settings)
    plain = search_position(state, 200, c_puct=1.5)
    assert plain.visits == kernels.visits
    assert plain.best == kernels.best
    assert {action: round(value, 5) for action, value in plain.values.items()} == {
        action: round(value, 5) for action, value in kernels.values.items()
    }


def test_a_game_of_openspiel_is_played_through_our_search():
    game = pyspiel.load_game("tic_tac_toe")
    for first in (0, 1):
        state, bot = game.new_initial_state(), PuctBot(300)
        random = pyspiel.make_uniform_random_bot(1 - first, 5 + first)
        while not state.is_terminal():
            state.apply_action((bot if state.current_player() == first else random).step(state))
        assert state.returns()[first] >= 0


def test_the_search_takes_a_win_and_counts_chance():
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for move in (0, 3, 1, 4):
        state.apply_action(move)
    assert search_openspiel(state, 200).best == 2
    pig = pyspiel.load_game("pig").new_initial_state()
    first, again = search_openspiel(pig, 100, seed=4), search_openspiel(pig, 100, seed=4)
    assert first == again
    assert sum(first.visits.values()) == 100


@pytest.mark.parametrize(("name", "told"), [("kuhn_poker", "hidden information"), ("goofspiel", "move at once")])
def test_games_that_it_cannot_search_are_refused(name, told):
    with pytest.raises(UsageError, match=told):
        open_position(pyspiel.load_game(name).new_initial_state())
