"""State, the Python face: a value that checks what it is asked, and survives any storage."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playmill.core.errors import ContractError, IllegalAction, UsageError
from playmill.games.connect_four import CONNECT_FOUR
from playmill.games.game import Game
from playmill.games.golden import random_action
from playmill.games.registry import BUILT_IN, get_game
from playmill.games.state import State
from playmill.games.tictactoe import TICTACTOE
from playmill.games.yatzy.rules import YATZY

seeds = st.integers(0, 2**64 - 1)


@st.composite
def states(draw):
    """Any state of any built-in game, reached by any actions."""
    state = get_game(draw(st.sampled_from(sorted(BUILT_IN)))).new(draw(seeds))
    for choice in draw(st.lists(st.integers(0, 1000), max_size=40)):
        if state.is_over:
            break
        state = state.apply(state.legal_actions[choice % len(state.legal_actions)])
    return state


def play_to_the_end(game, seed=0):
    state = game.new(seed)
    while not state.is_over:
        state = state.apply(random_action(state))
    return state


# ------------------------------------------------------------------ a value


@settings(deadline=None)
@given(states())
def test_bytes_and_pickle_give_the_same_state_back(state):
    for copy in (State.from_bytes(state.game, bytes(state)), pickle.loads(pickle.dumps(state))):
        assert copy == state
        assert hash(copy) == hash(state)
        assert (copy.key, copy.ply, copy.seed, str(copy)) == (state.key, state.ply, state.seed, str(state))
        assert copy.legal_actions == state.legal_actions


@settings(deadline=None)
@given(states())
def test_nothing_that_is_done_with_a_state_changes_it(state):
    before = bytes(state)
    record = state.record
    record.mover = 1 - record.mover
    if state.game.features:
        state.features()[:] = 9
    if "swap" in state.game.kernels:
        state.swapped()
    state.reseeded(5)
    for action in state.legal_actions:
        state.apply(action)
    assert bytes(state) == before
    assert bytes(State.from_bytes(state.game, before)) == before


@settings(deadline=None)
@given(states())
def test_the_same_action_always_leads_to_the_same_state(state):
    for action in state.legal_actions[:3]:
        assert state.apply(action) == state.apply(action)
        assert state.apply(action).ply == state.ply + 1


def test_states_differ_by_seed_ply_and_game():
    state = TICTACTOE.new(1)
    assert state != state.reseeded(2)
    assert state.key == state.reseeded(2).key
    assert state != "a state"
    assert TICTACTOE.new() != CONNECT_FOUR.new()
    assert len({TICTACTOE.new(1), TICTACTOE.new(1), TICTACTOE.new(2)}) == 2


def test_a_state_travels_to_another_process():
    state = YATZY.new(11).apply(5)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(State.apply, state, 32).result() == state.apply(32)


def test_chance_comes_from_the_seed_alone():
    assert YATZY.new(1).record.dice.tolist() != YATZY.new(2).record.dice.tolist()
    one, other = YATZY.new(1), YATZY.new(2)
    assert one.apply(0).record.dice.tolist() != other.reseeded(2).apply(0).record.dice.tolist()
    assert one.apply(0).record.dice.tolist() == other.reseeded(1).apply(0).record.dice.tolist()


# ------------------------------------------------------------------ errors


@pytest.mark.parametrize("action", [9, -1, 1.0, "4", None, 2**80])
def test_an_illegal_action_names_the_legal_ones(action):
    state = TICTACTOE.new().apply(4)
    with pytest.raises(IllegalAction) as caught:
        state.apply(action)
    expected = f"tictactoe: action {action!r} is illegal in '.../.x./... o to move'; legal actions are [0, 1, 2, 3, 5, 6, 7, 8]"
    assert str(caught.value) == expected


def test_a_taken_square_is_illegal_and_numpy_integers_are_actions():
    state = TICTACTOE.new().apply(np.int32(4))
    assert state == TICTACTOE.new().apply(4)
    with pytest.raises(IllegalAction, match="action 4 is illegal"):
        state.apply(4)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_finished_game_offers_nothing_and_says_so(name):
    state = play_to_the_end(get_game(name))
    assert state.legal_actions == ()
    assert len(state.returns) == 2
    with pytest.raises(IllegalAction, match="can't be played, the game is over in '"):
        state.apply(0)


def test_returns_of_an_unfinished_game_are_an_error():
    with pytest.raises(UsageError, match=r"tictactoe: returns need a finished game, but it goes on in '\.\.\./"):
        _ = TICTACTOE.new().returns


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, "7"])
def test_a_seed_has_64_bits(seed):
    with pytest.raises(UsageError, match="seed: expected a whole number from 0 to 2"):
        TICTACTOE.new(seed)
    with pytest.raises(UsageError, match="seed: expected"):
        TICTACTOE.new().reseeded(seed)


def test_stored_bytes_of_the_wrong_length_are_refused():
    with pytest.raises(UsageError, match="tictactoe: a stored state has 17 bytes, got 3"):
        State.from_bytes(TICTACTOE, b"abc")


# ------------------------------------------------------------------ games that can't be made


@pytest.mark.parametrize(
    ("dtype", "message"),
    [
        (np.dtype("i8"), "must be a NumPy record dtype with named fields"),
        (np.dtype([("name", object)]), "must be plain numbers, got an object field"),
        (np.dtype([("a", "i1"), ("b", "i8")], align=True), "has 7 bytes of padding; make the dtype without align=True"),
    ],
)
def test_a_record_is_packed_and_plain(dtype, message):
    with pytest.raises(ContractError, match=f"odd: state .*{message}"):
        Game("odd", state=dtype, players=2, logits=1)


def test_an_unknown_kernel_name_is_refused():
    def leagl(state, actions): ...

    game = Game("odd", state=np.dtype([("mover", "i1")]), players=2, logits=1)
    with pytest.raises(ContractError, match=r"odd: 'leagl' is no kernel of the game contract \(known: start, legal"):
        game.kernel(leagl)


def test_a_kernel_of_an_older_contract_is_refused_by_its_new_name():
    game = Game("old", state=np.dtype([("mover", "i1")]), players=2, logits=3)
    with pytest.raises(ContractError, match="old: the kernel 'slots' is called logit_ids now"):

        @game.kernel
        def slots(state, action):
            return action, -1
