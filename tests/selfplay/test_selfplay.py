"""Self-play: the same shards for any number of threads, lanes or cohorts, and rows that say what happened."""

from itertools import pairwise

import numpy as np
import pytest

from playmill.core.seeds import mix
from playmill.games.heads import target_columns
from playmill.games.many import encode_all
from playmill.games.registry import get_game
from playmill.nets.net_evaluator import NetShape
from playmill.nets.tables import TableEvaluator
from playmill.packs.registry import find_pack
from playmill.play.bots import SearchBot
from playmill.replay import ShardOrigin, list_shards, read_shard
from playmill.search.settings import SearchSettings, Temperature
from playmill.selfplay.generate import SelfPlay
from playmill.selfplay.kernels import td_lambda
from playmill.selfplay.plan import Plan, plan_iteration
from playmill.selfplay.recorder import ShardRecorder
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.shards import Learner, games_of_run, play_shard

HEADS = ("win", "togo_own", "togo_opp")
PUCT = SearchSettings.model_validate({"puct": {"budget": 12, "inflight": 3}})
ONE_PLY = SearchSettings.model_validate({"kind": "one_ply"})
find_pack("yatzy")  # brings the exact turn
EXACT = SearchSettings.model_validate({"kind": "exact_turn"})
POINTS = SearchSettings.model_validate(
    {
        "puct": {
            "budget": 12,
            "points_scale": 400,
            "afterstates": True,
            "luck": 0,
            "improvement_temperature": 0.01,
            "try_all": True,
        }
    }
)
CASES = [
    ("tictactoe", PUCT),
    ("connect_four", PUCT),
    ("yatzy", PUCT),
    ("yatzy", POINTS),
    ("yatzy", EXACT),
    ("connect_four", ONE_PLY),
]


def evaluator(game):
    return TableEvaluator(NetShape.of_game(game, HEADS), 5)


def play(game, search, lanes=8, first=100, count=12, **settings):
    settings = SelfPlaySettings(**settings)
    players = [Learner(game, settings, search, lambda: evaluator(game))(lanes)]
    return play_shard(game, players, settings, games_of_run(game, settings, 3, first, count), lanes)


def features_of(game, samples):
    features = np.zeros((len(samples), game.feature_count), np.float32)
    encode_all(game, samples.records(game), features)
    return features


@pytest.mark.parametrize(("name", "search"), CASES)
def test_a_shard_does_not_depend_on_its_lanes(name, search):
    game = get_game(name)
    columns = [play(game, search, lanes).columns() for lanes in (1, 5, 12)]
    for other in columns[1:]:
        assert all(columns[0][key].tobytes() == other[key].tobytes() for key in other)


def write_files(game, search, folder, workers, open_evaluator=None, **settings):
    """Play ten games in three shards; return the report and the files, shards and logs of roots."""
    settings = SelfPlaySettings(games=10, shard_games=4, root_log_share=0.2, **settings)
    parts = folder / "parts"
    parts.mkdir(parents=True)
    makers = [Learner(game, settings, search, open_evaluator or (lambda: evaluator(game)))]
    selfplay = SelfPlay(game, settings, makers, folder, 3, ShardOrigin.of(game), parts)
    report = selfplay.run(plan_iteration(settings, 0), workers)
    return report, {path.name: path.read_bytes() for path in sorted(folder.rglob("shard_*"))}


def without_batches(stats):
    """What was counted, but for how the rows met in batches: that depends on threads and lanes."""
    assert 0 < stats["batch_rows"] <= stats["batch_room"]
    return {name: count for name, count in stats.items() if not name.startswith("batch")}


@pytest.mark.parametrize(("name", "search"), CASES)
def test_files_are_the_same_for_any_number_of_threads_and_lanes(name, search, tmp_path):
    game = get_game(name)
    runs = [write_files(game, search, tmp_path / f"{w}_{n}", w, lanes=n) for w, n in [(1, 3), (2, 3), (1, 7), (3, 64)]]
    report, files = runs[0]
    assert (report.games, report.is_whole, len(files)) == (10, True, 9)
    for other, found in runs[1:]:
        assert found == files
        assert without_batches(other.stats) == without_batches(report.stats)


def test_lanes_go_on_across_the_borders_of_shards(tmp_path, monkeypatch):
    """A thread's games are as many as its lanes until none is left to begin: they never get more again."""
    game, sizes = get_game("tictactoe"), []
    choose = SearchBot.choose
    monkeypatch.setattr(SearchBot, "choose", lambda bot, ask: sizes.append(ask.lanes.size) or choose(bot, ask))
    write_files(game, PUCT, tmp_path, 1, lanes=3)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 3


def test_a_shard_is_written_as_soon_as_its_last_game_has_ended(tmp_path, monkeypatch):
    game, written, ended = get_game("tictactoe"), [], []
    monkeypatch.setattr(
        "playmill.selfplay.generate.write_packed", lambda folder, index, *_: written.append((index, len(ended)))
    )
    over = ShardRecorder.ended
    monkeypatch.setattr(ShardRecorder, "ended", lambda self, lanes, *rest: ended.extend(lanes) or over(self, lanes, *rest))
    write_files(game, PUCT, tmp_path, 1, lanes=2)
    assert [index for index, _ in written] == [0, 1, 2]
    assert all(4 * (index + 1) <= games <= 4 * (index + 1) + 1 for index, games in written[:2])  # two lanes: one game ahead


class Late(TableEvaluator):
    """Answers that are there only when they are collected; it counts how many batches are out at a time."""

    in_turn = 3
    out = most_out = 0

    def submit(self, buffer, rows, what="policy"):
        self.asked = rows, what
        Late.out += 1
        Late.most_out = max(Late.most_out, Late.out)
        return False

    def collect(self, buffer):
        Late.out -= 1
        assert super().submit(buffer, *self.asked)


@pytest.mark.parametrize(("name", "search"), [("connect_four", PUCT), ("yatzy", EXACT), ("connect_four", ONE_PLY)])
def test_cohorts_that_wait_for_answers_in_turn_write_the_same_files(name, search, tmp_path):
    game = get_game(name)
    report, files = write_files(game, search, tmp_path / "one", 1, lanes=2)
    shape, Late.most_out = NetShape.of_game(game, HEADS), 0
    other, found = write_files(game, search, tmp_path / "three", 1, lambda: Late(shape, 5), lanes=2)
    assert found == files
    assert without_batches(other.stats) == without_batches(report.stats)
    assert Late.most_out == 3


def test_finished_shards_are_not_played_again(tmp_path):
    game = get_game("tictactoe")
    settings = SelfPlaySettings(games=8, shard_games=4, lanes=4)
    origin = ShardOrigin.of(game)
    makers = [Learner(game, settings, PUCT, lambda: evaluator(game))]
    SelfPlay(game, settings, makers, tmp_path, 3, origin).run(Plan(0, 0, 4, 4), 1)
    stamp = list_shards(tmp_path)[0].stat().st_mtime_ns
    report = SelfPlay(game, settings, makers, tmp_path, 3, origin).run(plan_iteration(settings, 0), 1)
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


def test_rows_hold_state_policy_and_outcome_seen_by_the_mover():
    game = get_game("connect_four")
    data = play(game, PUCT)
    samples, rows = data.samples, 0
    for i, number in enumerate(data.games.game_number.tolist()):
        state = game.new(mix(3, number))
        for action in data.games.actions[data.games.action_offset[i] : data.games.action_offset[i + 1]].tolist():
            policy = slice(samples.policy_offset[rows], samples.policy_offset[rows + 1])
            assert (samples.game[rows], samples.ply[rows]) == (number, state.ply)
            assert samples.state[rows].tobytes() == state.record.tobytes()
            assert samples.policy_prob[policy].sum() == pytest.approx(1)
            assert set(samples.policy_action[policy].tolist()) <= set(state.legal_actions)
            assert samples.targets[rows, 0] == data.games.game_returns[i, state.to_move]
            rows, state = rows + 1, state.apply(action)
    assert rows == len(samples)
    assert not samples.player.any()


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
    makers = [Learner(game, settings, PUCT, lambda: evaluator(game))]
    SelfPlay(game, settings, makers, tmp_path, 3, ShardOrigin.of(game, iteration=2)).run(plan_iteration(settings, 2), 1)
    (path,) = list_shards(tmp_path)
    data, meta = read_shard(path, game)
    assert (path.name, meta.first_game, meta.games, meta.iteration) == ("shard_000002.safetensors", 10, 5, 2)
    assert len(data.samples) == meta.samples


def plain_fold(share, first, number, kind, mover, is_sound, points, q, q_togo, returns, finals):
    """`td_lambda` game by game, as one would write it down."""
    for game in np.unique(number):
        rows = [row for row in np.flatnonzero(number == game) if kind[row] == 1]
        for i, row in reversed(list(enumerate(rows))):
            player, later = mover[row], rows[i + 1 :]
            share_here = share if is_sound[row] else 0.0
            following = later[0] if later else None
            next_utilities = returns[game - first] if following is None else q[following]
            q[row] = (1 - share_here) * q[row] + share_here * next_utilities
            own = [other for other in later if mover[other] == player]
            end = points[own[0], player] + q_togo[own[0], player] if own else finals[game - first, player]
            q_togo[row, player] = (1 - share_here) * q_togo[row, player] + share_here * (end - points[row, player])


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_later_values_are_mixed_in_as_the_plain_twin_does(share, players):
    rng = np.random.default_rng(3)
    n, first = 60, 20
    number = np.sort(rng.integers(first, first + 4, n)).astype(np.int32)
    kind, mover = rng.integers(1, 3, n).astype(np.int8), rng.integers(0, players, n).astype(np.int8)
    is_sound, points = rng.random(n) < 0.8, rng.integers(0, 200, (n, players)).astype(float)
    args = (share, first, number, kind, mover, is_sound, points)
    finals = rng.uniform(-1, 1, (4, players)), rng.integers(200, 300, (4, players)).astype(float)
    q = rng.uniform(-1, 1, (n, players)).astype(np.float32)
    q_togo = rng.uniform(0, 100, (n, players)).astype(np.float32)
    ours, twins = (q.copy(), q_togo.copy()), (q.astype(np.float64), q_togo.astype(np.float64))
    td_lambda(*args, *ours, *finals)
    plain_fold(*args, *twins, *finals)
    assert np.allclose(ours[0], twins[0], atol=1e-5)
    assert np.allclose(ours[1], twins[1], atol=1e-3)


def test_an_afterstate_learns_what_the_next_decision_was_worth():
    game = get_game("yatzy")
    data = play(game, POINTS, count=3)
    samples, targets = data.samples, {name: data.samples.targets[:, i] for i, name in enumerate(target_columns(game))}
    is_decision = np.diff(samples.policy_offset) > 0
    features, checked = features_of(game, samples), 0
    for row in np.flatnonzero(~is_decision):
        after = row + 1
        assert is_decision[row - 1]
        assert is_decision[after]
        assert (samples.game[after], samples.ply[after]) == (samples.game[row], samples.ply[row] + 1)
        # Before chance and after it the same player is to move, on the same boards.
        assert features[row, :36].tobytes() == features[after, :36].tobytes()
        assert targets["q_togo_own"][row] == pytest.approx(targets["q_togo_own"][after], abs=1e-5)
        assert targets["q_togo_opp"][row] == pytest.approx(targets["q_togo_opp"][after], abs=1e-5, nan_ok=True)
        checked += 1
    assert checked > 60
    assert np.isnan(targets["q"]).all()
    assert not np.isnan(targets["q_togo_own"]).any()


def test_the_opponents_points_to_come_are_those_of_its_next_decision():
    game = get_game("yatzy")
    data = play(game, POINTS, count=2)
    samples, targets = data.samples, {name: data.samples.targets[:, i] for i, name in enumerate(target_columns(game))}
    decisions = np.flatnonzero(np.diff(samples.policy_offset) > 0)
    features = features_of(game, samples)
    own_total, other_total = 400 * features[:, 16], 400 * features[:, 34]
    checked = 0
    for here, there in pairwise(decisions):
        is_other = own_total[there] == other_total[here] and features[there, :18].tobytes() == features[here, 18:36].tobytes()
        if samples.game[here] == samples.game[there] and is_other and features[there, 44] == 1:
            assert targets["q_togo_opp"][here] == pytest.approx(targets["q_togo_own"][there], abs=1e-5)
            checked += 1
    assert checked > 20


def test_exploring_plays_moves_that_the_policy_would_not():
    game = get_game("connect_four")
    calm = play(game, PUCT, temperature=Temperature(kind="constant", start=0.0))
    wild = play(game, PUCT, temperature=Temperature(kind="constant", start=0.0), explore=1.0)
    assert len(set(map(int, wild.games.actions[wild.games.action_offset[:-1]]))) > len(
        set(map(int, calm.games.actions[calm.games.action_offset[:-1]]))
    )


def test_looking_ahead_halves_as_told():
    settings = SelfPlaySettings(td_lambda=0.8, td_lambda_half_life=10)
    assert [settings.in_iteration(i).td_lambda for i in (0, 10, 30)] == pytest.approx([0.8, 0.4, 0.1])
    assert SelfPlaySettings(td_lambda=0.8).in_iteration(30).td_lambda == 0.8
