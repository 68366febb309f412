"""PUCT against stored trees and solved games."""

import functools
import itertools
import json

import bitbully
import numpy as np
import pytest

from playmill.core.evaluation import LocalEvaluator
from playmill.core.seeds import mix
from playmill.games.registry import get_game
from playmill.games.yatzy.oracle import Oracle
from playmill.search.decisions import finish
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings
from playmill.sim import PlayoutOptions, Simulator, uniform_random
from search import golden_trees

pytestmark = pytest.mark.jit


@pytest.mark.parametrize(
    "stored", json.loads(golden_trees.PATH.read_text()), ids=lambda s: f"{s['game']}-{s['plies']}-{s['seed']}"
)
def test_stored_trees_grow_again(stored):
    case = {name: stored[name] for name in golden_trees.CASES[-1] if name in stored}
    assert golden_trees.search(case) == stored


class Flat(LocalEvaluator):
    heads = ("win",)
    in_turn = 1

    def evaluate(self, features, logits, values):
        logits[:], values[:] = 0, 0


def best_action(state, evaluator, budget, c_puct=1.5):
    game = state.game
    searcher = PuctSearch(game, PuctSettings(budget=budget, c_puct=c_puct, inflight=1), evaluator, 1)
    decisions = finish(searcher.search(np.array([0]), np.array([state.record], game.state), np.array([7], np.uint64), False))
    return int(decisions.actions[0, decisions.policy[0].argmax()])


def late_positions(count, discs):
    game, found, seed = get_game("connect_four"), [], 0
    while len(found) < count:
        options = PlayoutOptions(max_events=discs, capture_trace=True)
        result = Simulator(uniform_random, options).playout(game.new(mix(3, seed)))
        seed += 1
        if not result.final.is_over:
            found.append(result)
    return found


def test_late_connect_four_is_played_as_the_outside_solver_plays_it():
    solver = bitbully.BitBully()
    for result in late_positions(12, 32):
        board = bitbully.Board()
        for column in result.actions:
            assert board.play(column)
        scores = solver.score_all_moves(board)
        chosen = best_action(result.final, Flat(), 6000)
        best = max(scores.values())
        # A win stays a win and a draw a draw; how soon is not what PUCT asks.
        assert np.sign(scores[chosen]) == np.sign(best)


class OracleDifference(LocalEvaluator):
    """Values a position by the expected difference of the final scores under best solitaire play of both."""

    heads = ("win",)
    in_turn = 1

    def __init__(self, oracle):
        self.oracle = oracle

    def evaluate(self, features, logits, values):
        logits[:] = 0
        for i, row in enumerate(features):
            own, opp = board_of(row[:18]), board_of(row[18:36])
            faces = (row[36:42] * 5).round().astype(int)
            dice = tuple(np.repeat(np.arange(1, 7), faces).tolist())
            mine = own["total"] + np.nanmax(self.oracle.action_values(own["avail"], own["upper"], dice, int(row[42:].argmax())))
            values[i, 0] = (mine - opp["total"] - self.oracle.value(opp["avail"], opp["upper"])) / 400


def board_of(row):
    return {
        "avail": int((row[:15] @ (1 << np.arange(14, -1, -1))).round()),
        "upper": round(float(row[15]) * 63),
        "total": round(float(row[16]) * 400),
    }


def regret_of_search(oracle, state, budget):
    """What the searched action gives away, in points."""
    record = state.record
    dice = tuple(int(die) for die in record.dice)
    board = int(record.avail[record.mover]), int(record.upper[record.mover]), dice, int(record.rerolls)
    exact = oracle.action_values(*board)
    return float(np.nanmax(exact) - exact[best_action(state, OracleDifference(oracle), budget, c_puct=0.05)])


def test_a_late_yatzy_position_with_the_oracles_values_is_played_as_the_oracle_plays_it():
    # Some ten turns are left: the tree does not reach the end of the game, where only the win counts.
    oracle, game, regrets = Oracle.load(), get_game("yatzy"), {0: [], 1: [], 2: []}
    for seed in range(24):
        state = Simulator(uniform_random, PlayoutOptions(max_events=48)).playout(game.new(seed)).final
        regrets[int(state.record.rerolls)].append(regret_of_search(oracle, state, 3000))
    assert all(len(found) > 2 for found in regrets.values())
    # Marks differ by whole points. Keeps are nearly equal: a few hundred imagined rolls of each, averaged with what is
    # tried below them, can't tell the best apart, but the bad ones (10 points and more) they can.
    assert np.mean(regrets[0]) < 0.1
    assert np.mean(regrets[1] + regrets[2]) < 2.5


class OracleTogo(OracleDifference):
    """The points to come of either seat, before chance and after it."""

    heads = ("win", "togo_own", "togo_opp")
    in_turn = 1

    def evaluate(self, features, logits, values):
        logits[:], values[:] = 0, 0
        for i, row in enumerate(features):
            own, opponent = board_of(row[:18]), board_of(row[18:36])
            faces = (row[36:42] * 5).round().astype(int)
            dice, rerolls = tuple(np.repeat(np.arange(1, 7), faces).tolist()), int(row[42:].argmax())
            values[i, 1] = self.value(own["avail"], own["upper"], dice, rerolls) / 100
            values[i, 2] = self.oracle.value(opponent["avail"], opponent["upper"]) / 100

    @functools.cache  # noqa: B019  (the test's own object)
    def value(self, avail, upper, dice, rerolls):
        if not dice and rerolls == 2:
            return self.oracle.value(avail, upper)
        if len(dice) == 5:
            return float(np.nanmax(self.oracle.action_values(avail, upper, dice, rerolls)))
        rolls = list(itertools.product(range(1, 7), repeat=5 - len(dice)))
        return sum(self.value(avail, upper, tuple(sorted(dice + roll)), rerolls) for roll in rolls) / len(rolls)


def test_with_exact_afterstates_a_small_search_without_luck_gives_hardly_anything_away():
    oracle, game, regrets = Oracle.load(), get_game("yatzy"), []
    settings = PuctSettings(
        budget=48, inflight=1, c_puct=0.0025, points_scale=400, afterstates=True, luck=0.0,
        improvement_temperature=0.0003, try_all=True,
    )  # fmt: skip
    search = PuctSearch(game, settings, OracleTogo(oracle), 1)
    for seed in range(10):
        state = Simulator(uniform_random, PlayoutOptions(max_events=50)).playout(game.new(seed)).final
        record = np.array([state.record], game.state)
        decisions = finish(search.search(np.array([0]), record, np.array([seed], np.uint64), False))
        search.forget(np.array([0]))
        board = int(record["avail"][0, state.to_move]), int(record["upper"][0, state.to_move])
        exact = oracle.action_values(*board, tuple(record["dice"][0].tolist()), int(record["rerolls"][0]))
        regrets.append(np.nanmax(exact) - exact[decisions.actions[0, decisions.policy[0].argmax()]])
        assert decisions.togo[0] == pytest.approx(np.nanmax(exact), abs=1.5)
    assert np.mean(regrets) < 0.2
