"""The one-ply search: exact over all outcomes, exact at the end of a game, and the same whoever else is in the batch."""

import numpy as np
import pytest

from both_ways import printed_both_ways
from dice_game import GOAL, HOLD, PIG, ROLL
from playmill.core.errors import UsageError
from playmill.core.evaluation import LocalEvaluator
from playmill.games.game import Game
from playmill.games.heads import Aim, worth_of
from playmill.games.registry import get_game
from playmill.nets.net_evaluator import NetShape
from playmill.nets.tables import TableEvaluator, UniformEvaluator
from playmill.search import one_ply
from playmill.search.decisions import finish
from playmill.search.expectation import expect_actions, judge_of
from playmill.search.make import make_searcher
from playmill.search.one_ply import OnePlySearch
from playmill.search.one_ply_settings import OnePlySettings
from playmill.search.settings import SearchSettings
from playmill.sim import PlayoutOptions, Simulator, uniform_random
from toy_games import DRAW, DUEL, MARCH

TEMPERATURE = 0.1
HEADS = {"pig": ("win",), "connect_four": ("win",), "exchange": ("utilities",), "march": ("utilities",), "duel": ("wdl",)}
GAMES = {"pig": PIG, "march": MARCH, "duel": DUEL, "connect_four": get_game("connect_four"), "exchange": get_game("exchange")}


def table(game):
    return TableEvaluator(NetShape.of_game(game, HEADS[game.name]), seed=7)


def positions(game, count):
    """Unfinished states, each from a random game of its own."""
    found = []
    for seed in range(count):
        options = PlayoutOptions(max_events=1 + seed % 7)
        state = Simulator(uniform_random, options).playout(game.new(seed)).final if seed else game.new(0)
        found.append(game.new(seed) if state.is_over else state)
    return found


def look(game, states, evaluator, lanes=None, temperature=TEMPERATURE):
    search = OnePlySearch(game, OnePlySettings(temperature=temperature), evaluator, lanes or len(states))
    records = np.array([state.record for state in states], game.state)
    streams = np.zeros(len(states), np.uint64)
    return finish(search.search(np.arange(len(states)), records, streams, True))


def plainly(state, evaluator):
    """What each action is worth to each player, by seat, state by state."""
    worth, found = worth_of(state.game, evaluator.heads, Aim()), {}
    for action in state.legal_actions:
        found[action] = sum(chance * utilities(child, evaluator, worth) for chance, child in state.chance_outcomes(action))
    return found


def utilities(child, evaluator, worth):
    if child.is_over:
        return np.array(child.returns)
    values = np.zeros((1, evaluator.columns), np.float32)
    evaluator.evaluate_values(child.features().reshape(1, -1), values)
    return np.roll(worth @ values[0].astype(np.float64), child.to_move)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_values_are_those_of_its_plain_twin(name):
    game, evaluator = GAMES[name], table(GAMES[name])
    states = positions(game, 6)
    found = look(game, states, evaluator)
    for i, state in enumerate(states):
        wanted = plainly(state, evaluator)
        own = np.array([wanted[action][state.to_move] for action in sorted(wanted)])
        assert found.actions[i, : found.count[i]].tolist() == sorted(wanted)
        assert found.values[i, : found.count[i]] == pytest.approx(own, abs=1e-6)
        weights = np.exp((own - own.max()) / TEMPERATURE)
        assert found.policy[i, : found.count[i]] == pytest.approx(weights / weights.sum(), abs=1e-5)
        assert found.value[i] == pytest.approx(wanted[sorted(wanted)[own.argmax()]], abs=1e-6)
        assert found.mover[i] == state.to_move


@pytest.mark.parametrize("name", ["pig", "exchange"])
def test_the_face_for_one_state_finds_the_same_bits(name):
    game, evaluator = GAMES[name], table(GAMES[name])
    states = positions(game, 3)
    found = look(game, states, evaluator)
    for i, state in enumerate(states):
        alone = expect_actions(game, state.record, judge_of(game, evaluator))
        assert found.values[i, : found.count[i]].tobytes() == alone.utilities[:, state.to_move].astype(np.float32).tobytes()
        assert found.actions[i, found.policy[i].argmax()] == alone.best


@pytest.mark.parametrize("room", [1, 7, 64])
@pytest.mark.parametrize("name", ["pig", "exchange"])
def test_answers_have_the_same_bits_in_any_company_and_any_batches(name, room, monkeypatch):
    game, evaluator = GAMES[name], table(GAMES[name])
    states = positions(game, 5)
    together = look(game, states, evaluator)
    monkeypatch.setattr(one_ply, "LEAST_ROWS", room)
    monkeypatch.setattr(one_ply, "MOST_ROWS", room)
    for i, state in enumerate(states):
        alone = look(game, [state], evaluator, lanes=1)
        for one, other in zip(alone.columns(), together.columns(), strict=True):
            assert one[0].tobytes() == other[i].tobytes()


class Optimist(LocalEvaluator):
    """Believes that the one to move has all but won, and answers when it is asked for the second time."""

    heads = ("win",)
    in_turn = 2

    def submit(self, buffer, rows, what):
        self.out = rows
        return False

    def collect(self, buffer):
        buffer.values[: self.out] = 0.9


def test_it_yields_while_its_evaluations_are_out():
    search = OnePlySearch(PIG, OnePlySettings(), Optimist(), 1)
    work = search.search(np.arange(1), PIG.records(1), np.zeros(1, np.uint64), False)
    next(work)
    with pytest.raises(StopIteration) as end:
        next(work)
    assert search.in_turn == 2
    # A one, and holding nothing, leave the other one to move.
    assert end.value.value.values[0, [ROLL, HOLD]] == pytest.approx([0.9 * (5 - 1) / 6, -0.9])


def test_an_end_counts_as_it_ended_whatever_the_network_thinks():
    records = PIG.records(1)
    records["pot"] = GOAL
    search = OnePlySearch(PIG, OnePlySettings(), Optimist(), 1)
    found = finish(search.search(np.arange(1), records, np.zeros(1, np.uint64), False))
    assert found.values[0, HOLD] == 1.0
    assert found.value[0].tolist() == [1.0, -1.0]
    assert found.policy[0].argmax() == HOLD


def test_a_draw_that_costs_both_is_worth_that_to_both():
    # Player 1 may win, lose or make a draw: all three are ends, and nobody is asked.
    last = DUEL.new().apply(0)
    found = look(DUEL, [last], UniformEvaluator(NetShape.of_game(DUEL, ("wdl",))))
    assert found.values[0].tolist() == [1.0, -1.0, DRAW]
    # Player 0 must choose between a draw and what the network takes for worse.
    first = look(DUEL, [DUEL.new()], Certain())
    assert first.values[0, :2].tolist() == [-1.0, DRAW]
    assert first.value[0].tolist() == [DRAW, DRAW]


class Certain(LocalEvaluator):
    """The one to move wins."""

    heads = ("wdl",)
    columns = 3

    def evaluate_values(self, features, values):
        values[:] = [1, 0, 0]


def test_equal_actions_have_equal_shares_and_the_lowest_is_played():
    found = look(get_game("tictactoe"), [get_game("tictactoe").new()], Optimist())
    assert found.policy[0, :9] == pytest.approx(np.full(9, 1 / 9))
    assert found.policy[0].argmax() == 0


class Broken(LocalEvaluator):
    """Answers with no number where the pot is full."""

    heads = ("win",)

    def evaluate_values(self, features, values):
        values[:, 0] = np.where(features[:, 2] >= 1, np.nan, 0)


def test_answers_that_are_no_numbers_give_an_even_policy_and_are_counted():
    records = PIG.records(2)
    records["pot"][1] = GOAL - 3
    search = OnePlySearch(PIG, OnePlySettings(), Broken(), 2)
    found = finish(search.search(np.arange(2), records, np.zeros(2, np.uint64), False))
    assert found.policy[1].tolist() == [0.5, 0.5]
    assert np.isnan(found.value[1]).all()
    assert np.isnan(found.values[1]).all()
    assert np.isfinite(found.value[0]).all()
    assert found.stats["fallbacks"] == 1


def test_it_is_a_search_by_its_name_and_a_game_with_unlisted_chance_is_refused():
    settings = SearchSettings.model_validate({"kind": "one_ply", "one_ply": {"temperature": 0.5}})
    assert make_searcher(PIG, settings, table(PIG), 1).settings.temperature == 0.5
    mute = Game("mute", state=PIG.state, players=2, logits=2)
    mute.kernels |= {name: found for name, found in PIG.kernels.items() if name != "outcomes"}
    with pytest.raises(UsageError, match=r"mute: exact expectations need .* it has no 'outcomes' kernel; use puct"):
        make_searcher(mute, settings, table(PIG), 1)


SCRIPT = """
import json
import numpy as np
from playmill.games.registry import get_game
from playmill.nets.net_evaluator import NetShape
from playmill.nets.tables import TableEvaluator
from playmill.search.decisions import finish
from playmill.search.one_ply import OnePlySearch
from playmill.search.one_ply_settings import OnePlySettings

found = []
for name, heads in (("tictactoe", ("win",)), ("exchange", ("utilities",))):
    game = get_game(name)
    search = OnePlySearch(game, OnePlySettings(), TableEvaluator(NetShape.of_game(game, heads)), 2)
    records = np.array([game.new(seed).record for seed in range(2)], game.state)
    decisions = finish(search.search(np.arange(2), records, np.zeros(2, np.uint64), False))
    found.append([decisions.values[:, :9].round(6).tolist(), decisions.value.round(6).tolist()])
print(json.dumps(found))
"""


@pytest.mark.jit
def test_plain_python_finds_the_same():
    compiled, plain = printed_both_ways(SCRIPT)
    assert compiled == plain
