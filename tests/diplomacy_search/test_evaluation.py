"""The evaluation is a share for each power, and knows what is good."""

import numpy as np
import pytest

from diplomacy_search.games_at_hand import positions
from playmill.games.diplomacy.board import Board
from playmill.games.diplomacy.geography import CENTRES, INDEX, POWERS
from playmill.games.diplomacy.state import start_states
from playmill.packs.diplomacy.search.evaluation import evaluate_states
from playmill.packs.diplomacy.search.weights import EvaluationWeights

ITALY = POWERS.index("italy")


def value(states):
    return evaluate_states(states)[0]


def test_values_are_shares():
    rows = np.concatenate([evaluate_states(states) for states in positions()])
    assert np.allclose(rows.sum(axis=1), 1)
    assert rows.min() >= 0


def test_a_won_game_is_everything():
    states = start_states(1)
    states[0].owner[CENTRES[:18]] = ITALY
    assert value(states)[ITALY] == 1
    assert value(states).sum() == 1


def test_an_eliminated_power_has_nothing():
    states = start_states(1)
    states[0].owner[states[0].owner == ITALY] = -1
    for province in np.flatnonzero(states[0].power == ITALY):
        states[0].kind[province], states[0].power[province], states[0].at[province] = 0, -1, -1
    assert value(states)[ITALY] == 0


@pytest.mark.parametrize("orders", ["F nap - ion", "F nap - tys"])
def test_going_somewhere_is_better_than_staying_at_home(orders):
    moved = Board.start().orders(orders).adjudicate().next
    still = Board.start().adjudicate().next
    assert value(np.array([moved.state]))[ITALY] > value(np.array([still.state]))[ITALY]


def test_one_more_centre_is_better():
    states = start_states(2)
    states[1].owner[INDEX["tun"]] = ITALY
    rows = evaluate_states(states)
    assert rows[1, ITALY] > rows[0, ITALY]


def test_a_stranger_beside_a_home_centre_is_a_threat():
    quiet = start_states(1)
    beside = Board.start().orders("A vie - tyr").adjudicate().next
    assert value(np.array([beside.state]))[ITALY] < value(quiet)[ITALY]


def test_weights_have_their_say():
    plain = EvaluationWeights(squares=0.0)
    states = start_states(1)
    states[0].owner[INDEX["tun"]] = ITALY
    assert evaluate_states(states, plain)[0, ITALY] < evaluate_states(states, EvaluationWeights(squares=1.0))[0, ITALY] * 2
    assert not np.array_equal(evaluate_states(states, plain), evaluate_states(states))
