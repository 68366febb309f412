"""Trackers of any game: terms of several players, and names that two games can't share."""

import numpy as np
import pytest

from playmill.core.errors import ContractError, UsageError
from playmill.games.trackers import (
    TRACKERS,
    RewardTerm,
    RewardWeight,
    Tracker,
    count_games,
    enter_tracker,
    known_weights,
    shaping_parts,
)
from playmill.selfplay.rewards import RewardSettings, check_rewards, hidden_rewards, shaping_of
from toy_games import MARCH

COUNTERS = np.dtype([("ones", "f8")])


def count_ones(game, seeds, offsets, actions, counts):
    """How often each of the three players said 1."""
    for i in range(seeds.size):
        for ply, action in enumerate(actions[offsets[i] : offsets[i + 1]]):
            counts["ones"][i, ply % 3] += action


def tracker(weight="one_said", is_opposed=True):
    term = RewardTerm("ones", lambda counts, weights: weights[weight] * counts["ones"], is_opposed)
    return Tracker(COUNTERS, (RewardWeight(weight, 0.3, "For each 1."),), (term,), count_ones)


@pytest.fixture
def entered(monkeypatch):
    """The toy game with a tracker, in a table of its own."""
    for name in list(TRACKERS):
        monkeypatch.delitem(TRACKERS, name)
    monkeypatch.setitem(TRACKERS, MARCH.name, made := tracker())
    return made


GAMES = np.array([1, 2], np.uint64), np.array([0, 3, 6]), np.array([1, 0, 0, 1, 1, 0])


def test_what_one_gets_is_taken_off_the_others_in_equal_parts(entered):
    counts = count_games(MARCH, entered, *GAMES)
    found = shaping_parts(entered, counts, entered.defaults()).sum(axis=-1)
    assert found.tolist() == [pytest.approx([0.3, -0.15, -0.15]), pytest.approx([0.15, 0.15, -0.3])]
    own = shaping_parts(tracker(is_opposed=False), counts, entered.defaults()).sum(axis=-1)
    assert own.tolist() == [pytest.approx([0.3, 0, 0]), pytest.approx([0.3, 0.3, 0])]


@pytest.mark.parametrize(
    ("settings", "first"),
    [({}, 0.3), ({"one_said": 0.5}, 0.5), ({"scale": 0.5}, 0.15), ({"scale": 0}, 0), ({"one_said": 1, "limit": 0.2}, 0.2)],
)
def test_weights_scale_and_limit_make_the_shaping(entered, settings, first):
    assert shaping_of(MARCH, RewardSettings.model_validate(settings), *GAMES)[0, 0] == pytest.approx(first)


def test_a_game_without_a_tracker_has_none(monkeypatch):
    assert np.isnan(shaping_of(MARCH, RewardSettings(), *GAMES)).all()
    assert hidden_rewards(MARCH) == {"selfplay.rewards"}


def test_a_key_is_known_while_a_tracker_has_it(entered):
    assert [weight.name for weight in known_weights()] == ["one_said"]
    assert hidden_rewards(MARCH) == frozenset()
    check_rewards(MARCH, RewardSettings.model_validate({"one_said": 1}))
    assert list(RewardSettings.all_fields()) == ["scale", "limit", "one_said"]


def test_a_weight_of_one_name_is_one_games(entered):
    with pytest.raises(ContractError, match="the reward weight 'one_said' is there already, of another game"):
        enter_tracker("other", tracker())
    with pytest.raises(UsageError, match="tracker 'march' is there already"):
        enter_tracker(MARCH.name, tracker("another"))
