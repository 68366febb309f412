"""Every registered game keeps every promise of the contract, and agrees with its plain twin."""

from __future__ import annotations

import pytest

from naive.connect_four import ConnectFour
from naive.tictactoe import TicTacToe
from naive.yatzy import Yatzy
from playmill.games.conformance import check_game
from playmill.games.kit.promises import PROMISES
from playmill.games.registry import BUILT_IN, game_names

TWINS = {"connect_four": ConnectFour, "tictactoe": TicTacToe, "yatzy": Yatzy}


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("name", game_names())
def test_every_game_keeps_its_promises(name, promise):
    check_game(name, TWINS.get(name), promises=[promise])


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_game_has_a_twin_that_agrees_over_many_games(name):
    report = check_game(name, TWINS[name], games=100, seed=1, promises=["the twin agrees"])
    assert report.games == 100
