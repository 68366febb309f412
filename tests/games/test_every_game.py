"""Every registered game keeps every promise of the contract, and agrees with its plain twin."""

from __future__ import annotations

import pytest

from naive.connect_four import ConnectFour
from naive.exchange import Exchange
from naive.tictactoe import TicTacToe
from naive.yatzy import Yatzy
from playmill.core.jit import IS_COMPILED
from playmill.games.conformance import GAMES, check_game
from playmill.games.kit.promises import PROMISES
from playmill.games.registry import BUILT_IN, game_names

TWINS = {"connect_four": ConnectFour, "exchange": Exchange, "tictactoe": TicTacToe, "yatzy": Yatzy, "yatzy_rich": Yatzy}


def games_of(name, games):
    """Fewer where games are long and nothing is compiled: plain kernels are a thousand times slower."""
    return games if IS_COMPILED or name != "exchange" else max(1, games // 20)


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("name", game_names())
def test_every_game_keeps_its_promises(name, promise):
    check_game(name, TWINS.get(name), games_of(name, GAMES), promises=[promise])


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_game_has_a_twin_that_agrees_over_many_games(name):
    games = games_of(name, 100)
    report = check_game(name, TWINS[name], games, seed=1, promises=["the twin agrees"])
    assert report.games == games
