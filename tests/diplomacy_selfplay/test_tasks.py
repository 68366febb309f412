"""The tasks of Diplomacy through pickle."""

import pickle
from functools import partial

import numpy as np
import pytest

from playmill.diplomacy.ladder import LadderSettings, RungTask, play_rung_game
from playmill.diplomacy.players import make_player
from playmill.diplomacy.selfplay import GameTask, open_searcher, play_game
from playmill.diplomacy.selfplay_settings import make_settings

pytestmark = pytest.mark.jit

HEURISTIC = {"player": "heuristic", "max_year": 1902}


def through_pickle(function, task):
    function, task = pickle.loads(pickle.dumps((function, task)))
    return pickle.loads(pickle.dumps(function(task)))


def test_a_game_of_self_play():
    settings = make_settings(**HEURISTIC)
    task = GameTask(3, settings, partial(open_searcher, settings))
    assert through_pickle(play_game, task) == play_game(task)


def test_a_game_of_a_ladder():
    settings = LadderSettings(max_year=1901)
    task = RungTask(8, partial(make_player, "heuristic"), partial(make_player, "random"), settings)
    here, there = play_rung_game(task), through_pickle(play_rung_game, task)
    assert here.key == there.key
    assert np.array_equal(here.centres, there.centres)
