"""Search and chance: quiet actions have one child, states that look alike share an evaluation, expectations are exact."""

import numpy as np
import pytest

from dice_game import HOLD, PIG
from history_game import PLAIN_TRAIL, TRAIL
from naive import puct as naive
from playmill.core.evaluation import LocalEvaluator
from playmill.games.registry import get_game
from playmill.search.decisions import finish
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings


class Opinion(LocalEvaluator):
    """Depends on nothing but the features of a row."""

    heads = ("win",)

    def __init__(self, logits):
        self.logits = logits

    def row(self, features):
        seed = int.from_bytes(features.tobytes()[:64], "little") % (2**63)
        rng = np.random.default_rng(seed)
        return rng.normal(size=self.logits).astype(np.float32), np.float32(rng.uniform(-0.9, 0.9))

    def for_two(self, features):
        """For the plain twin: the mover's utility and the other's."""
        logits, value = self.row(features[0])
        return logits, [value, -value]

    def evaluate(self, features, logits, values):
        for i, row in enumerate(features):
            logits[i], values[i, 0] = self.row(row)


def search(state, settings, stream=77):
    game = state.game
    found = PuctSearch(game, settings, Opinion(game.logits), 1)
    records = np.array([state.record], game.state)
    return found, finish(found.search(np.array([0]), records, np.array([stream], np.uint64), with_noise=False))


def late_yatzy():
    """The last two marks are to come."""
    state = get_game("yatzy").new(3)
    while state.record.turn < 28:
        state = state.apply(state.legal_actions[-1])
    return state


STATES = {"pig": PIG.new(4), "trail": TRAIL.new(), "plain trail": PLAIN_TRAIL.new(), "yatzy": late_yatzy()}


@pytest.mark.parametrize("inflight", [1, 3])
@pytest.mark.parametrize("name", STATES)
def test_the_tree_is_that_of_the_plain_twin(name, inflight):
    state = STATES[name]
    settings = PuctSettings(budget=150, inflight=inflight, c_puct=1.3)
    _, decisions = search(state, settings)
    opinion = Opinion(state.game.logits)
    twin = naive.Search(state.game, state.record, 77, opinion.for_two, 150, 1.3, inflight).run()
    count = decisions.count[0]
    assert decisions.visits[0, :count].tolist() == [edge.visits for edge in twin.edges]
    seen = [edge.total / edge.visits if edge.visits else np.nan for edge in twin.edges]
    assert np.allclose(decisions.values[0, :count], seen, atol=1e-5, equal_nan=True)


def test_the_twin_agrees_on_afterstates_where_some_actions_are_quiet():
    state = late_yatzy()
    settings = PuctSettings(budget=150, inflight=1, c_puct=1.3, afterstates=True, luck=0.0)
    _, decisions = search(state, settings)
    opinion = Opinion(state.game.logits)
    ways = {"afterstates": True, "luck": 0.0}
    twin = naive.Search(state.game, state.record, 77, opinion.for_two, 150, 1.3, 1, **ways).run()
    assert decisions.visits[0, : decisions.count[0]].tolist() == [edge.visits for edge in twin.edges]


def children_of(found, action):
    """How many children each edge of an action has, over the whole tree."""
    trees = found.trees
    nodes = trees.nodes[0][: trees.cursors[0]["nodes"]]
    parents = nodes["parent"][1:].tolist()
    choices = trees.choices[0][: trees.cursors[0]["choices"]]
    edges = [int(choice["edge"]) for choice in choices if choice["edge"] >= 0 and choice["action"] == action]
    return [parents.count(edge) for edge in edges]


def test_quiet_actions_have_one_child_and_others_as_many_as_chance_makes():
    found, _ = search(PIG.new(4), PuctSettings(budget=400, inflight=1))
    assert set(children_of(found, HOLD)) == {1}
    assert max(children_of(found, 1 - HOLD)) > 1


def test_quiet_actions_take_no_chance_word():
    found, _ = search(PIG.new(4), PuctSettings(budget=100, inflight=1))
    silent, _ = search(TRAIL.new(), PuctSettings(budget=100, inflight=1))
    assert found.trees.cursors[0]["event"] > 0
    assert silent.trees.cursors[0]["event"] == 0


def test_states_that_look_alike_are_evaluated_once_and_the_search_is_the_same():
    settings = PuctSettings(budget=200, inflight=1)
    (_, shared), (_, plain) = search(TRAIL.new(), settings), search(PLAIN_TRAIL.new(), settings)
    assert shared.visits.tolist() == plain.visits.tolist()
    assert np.allclose(shared.values, plain.values, equal_nan=True)
    assert shared.stats["evaluations"] < plain.stats["evaluations"] / 2
    assert shared.stats["cache_hits"] > plain.stats["cache_hits"]


def test_a_tree_is_kept_where_states_that_look_alike_are_many():
    state = TRAIL.new()
    found, _ = search(state, PuctSettings(budget=200, inflight=1))
    for _ in range(3):
        action = state.legal_actions[0]
        state = state.apply(action)
        found.moved(np.array([0]), np.array([action], np.int32), np.array([state.record], TRAIL.state))
        assert found.trees.states[0][0].tobytes() == state.record.tobytes()
        assert found.trees.nodes[0][0]["visits"] > 1
