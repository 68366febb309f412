"""The tasks of Diplomacy through pickle."""

import pickle
from functools import partial

import numpy as np
import pytest

from playmill.core.executor import run
from playmill.packs.diplomacy.players.ladder import LadderSettings, RungTask, play_rung_games
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


def heard_of(function, task):
    """What a task tells, each through pickle."""
    heard = []
    list(run(function, [task], 1, hear=lambda _, news: heard.append(copied(news)[0])))
    return heard


def test_a_game_of_self_play():
    settings = make_settings(**HEURISTIC)
    task = GamesTask((3, 4), settings, partial(open_searcher, settings))
    heard = heard_of(play_games, task)
    assert [record.game_id for record in heard] == [3, 4]
    assert heard == heard_of(*copied(play_games, task))


def test_a_game_of_a_ladder():
    settings = LadderSettings(max_year=1901)
    task = RungTask((8, 9), partial(make_player, "heuristic"), partial(make_player, "random"), settings)
    here, there = heard_of(play_rung_games, task), heard_of(*copied(play_rung_games, task))
    assert [game for game, _ in here] == [game for game, _ in there] == [8, 9]
    assert [ending.key for _, ending in here] == [ending.key for _, ending in there]
    assert np.array_equal(here[0][1].centres, there[0][1].centres)
