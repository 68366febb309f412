"""Self-play against a bot, in every iteration: who sits where, what its games teach, and how the players fared."""

import numpy as np
import pytest

from pipeline.test_opponent import comes_back
from pipeline.test_teaching import check_refused, contents, finish, shards
from playmill.games.registry import get_game
from playmill.pipeline.verify import verify_run
from playmill.runs.folder import RunFolder, read_manifest
from playmill.runs.meetings import results_words
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.shards import games_of_run

pytestmark = pytest.mark.jit
CONFIG = """
game: tictactoe
seed: 5
iterations: 2
workers: 1
net: {hidden: 16, blocks: 1}
search: {puct: {budget: 8}}
selfplay:
  games: 24
  shard_games: 8
  lanes: 5
  td_lambda: 0.7
  opponent: {share: 0.5, search: {kind: one_ply}, temperature: 0}
  sparring: {share: 0.5, bot: random}
  bootstrap: {games: 4}
train: {batch_size: 8, steps_per_iteration: 4}
gate: {games: 4}
"""
TEACHER, STUDENT, BOT = 0, 1, 2


@pytest.fixture(scope="module")
def sparred(tmp_path_factory):
    return finish(tmp_path_factory.mktemp("sparred"), CONFIG)


def seats_of(games=4000, **settings):
    return games_of_run(get_game("tictactoe"), SelfPlaySettings.model_validate(settings), 3, 10, games).seats


def test_the_bot_meets_teacher_and_student_in_seats_that_alternate():
    seats = seats_of(opponent={"share": 0.25}, sparring={"share": 0.5})
    kinds = {kind: (np.sort(seats, axis=1) == kind).all(axis=1).mean() for kind in [(0, 0), (0, 1), (0, 2), (1, 2)]}
    for kind, expected in {(0, 0): 0.375, (0, 1): 0.125, (0, 2): 0.375, (1, 2): 0.125}.items():
        assert kinds[kind] == pytest.approx(expected, abs=0.03)
    is_spar = (seats == BOT).any(axis=1)
    assert (np.argmin(seats, axis=1)[is_spar] == np.arange(10, 10 + len(seats))[is_spar] % 2).all()


def test_without_an_opponent_the_bot_is_player_1_and_without_a_bot_nothing_changes():
    assert set(map(tuple, seats_of(sparring={"share": 1.0}).tolist())) == {(0, 1), (1, 0)}
    both, alone = seats_of(opponent={"share": 0.4}, sparring={"share": 0.5}), seats_of(opponent={"share": 0.4})
    is_spar = (both == BOT).any(axis=1)
    assert (both[~is_spar] == alone[~is_spar]).all()
    assert set(alone.flat) == {0, 1}


def test_the_bots_rows_teach_outcomes_and_its_partners_rows_a_policy_too(sparred):
    met = 0
    for data, meta in shards(sparred)[1:]:
        assert [player.name for player in meta.players] == ["best", "opponent", "random"]
        is_bots, has_policy = data.samples.player == BOT, np.diff(data.samples.policy_offset) > 0
        assert (has_policy == ~is_bots).all()
        outcome, expected = (data.samples.targets[:, meta.target_names.index(name)] for name in ("z", "q"))
        assert np.isfinite(outcome).all()
        assert (np.isnan(expected) == is_bots).all()
        met += sum(is_bots[data.samples.game == number].any() for number in data.games.game_number)
    assert 6 <= met <= 18  # of 24 games


def test_results_tell_the_bots_games_apart(sparred):
    results = read_manifest(RunFolder(sparred)).iterations[1].selfplay.results
    tables = [data.games for data, meta in shards(sparred) if meta.iteration == 1]
    settings = SelfPlaySettings.model_validate({"opponent": {"share": 0.5}, "sparring": {"share": 0.5}})
    wins = games = met = 0
    for table in tables:
        for row, number in enumerate(table.game_number.tolist()):
            seats = games_of_run(get_game("tictactoe"), settings, shards(sparred)[-1][1].seed, number, 1).seats[0].tolist()
            met += set(seats) == {TEACHER, STUDENT}
            if BOT in seats:
                games += 1
                wins += table.game_returns[row, seats.index(BOT)] == 1
    assert (results["random"].games, results["random"].wins) == (games, wins)
    assert results["random"].wins + results["random"].losses + results["random"].draws == games
    assert results["best"].games == results["opponent"].games == met


def test_any_number_of_threads_writes_the_same_shards(sparred, tmp_path):
    other = finish(tmp_path, CONFIG.replace("workers: 1", "workers: 3").replace("lanes: 5", "lanes: 4"))
    assert contents(other) == contents(sparred)


def test_such_games_are_searched_again_and_a_lost_shard_comes_back(tmp_path):
    root = finish(tmp_path, CONFIG)
    report = verify_run(root, games=4 * 8)  # evenly over the shards, the bootstrap's has four
    assert (report.problems, report.searched) == ([], 28)
    assert comes_back(root, 2)


def test_the_line_of_an_iteration_says_how_often_the_bot_lost(sparred):
    first, second = (entry.selfplay for entry in read_manifest(RunFolder(sparred)).iterations)
    bot = second.results["random"]
    words = results_words(second, ("teacher", "student"))
    assert words.startswith("; teacher won ")
    assert words.endswith(f"; random lost {bot.shares[1]:.1%} of {bot.games}")
    assert results_words(first, ("teacher", "student")) == "; by random"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("bot: random", "bot: greedy", r"selfplay\.sparring\.bot: unknown bot 'greedy' \(known: random\)"),
        ("sparring: {share: 0.5", "sparring: {share: 2", r"selfplay\.sparring\.share: expected at most 1"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, old, new, words):
    check_refused(tmp_path, CONFIG.replace(old, new), words)
