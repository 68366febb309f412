"""Self-play: the same shards for any number of threads or slots, and rows that say what happened."""

import numpy as np
import pytest

from playmill.core.seeds import mix
from playmill.games.registry import get_game
from playmill.nets.face import NetShape
from playmill.nets.tables import TableEvaluator
from playmill.replay import ShardOrigin, list_shards, read_shard
from playmill.search.make import make_searcher
from playmill.search.settings import SearchSettings, Temperature
from playmill.selfplay.generate import Plan, SelfPlay, plan_iteration
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.turns import Shard

HEADS = ("win", "togo_own", "togo_opp")
PUCT = SearchSettings.model_validate({"puct": {"budget": 12, "inflight": 3}})
EXACT = SearchSettings.model_validate({"kind": "exact_turn"})
CASES = [("tictactoe", PUCT), ("connect_four", PUCT), ("yatzy", PUCT), ("yatzy", EXACT)]


def evaluator(game):
    return TableEvaluator(NetShape.of_game(game, HEADS), 5)


def play(game, search, slots=8, first=100, count=12, **settings):
    settings = SelfPlaySettings(**settings)
    shard = Shard(game, make_searcher(game, search, evaluator(game), slots), settings, 3, first, count)
    return shard.play()


@pytest.mark.parametrize(("name", "search"), CASES)
def test_a_shard_does_not_depend_on_its_slots(name, search):
    game = get_game(name)
    columns = [play(game, search, slots).columns() for slots in (1, 5, 12)]
    for other in columns[1:]:
        assert all(columns[0][key].tobytes() == other[key].tobytes() for key in other)


@pytest.mark.parametrize(("name", "search"), CASES)
def test_files_are_the_same_for_one_and_two_threads(name, search, tmp_path):
    game = get_game(name)
    settings = SelfPlaySettings(games=10, shard_games=4, slots=3)
    files = []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        folder.mkdir()
        selfplay = SelfPlay(game, settings, search, lambda: evaluator(game), folder, 3, ShardOrigin.of(game))
        report = selfplay.run(plan_iteration(settings, 0), workers)
        assert (report.games, report.is_whole) == (10, True)
        files.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert len(files[0]) == 6
    assert files[0] == files[1]


def test_finished_shards_are_not_played_again(tmp_path):
    game = get_game("tictactoe")
    settings = SelfPlaySettings(games=8, shard_games=4, slots=4)
    origin = ShardOrigin.of(game)
    SelfPlay(game, settings, PUCT, lambda: evaluator(game), tmp_path, 3, origin).run(Plan(0, 0, 4, 4), 1)
    stamp = list_shards(tmp_path)[0].stat().st_mtime_ns
    report = SelfPlay(game, settings, PUCT, lambda: evaluator(game), tmp_path, 3, origin).run(plan_iteration(settings, 0), 1)
    assert report.games == 4
    assert list_shards(tmp_path)[0].stat().st_mtime_ns == stamp


@pytest.mark.parametrize(("name", "search"), CASES)
def test_stored_games_replay_through_the_rules(name, search):
    game = get_game(name)
    data = play(game, search)
    for i, number in enumerate(data.games.game_number.tolist()):
        state = game.new(mix(3, number))
        assert state.seed == data.games.game_seed[i]
        for action in data.games.actions[data.games.action_offset[i] : data.games.action_offset[i + 1]].tolist():
            state = state.apply(action)
        assert state.is_over
        assert state.ply == data.games.game_plies[i]
        assert list(state.returns) == data.games.game_returns[i].tolist()


def test_rows_hold_features_policy_and_outcome_seen_by_the_mover():
    game = get_game("connect_four")
    data = play(game, PUCT)
    samples, rows = data.samples, 0
    for i, number in enumerate(data.games.game_number.tolist()):
        state = game.new(mix(3, number))
        for action in data.games.actions[data.games.action_offset[i] : data.games.action_offset[i + 1]].tolist():
            policy = slice(samples.policy_offset[rows], samples.policy_offset[rows + 1])
            assert (samples.game[rows], samples.ply[rows]) == (number, state.ply)
            assert samples.features[rows].tolist() == state.features().ravel().tolist()
            assert samples.policy_prob[policy].sum() == pytest.approx(1)
            assert set(samples.policy_action[policy].tolist()) <= set(state.legal_actions)
            assert samples.targets[rows, 0] == data.games.game_returns[i, state.to_move]
            rows, state = rows + 1, state.apply(action)
    assert rows == len(samples.features)


def test_points_to_come_are_those_that_came():
    game = get_game("yatzy")
    data = play(game, EXACT, policy_share=1.0)
    samples, names = data.samples, {"togo_own": 2, "togo_opp": 3, "q_togo_own": 5, "q_togo_opp": 6}
    for i, number in enumerate(data.games.game_number.tolist()):
        rows = np.flatnonzero(samples.game == number)
        final = samples.targets[rows[0], names["togo_own"]] * 100  # the first row: player 0 with nothing yet
        state = game.new(mix(3, number))
        for action in data.games.actions[data.games.action_offset[i] : data.games.action_offset[i + 1]].tolist():
            state = state.apply(action)
        assert final == pytest.approx(float(state.record.total[0]), abs=1e-3)


def test_the_opponents_expectation_is_what_its_next_turn_was_worth():
    game = get_game("yatzy")
    samples = play(game, EXACT, policy_share=0.0).samples
    own, opp = samples.targets[:, 5], samples.targets[:, 6]
    same = samples.game[1:] == samples.game[:-1]
    assert np.array_equal(opp[:-1][same], own[1:][same])
    assert (opp[np.append(~same, True)] == 0).all()
    assert (np.diff(samples.policy_offset) == 0).all()


def test_temperature_changes_what_is_played_and_not_what_is_learned():
    game = get_game("connect_four")
    greedy, free = (play(game, PUCT, temperature=Temperature(start=heat)) for heat in (0.0, 5.0))
    assert greedy.games.actions.tolist() != free.games.actions.tolist()
    first = slice(0, greedy.samples.policy_offset[1])
    assert greedy.samples.policy_prob[first].tobytes() == free.samples.policy_prob[first].tobytes()


def test_a_written_shard_reads_back(tmp_path):
    game = get_game("tictactoe")
    settings = SelfPlaySettings(games=5, shard_games=5)
    SelfPlay(game, settings, PUCT, lambda: evaluator(game), tmp_path, 3, ShardOrigin.of(game, iteration=2)).run(
        plan_iteration(settings, 2), 1
    )
    (path,) = list_shards(tmp_path)
    data, meta = read_shard(path, game)
    assert (path.name, meta.first_game, meta.games, meta.iteration) == ("shard_000002.safetensors", 10, 5, 2)
    assert len(data.samples.features) == meta.samples
