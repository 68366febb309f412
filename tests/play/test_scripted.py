"""A game that is played again up to a point goes on exactly as it did, whatever its players keep in mind."""

import numpy as np
import pytest

from playmill.api import uniform_evaluator
from playmill.games.registry import get_game
from playmill.play.bots import RandomBot, SearchBot
from playmill.play.cohort import Cohort, run_in_turn
from playmill.play.recorder import Games, Tape
from playmill.play.scripted import Scripted
from playmill.search.make import make_searcher
from playmill.search.settings import SearchSettings

pytestmark = pytest.mark.jit
SEED, BUDGET = 11, 400


class Thoughts(Tape):
    """A tape that also has what was thought: the visits of each decision, by ply."""

    def __init__(self):
        super().__init__(1)
        self.visits = {}

    def decided(self, player, ask, moves):
        super().decided(player, ask, moves)
        if moves.decisions is not None:
            self.visits[int(ask.plies[0])] = moves.decisions.visits[0].tolist()


def played(game, players):
    """The actions of one game of `players`, seat by seat, and what was thought."""
    tape = Thoughts()
    games = Games(np.zeros(1, np.int64), np.array([SEED], np.uint64), np.array([[0, 1]], np.int8))
    for _ in run_in_turn([Cohort(game, players, iter([games]), 1, tape)]):
        pass
    return tape.take(0, 1).actions.tolist(), tape.visits


def searching(game):
    settings = SearchSettings.model_validate({"kind": "puct", "puct": {"budget": BUDGET, "reuse": True}})
    return SearchBot(make_searcher(game, settings, uniform_evaluator(game), 1))


@pytest.mark.parametrize("name", ["connect_four", "yatzy"])
@pytest.mark.parametrize("plies", [1, 4, 9])
def test_a_search_with_a_kept_tree_goes_on_as_it_did(name, plies):
    game = get_game(name)
    whole, visits = played(game, [RandomBot(game), searching(game)])
    script = whole[:plies]
    again = played(game, [Scripted(RandomBot(game), script, answers=True), Scripted(searching(game), script)])
    assert again == (whole, visits)


def test_a_search_that_has_not_thought_along_comes_to_another_tree():
    """Else the test above would not notice a search that never thinks about the script."""
    game = get_game("connect_four")
    whole, visits = played(game, [RandomBot(game), searching(game)])
    plies = sorted(visits)[1:4]
    alone = [played(game, [RandomBot(game), Scripted(searching(game), whole[:ply], answers=True)])[1] for ply in plies]
    assert any(other[ply] != visits[ply] for other, ply in zip(alone, plies, strict=True))


def test_the_script_is_played_though_the_player_would_do_something_else():
    game = get_game("tictactoe")
    script = [8, 0, 7, 1]
    actions, _ = played(game, [Scripted(RandomBot(game), script), Scripted(RandomBot(game), script)])
    assert actions[:4] == script
