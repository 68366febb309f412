"""Self-play with a network: games side by side are the games that are played one at a time."""

from functools import partial

import pytest

from diplomacy_neural.playing import new_evaluator
from playmill.packs.diplomacy.neural.guidance import GuidanceSettings
from playmill.packs.diplomacy.neural.players import make_guided_player, make_guided_team
from playmill.packs.diplomacy.search.settings import OrderSearchSettings
from playmill.packs.diplomacy.selfplay.generate import DiplomacySelfPlay, GamesTask, play_games
from playmill.packs.diplomacy.selfplay.output import Output
from playmill.packs.diplomacy.selfplay.settings import make_settings

pytestmark = pytest.mark.jit  # games and searches take minutes uncompiled

SEARCH = OrderSearchSettings(candidates=3, levels=2).with_polish(50)
SETTINGS = make_settings(max_year=1901, temperature=0.2, seed=5, budget={"kind": "iterations", "amount": 3})
GAMES = 5


def play(path, open_player, lanes, threads):
    with Output(path, SETTINGS) as output:
        report = DiplomacySelfPlay(SETTINGS, output, open_player, lanes).run(GAMES, threads)
    assert report.games == GAMES
    return path.read_bytes()


@pytest.mark.parametrize("values", ["off", "candidates", "leaves"])
def test_any_lanes_and_threads_write_the_same_bytes(tmp_path, values):
    evaluator, guidance = new_evaluator(), GuidanceSettings(values=values, noise=0.25)
    alone = play(tmp_path / "alone.jsonl", lambda: make_guided_player(evaluator, SEARCH, guidance), lanes=1, threads=1)
    for lanes, threads in ((2, 1), (4, 2)):
        team = partial(make_guided_team, evaluator, SEARCH, guidance, lanes)
        assert play(tmp_path / f"{lanes}.jsonl", team, lanes, threads) == alone


def test_lanes_are_refilled_and_share_the_passes_of_the_network():
    evaluator, sizes = new_evaluator(), []
    team = make_guided_team(evaluator, SEARCH, GuidanceSettings(), lanes=3)
    shared = team.players[0].search.evaluator
    answer = shared.answer
    shared.answer = lambda states: sizes.append(len(states)) or answer(states)
    assert play_games(GamesTask(tuple(range(4)), SETTINGS, lambda: team)) == 4
    assert all(player.search.evaluator is shared for player in team.players)
    # Two movement phases a game: three games together, then the fourth with what is left of them, or alone.
    assert sizes[0] == 3
    assert sum(sizes) == 8
