"""Games that several tests look at, and short cuts to make more."""

import pytest

from playmill.diplomacy.selfplay import open_searcher
from playmill.diplomacy.selfplay_game import Game, Table
from playmill.diplomacy.selfplay_settings import make_settings


def play_game(number, **values):
    """One whole game."""
    settings = make_settings(**{"player": "heuristic", "max_year": 1904, "seed": 7, **values})
    game, player = Game(number, settings, Table(settings)), open_searcher(settings)
    while not game.is_over:
        game.step(player)
    return game.record()


@pytest.fixture(scope="session")
def short_game():
    """Three years by the heuristic player."""
    return play_game(0)
