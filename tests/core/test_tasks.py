"""Every task that an executor runs, through pickle: what a cluster would carry gives the same result."""

import pickle
from functools import partial

import numpy as np
import pytest

from playmill.arena.block import BlockTask, play_block
from playmill.core.executor import Threads
from playmill.games.registry import get_game
from playmill.games.yatzy.oracle import Oracle, RoundTask, SolveTask, play_piece, solve_piece
from playmill.games.yatzy.rules import ALL_OPEN, YATZY
from playmill.nets.net_evaluator import NetShape
from playmill.nets.tables import TableEvaluator
from playmill.packs.yatzy.luck import AppraisalTask, appraise_piece
from playmill.play.bots import RandomBot
from playmill.play.recorder import Games
from playmill.replay import ShardOrigin
from playmill.search.settings import SearchSettings
from playmill.selfplay.plan import Plan
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.shards import FinishedShard, Learner, ShardsTask, play_shards
from playmill.sim import PlayoutOptions, first_legal, uniform_random
from playmill.sim.batch import Origin
from playmill.sim.spans import Span, play_span


def through_pickle(function, task):
    """The result of a task that travelled, after it travelled back."""
    function, task = pickle.loads(pickle.dumps((function, task)))
    return pickle.loads(pickle.dumps(function(task)))


@pytest.mark.parametrize("options", [PlayoutOptions(), PlayoutOptions(capture_trace=True)], ids=["compiled", "python"])
@pytest.mark.parametrize("policy", [uniform_random, first_legal])
def test_a_span_of_playouts(policy, options):
    state = get_game("yatzy").new(3).apply(32)
    for start in (get_game("connect_four"), state):
        span = Span(policy, options, Origin(start, 5), 7, 4, wants_keys=True)
        here, there = play_span(span), through_pickle(play_span, span)
        assert (there.first, there.finished, there.rows.digest()) == (7, 4, here.rows.digest())
        assert there.rows.traces == here.rows.traces
        assert there.keys.tolist() == here.keys.tolist()


@pytest.fixture(scope="module")
def oracle():
    return Oracle.load()


def test_a_piece_of_the_oracle(oracle):
    task = SolveTask(oracle.table, np.array([1, 5, 1000]))
    assert through_pickle(solve_piece, task).tobytes() == oracle.table[task.masks].tobytes()


def test_a_round_of_oracle_games(oracle):
    records = YATZY.records(3)
    records["avail"] = ALL_OPEN
    task = RoundTask(oracle.table, records, 0, 9, np.array([4, 0, 2]))
    assert through_pickle(play_piece, task).tobytes() == play_piece(task).tobytes()


def test_an_appraisal(oracle):
    states = YATZY.records(1)
    states[0] = YATZY.new(2).record
    task = AppraisalTask(oracle.table, states, np.array([32], np.int32))
    assert through_pickle(appraise_piece, task).tobytes() == appraise_piece(task).tobytes()


def make_random(lanes):
    return RandomBot(get_game("connect_four"))


def test_a_block_of_a_match():
    games = Games(np.arange(4), np.arange(4, dtype=np.uint64), np.array([[0, 1], [1, 0]] * 2, np.int8))
    task = BlockTask(get_game("connect_four"), (make_random, make_random), games, opening=2, most=4)
    here, there = play_block(task), through_pickle(play_block, task)
    assert there.played[0].actions.tobytes() == here.played[0].actions.tobytes()


@pytest.mark.jit
def test_shards_of_self_play():
    game, settings, files = get_game("tictactoe"), SelfPlaySettings(games=4, shard_games=2), []
    search = SearchSettings.model_validate({"puct": {"budget": 4}})
    maker = Learner(game, settings, search, partial(TableEvaluator, NetShape.of_game(game), 5))
    for play in (play_shards, partial(through_pickle, play_shards)):
        task = ShardsTask(game, settings, (maker,), Plan(0, 0, 4, 2), (0, 1), 3, ShardOrigin.of(game), logs_roots=True)
        told = []
        list(Threads(1).run(play, [task], hear=lambda _, news, told=told: told.append(pickle.loads(pickle.dumps(news)))))
        files.append({news.index: news for news in told if isinstance(news, FinishedShard)})
    assert files[0].keys() == {0, 1}
    assert files[0] == files[1]


def test_a_game_is_itself_after_pickling():
    assert all(pickle.loads(pickle.dumps(get_game(name))) is get_game(name) for name in ("yatzy", "connect_four"))
