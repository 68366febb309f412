"""Games that several tests look at, and short cuts to make more."""

import pytest

from playmill.packs.diplomacy.selfplay.game import GameTable, SelfPlayGame
from playmill.packs.diplomacy.selfplay.generate import open_searcher
from playmill.packs.diplomacy.selfplay.settings import make_settings


def play_game(number, **values):
    """One whole game."""
    settings = make_settings(**{"player": "heuristic", "max_year": 1904, "seed": 7, **values})
    game, player = SelfPlayGame(number, settings, GameTable(settings)), open_searcher(settings)
    while not game.is_over:
        game.step(player)
    return game.record()


@pytest.fixture(scope="session")
def short_game():
    """Three years by the heuristic player."""
    return play_game(0)
