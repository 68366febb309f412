"""The tasks of Diplomacy through pickle."""

import pickle
from functools import partial

import numpy as np
import pytest

from playmill.core.executor import run
from playmill.packs.diplomacy.players.ladder import LadderSettings, RungTask, play_rung_game
from playmill.packs.diplomacy.players.player import make_player
from playmill.packs.diplomacy.selfplay.generate import GamesTask, open_searcher, play_games
from playmill.packs.diplomacy.selfplay.settings import make_settings

pytestmark = pytest.mark.jit

HEURISTIC = {"player": "heuristic", "max_year": 1902}


def copied(*what):
    return pickle.loads(pickle.dumps(what))


def through_pickle(function, task):
    function, task = copied(function, task)
    return copied(function(task))[0]


def test_a_game_of_self_play():
    settings = make_settings(**HEURISTIC)
    task = GamesTask((3, 4), settings, partial(open_searcher, settings))
    heard = ([], [])
    for records, (function, one) in zip(heard, ((play_games, task), copied(play_games, task)), strict=True):
        list(run(function, [one], 1, hear=lambda _, record, records=records: records.append(copied(record)[0])))
    assert [record.game_id for record in heard[0]] == [3, 4]
    assert heard[0] == heard[1]


def test_a_game_of_a_ladder():
    settings = LadderSettings(max_year=1901)
    task = RungTask(8, partial(make_player, "heuristic"), partial(make_player, "random"), settings)
    here, there = play_rung_game(task), through_pickle(play_rung_game, task)
    assert here.key == there.key
    assert np.array_equal(here.centres, there.centres)
