"""Every registered game keeps every promise of the contract, and agrees with its plain twin."""

from __future__ import annotations

import pytest

from naive.connect_four import ConnectFour
from naive.exchange import Exchange
from naive.go import Go9, Go13, Go19
from naive.tictactoe import TicTacToe
from naive.yatzy import Yatzy
from playmill.core.jit import IS_COMPILED
from playmill.games.conformance import GAMES, check_game
from playmill.games.kit.promises import PROMISES
from playmill.games.registry import BUILT_IN, game_names

TWINS = {
    "connect_four": ConnectFour, "exchange": Exchange, "go13": Go13, "go19": Go19, "go9": Go9, "tictactoe": TicTacToe,
    "yatzy": Yatzy, "yatzy_rich": Yatzy,
}  # fmt: skip
# Games are fewer by this where they are long for a twin, and by that where nothing is compiled: plain kernels are a thousand
# times slower.
FEWER = {"exchange": (1, 20), "go13": (10, 100), "go19": (20, 100), "go9": (2, 50)}


def games_of(name, games):
    compiled, plain = FEWER.get(name, (1, 1))
    return max(1, games // (compiled if IS_COMPILED else plain))


# The larger boards have the same kernels as go9, and plain they take minutes.
LARGE = () if IS_COMPILED else ("go13", "go19")


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("name", [name for name in game_names() if name not in LARGE])
def test_every_game_keeps_its_promises(name, promise):
    check_game(name, TWINS.get(name), games_of(name, GAMES), promises=[promise])


@pytest.mark.parametrize("name", [name for name in BUILT_IN if name not in LARGE])
def test_every_built_in_game_has_a_twin_that_agrees_over_many_games(name):
    games = games_of(name, 100)
    report = check_game(name, TWINS[name], games, seed=1, promises=["the twin agrees"])
    assert report.games == games
