"""What each bot chooses."""

from dataclasses import replace

import numpy as np
import pytest

from arena.players import FirstThought, UniformEvaluator
from playmill.arena.match import play_match
from playmill.arena.seeds import derive_seeds
from playmill.core.evaluation import POLICY, EvalBuffer
from playmill.games.registry import get_game
from playmill.games.yatzy.rules import YATZY
from playmill.packs.yatzy.oracle_bot import OracleBot
from playmill.play.bots import PolicyBot, RandomBot, SearchBot
from playmill.play.player import Ask
from playmill.search.decisions import Decisions, Tells, finish
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings, Temperature


def positions(game, plies, count=64):
    """States after some random moves, and their records."""
    states = []
    for seed in range(count):
        state = game.new(seed)
        for ply in range(plies):
            state = state.apply(state.legal_actions[(seed * 7 + ply) % len(state.legal_actions)])
        states.append(state)
    return states, np.array([state.record for state in states], game.state)


def ask(bot, records, ply=0, seed=0):
    n = records.size
    streams = np.random.default_rng(seed).integers(0, 2**63, n).astype(np.uint64)
    words = np.random.default_rng(seed + 1).integers(0, 2**64, n, "u8")
    return finish(bot.choose(Ask(np.arange(n), records, np.full(n, ply, np.int32), streams, words))).actions


def test_the_random_bot_draws_legal_actions_evenly():
    game = get_game("connect_four")
    _, records = positions(game, 1, 7000)
    chosen = ask(RandomBot(game), records)
    assert np.bincount(chosen, minlength=7).min() > 900
    assert chosen.dtype == np.int32


@pytest.mark.parametrize("plies", [0, 1, 2, 20, 41])
def test_the_oracle_bot_plays_the_movers_best_solitaire_action(oracle, plies):
    states, records = positions(YATZY, plies)
    chosen = ask(OracleBot(oracle), records)
    for state, action in zip(states, chosen.tolist(), strict=True):
        own, record = state.to_move, state.record
        board = int(record.avail[own]), int(record.upper[own])
        assert action == oracle.best_action(*board, record.dice.tolist(), int(record.rerolls))


def test_the_policy_bot_takes_the_highest_logit_among_legal_actions():
    game = get_game("tictactoe")
    record = game.new().apply(4).apply(0).record
    bot = PolicyBot(game, FirstThought([9, 1, 2, 3, 8, 5, 5, 1, 0]), 1)
    assert ask(bot, np.array([record], game.state)).tolist() == [5]  # 0 and 4 are taken, 5 comes before 6


def test_the_policy_bot_plays_one_mask_of_each_class():
    """Yatzy's equal dice: the class's logit is that of its canonical mask."""
    records = YATZY.records(1)
    records["avail"], records["dice"], records["rerolls"] = 0x7FFF, [[2, 2, 2, 2, 2]], 2
    favourites = np.zeros(47)
    favourites[0b11000], favourites[0b00011] = 9, 5  # the same two twos
    assert ask(PolicyBot(YATZY, FirstThought(favourites), 1), records).tolist() == [0b00011]


class Elsewhere:
    """An evaluator that answers when it is asked again, with the logits of legal actions alone: as a GPU or a server does."""

    heads, in_turn = ("win",), 2

    def __init__(self, favourites):
        self.favourites, self.is_out = np.asarray(favourites, np.float32), False

    def open_buffer(self, shape, rows):
        plain = EvalBuffer.plain(shape, rows, 1)
        return replace(
            plain, asked=np.zeros((rows, shape.max_legal, 2), np.int32), logits=np.zeros((rows, shape.max_legal), "f4")
        )

    def submit(self, buffer, rows, what=POLICY):
        self.is_out = True
        return False

    def collect(self, buffer):
        one, two = buffer.asked[..., 0], buffer.asked[..., 1]
        buffer.logits[:] = self.favourites[one] + np.where(two >= 0, self.favourites[two], 0)
        self.is_out = False


def test_the_policy_bot_waits_for_an_evaluator_elsewhere_and_asks_for_legal_logits_alone():
    game, favourites = get_game("tictactoe"), [4, 3, 9, 1, 8, 2, 7, 6, 5]
    _, records = positions(game, 3)
    away = PolicyBot(game, Elsewhere(favourites), records.size)
    words = np.zeros(records.size, np.uint64)
    thinking = away.choose(Ask(np.arange(records.size), records, np.zeros(records.size, np.int32), words, words))
    next(thinking)  # its lanes wait, and others go on
    assert away.evaluator.is_out
    assert away.in_turn == 2
    chosen = finish(thinking).actions.tolist()
    assert chosen == ask(PolicyBot(game, FirstThought(favourites), records.size), records).tolist()
    assert len(set(chosen)) > 2


class Table:
    """A searcher that always answers the same policy."""

    tells, in_turn = Tells.POLICY, 1

    def __init__(self, actions, policy):
        self.actions, self.policy, self.with_noise = actions, policy, []

    def search(self, lanes, records, streams, with_noise):
        self.with_noise.append(with_noise)
        n, k = len(lanes), len(self.actions)
        rows = [np.tile(np.array(column), (n, 1)) for column in (self.actions, self.policy)]
        decisions = Decisions.blank(n, k, 2)
        decisions.count[:], decisions.actions[:], decisions.policy[:] = k, *rows
        yield from ()
        return decisions


def test_the_search_bot_is_greedy_without_noise_and_a_tie_goes_to_the_lowest_action():
    game, searcher = get_game("connect_four"), Table([1, 3, 5], [0.2, 0.4, 0.4])
    assert ask(SearchBot(searcher), positions(game, 0, 8)[1]).tolist() == [3] * 8
    assert searcher.with_noise == [False]


def test_a_temperature_draws_from_the_policy_and_cools_with_the_plies():
    game, searcher = get_game("connect_four"), Table([1, 3, 5], [0.1, 0.3, 0.6])
    bot = SearchBot(searcher, Temperature(kind="step", start=1.0, end=0.0, plies=4))
    _, records = positions(game, 0, 4000)
    shares = np.bincount(ask(bot, records, ply=3), minlength=6)[[1, 3, 5]] / 4000
    assert shares == pytest.approx([0.1, 0.3, 0.6], abs=0.03)
    assert set(ask(bot, records, ply=4).tolist()) == {5}


@pytest.mark.parametrize(("name", "budget", "least"), [("tictactoe", 64, 0.85), ("connect_four", 64, 0.95)])
def test_search_without_any_knowledge_beats_random_play(name, budget, least):
    game = get_game(name)
    makers = [
        lambda lanes: SearchBot(PuctSearch(game, PuctSettings(budget=budget), UniformEvaluator(), lanes)),
        lambda _lanes: RandomBot(game),
    ]
    match = play_match(game, makers, derive_seeds(64).array(), workers=2)
    assert match.scores(0).mean() > least
