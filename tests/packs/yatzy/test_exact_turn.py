"""The exact turn: with the oracle's values it is the oracle, and what it says does not depend on the company."""

import numpy as np
import pytest

from playmill.core.errors import UsageError
from playmill.core.evaluation import LocalEvaluator
from playmill.games.registry import get_game
from playmill.games.yatzy.oracle import Oracle
from playmill.games.yatzy.rules import TURNS, YATZY
from playmill.packs.registry import find_pack
from playmill.packs.yatzy.exact_settings import ExactTurnSettings
from playmill.packs.yatzy.exact_turn import ExactTurnSearch
from playmill.search.decisions import finish
from playmill.search.make import make_searcher
from playmill.search.settings import SearchSettings
from playmill.sim import PlayoutOptions, Simulator, uniform_random

pytestmark = pytest.mark.jit


class OracleHeads(LocalEvaluator):
    """Tells the points to come from the solved game, and the win from who leads."""

    heads = ("win", "togo_own", "togo_opp")
    in_turn = 1

    def __init__(self, table):
        self.table = table

    def evaluate_values(self, features, values):
        own, opp = features[:, :18], features[:, 18:36]
        for column, board in ((1, own), (2, opp)):
            avail = (board[:, :15] @ (1 << np.arange(14, -1, -1))).round().astype(int)
            values[:, column] = self.table[avail, (board[:, 15] * 63).round().astype(int)] / 100
        values[:, 0] = np.tanh(4 * (own[:, 16] - opp[:, 16]))

    def evaluate_head(self, head, features, values):
        every = np.empty((len(features), 3), np.float32)
        self.evaluate_values(features, every)
        values[:, 0] = every[:, self.heads.index(head)]

    def evaluate(self, features, logits, values):
        logits[:] = 0
        self.evaluate_values(features, values)


@pytest.fixture(scope="module")
def oracle():
    return Oracle.load()


@pytest.fixture(scope="module")
def heads(oracle):
    return OracleHeads(oracle.table)


def positions(count, plies):
    """Unfinished states after so many random actions."""
    if plies == 0:
        return [YATZY.new(seed) for seed in range(count)]
    batch = Simulator(uniform_random, PlayoutOptions(max_events=plies)).playout_many(YATZY, count, seed=plies)
    return [result.final for result in batch if not result.final.is_over]


def search(states, heads, settings=None, game=YATZY):
    searcher = ExactTurnSearch(game, settings or ExactTurnSettings(), heads, len(states))
    records = np.array([state.record for state in states], YATZY.state)
    return searcher, finish(searcher.search(np.arange(len(states)), records, np.zeros(len(states), np.uint64), False))


@pytest.mark.parametrize("plies", [0, 1, 2, 30, 55, 68])
def test_with_the_oracles_values_it_gives_the_oracles_action_values(oracle, heads, plies):
    states = positions(70, plies)
    _, decisions = search(states, heads)
    for i, state in enumerate(states):
        record, n = state.record, decisions.count[i]
        dice = tuple(int(die) for die in record.dice)
        exact = oracle.action_values(
            int(record.avail[record.mover]), int(record.upper[record.mover]), dice, int(record.rerolls)
        )
        actions = decisions.actions[i, :n]
        assert np.allclose(decisions.values[i, :n], exact[actions], atol=2e-3)
        assert exact[actions[decisions.policy[i, :n].argmax()]] == pytest.approx(np.nanmax(exact), abs=2e-3)


def test_a_turns_start_is_worth_what_the_oracle_says(oracle, heads):
    states = positions(40, 0)
    _, decisions = search(states, heads)
    starts = decisions.turn_starts
    records = starts.records
    assert np.allclose(starts.worth, [oracle.value(int(r.avail[r.mover]), int(r.upper[r.mover])) for r in records], atol=2e-3)
    assert not starts.is_win.any()
    assert (records["dice"] == 0).all()
    assert starts.lanes.tolist() == list(range(40))


def test_a_turn_is_evaluated_once(heads):
    state = YATZY.new(3)
    searcher, first = search([state], heads)
    again = np.array([state.apply(int(first.actions[0, 0])).record], YATZY.state)
    second = finish(searcher.search(np.array([0]), again, np.zeros(1, np.uint64), False))
    assert first.stats["evaluations"] > 0
    assert second.stats["evaluations"] == 0
    assert second.turn_starts is None


class SometimesNothing(OracleHeads):
    """Its answers are no numbers where the mover has more than half of the upper total."""

    wrong = np.nan

    def evaluate_values(self, features, values):
        super().evaluate_values(features, values)
        values[features[:, 18 + 15] > 0.5] = self.wrong  # an end is seen by the opponent: the mover's board comes second


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("win_from_turn", [0, 30])
def test_answers_that_are_no_numbers_give_even_policies_and_are_counted(oracle, wrong, win_from_turn):
    heads = SometimesNothing(oracle.table)
    heads.wrong = wrong
    states, settings = positions(60, 40), ExactTurnSettings(win_from_turn=win_from_turn)
    _, sound = search(states, OracleHeads(oracle.table), settings)
    _, broken = search(states, heads, settings)
    assert sound.stats["fallbacks"] == 0
    assert 0 < broken.stats["fallbacks"] < len(states)
    is_even = np.isnan(broken.value).all(axis=1)
    assert is_even.sum() == broken.stats["fallbacks"]
    for i, n in enumerate(broken.count):
        expected = np.full(n, np.float32(1 / n)) if is_even[i] else sound.policy[i, :n]
        assert (broken.policy[i, :n] == expected).all()
    assert (np.isnan(broken.turn_starts.worth) == is_even).all()


def test_decisions_do_not_depend_on_who_else_is_searched(heads):
    states = positions(90, 40)
    _, together = search(states, heads)
    for i in (0, 63, 64, len(states) - 1):
        _, alone = search([states[i]], heads)
        assert alone.policy[0].tobytes() == together.policy[i].tobytes()


class Listener(OracleHeads):
    """Notes how wide the rows are that it is asked about."""

    def evaluate_values(self, features, values):
        self.width = features.shape[1]
        super().evaluate_values(features, values)


def test_a_variant_of_yatzy_is_searched_by_its_own_features(oracle, heads):
    states, listener = positions(20, 30), Listener(oracle.table)
    _, plain = search(states, heads)
    _, rich = search(states, listener, game=get_game("yatzy_rich"))
    assert listener.width == 49
    assert rich.policy.tobytes() == plain.policy.tobytes()


def test_the_last_turn_is_played_for_the_win_exactly(heads):
    # One category left for each: player 1, moving last, needs only to pass player 0.
    state = next(s for s in positions(4000, 72) if s.record.turn == TURNS - 1)
    _, decisions = search([state], heads, ExactTurnSettings(win_from_turn=0))
    assert np.nanmin(decisions.values[0, : decisions.count[0]]) >= -1
    assert np.nanmax(decisions.values[0, : decisions.count[0]]) <= 1
    marks = decisions.actions[0, : decisions.count[0]] >= 32
    for action, value in zip(
        decisions.actions[0, : decisions.count[0]][marks], decisions.values[0, : decisions.count[0]][marks], strict=True
    ):
        assert value == state.apply(int(action)).returns[state.to_move]


def test_other_games_and_networks_are_refused_by_name(heads):
    find_pack("yatzy")
    with pytest.raises(UsageError, match="exact_turn is for yatzy and yatzy_rich, not for connect_four; use puct"):
        make_searcher(get_game("connect_four"), SearchSettings(kind="exact_turn"), heads, 4)

    class Bare(OracleHeads):
        heads = ("win",)
        in_turn = 1

    with pytest.raises(UsageError, match=r"lacks the heads \['togo_opp'\]"):
        ExactTurnSearch(YATZY, ExactTurnSettings(), Bare(None), 4)
