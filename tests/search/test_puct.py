"""PUCT: the same tree as its plain twin, right on solved games, and the same whoever else is in the batch."""

import zlib

import numpy as np
import pytest

from naive import puct as naive
from playmill.core.errors import UsageError
from playmill.core.evaluation import LocalEvaluator
from playmill.core.seeds import mix
from playmill.games.registry import get_game
from playmill.search.decisions import finish
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings
from playmill.sim import PlayoutOptions, Simulator, uniform_random


class HashEvaluator(LocalEvaluator):
    """Opinions that depend on nothing but the position: every row by itself."""

    heads = ("win",)
    in_turn = 1

    def __init__(self, logits):
        self.logits, self.calls = logits, []

    def row(self, features):
        rng = np.random.default_rng(zlib.crc32(features.tobytes()))
        return rng.normal(size=self.logits).astype(np.float32), np.float32(rng.uniform(-0.9, 0.9))

    def for_two(self, features):
        """The same as the plain twin wants it: a utility for the mover and one for the other."""
        logits, value = self.row(features[0])
        return logits, [value, -value]

    def evaluate(self, features, logits, values):
        self.calls.append(len(features))
        for i, row in enumerate(features):
            logits[i], values[i, 0] = self.row(row)


class FlatEvaluator(LocalEvaluator):
    """No opinion at all."""

    heads = ("win",)
    in_turn = 1

    def evaluate(self, features, logits, values):
        logits[:], values[:] = 0, 0


def position(name, seed, plies):
    state = get_game(name).new(seed)
    return Simulator(uniform_random, PlayoutOptions(max_events=plies)).playout(state).final if plies else state


def run(states, settings, evaluator=None, streams=None, with_noise=False):
    game = states[0].game
    search = PuctSearch(game, settings, evaluator or HashEvaluator(game.logits), len(states))
    records = np.array([state.record for state in states], game.state)
    streams = streams if streams is not None else [mix(9, i) for i in range(len(states))]
    return search, finish(search.search(np.arange(len(states)), records, np.array(streams, np.uint64), with_noise))


@pytest.mark.parametrize("inflight", [1, 4])
@pytest.mark.parametrize(("name", "plies"), [("tictactoe", 2), ("connect_four", 20), ("yatzy", 5), ("yatzy", 65)])
def test_the_tree_is_that_of_the_plain_twin(name, plies, inflight):
    state = position(name, 3, plies)
    settings = PuctSettings(budget=120, inflight=inflight, c_puct=1.3)
    evaluator = HashEvaluator(state.game.logits)
    _, decisions = run([state], settings, evaluator, streams=[77])
    twin = naive.Search(state.game, state.record, 77, evaluator.for_two, 120, 1.3, inflight).run()
    count = decisions.count[0]
    assert decisions.actions[0, :count].tolist() == [edge.action for edge in twin.edges]
    assert decisions.visits[0, :count].tolist() == [edge.visits for edge in twin.edges]
    assert np.allclose(decisions.priors[0, :count], [edge.prior for edge in twin.edges], atol=1e-6)
    seen = [edge.total / edge.visits if edge.visits else np.nan for edge in twin.edges]
    assert np.allclose(decisions.values[0, :count], seen, atol=1e-5, equal_nan=True)


class PointsEvaluator(HashEvaluator):
    """Opinions on points to come, in hundreds."""

    heads = ("win", "togo_own", "togo_opp")
    in_turn = 1

    def evaluate(self, features, logits, values):
        for i, row in enumerate(features):
            logits[i], values[i] = self.points(row)

    def points(self, row):
        logits, value = self.row(row)
        return logits, np.array([0, 1 + value, 1 - value], np.float32)


@pytest.mark.parametrize("plies", [5, 65])
@pytest.mark.parametrize(
    "ways",
    [
        {"afterstates": True},
        {"afterstates": True, "luck": 0.0, "try_all": True},
        {"afterstates": True, "luck": 0.3, "inflight": 4},
        {"afterstates": True, "luck": 0.0, "points_scale": 400.0, "c_puct": 0.02},
        {"points_scale": 400.0, "try_all": True},
    ],
)
def test_the_tree_is_that_of_the_plain_twin_in_every_way_of_searching(ways, plies):
    state = position("yatzy", 3, plies)
    settings = PuctSettings(**{"budget": 150, "inflight": 1, "c_puct": 1.3, **ways})
    evaluator = PointsEvaluator(state.game.logits) if "points_scale" in ways else HashEvaluator(state.game.logits)

    def answer(features):
        if "points_scale" not in ways:
            return evaluator.for_two(features)
        logits, (_, own, opponent) = evaluator.points(features[0])
        lead = 0.25 * float(own) - 0.25 * float(opponent)
        return logits, [lead, -lead]

    _, decisions = run([state], settings, evaluator, streams=[77])
    twin_ways = {name: value for name, value in ways.items() if name not in ("inflight", "c_puct")}
    plain = naive.Search(
        state.game, state.record, 77, answer, 150, settings.c_puct, settings.inflight, **twin_ways
    )  # fmt: skip
    twin = plain.run()
    count = decisions.count[0]
    assert decisions.visits[0, :count].tolist() == [edge.visits for edge in twin.edges]
    seen = [edge.total / edge.visits if edge.visits else np.nan for edge in twin.edges]
    assert np.allclose(decisions.values[0, :count], seen, atol=1e-5, equal_nan=True)


def test_every_action_is_tried_once_if_the_budget_allows():
    state = get_game("yatzy").new(5)
    _, decisions = run([state], PuctSettings(budget=60, try_all=True, inflight=1))
    count = decisions.count[0]
    assert decisions.visits[0, :count].min() >= 1
    _, decisions = run([state], PuctSettings(budget=10, try_all=True, inflight=1))
    tried = decisions.visits[0, :count] > 0
    assert tried.sum() == 10
    assert decisions.priors[0, :count][tried].min() >= decisions.priors[0, :count][~tried].max()


def test_the_improved_policy_is_the_prior_times_the_exponential_of_the_values():
    state = position("connect_four", 2, 6)
    settings = PuctSettings(budget=60, improvement_temperature=0.2)
    _, plain = run([state], PuctSettings(budget=60))
    _, improved = run([state], settings)
    count = plain.count[0]
    assert plain.visits.tolist() == improved.visits.tolist()
    assert (plain.visits[0, :count] > 0).all()
    values = plain.values[0, :count].astype(np.float64)
    expected = plain.priors[0, :count] * np.exp((values - values.max()) / 0.2)
    expected /= expected.sum()
    assert np.allclose(improved.policy[0, :count], expected, atol=1e-5)
    assert improved.value[0, state.to_move] == pytest.approx((expected * values).sum(), abs=1e-5)


def test_an_action_that_was_not_tried_has_the_value_of_those_that_were():
    state = get_game("yatzy").new(5)
    search, decisions = run([state], PuctSettings(budget=10, improvement_temperature=0.5, inflight=1))
    count = decisions.count[0]
    priors, values, visits = (
        column[0, :count].astype(np.float64) for column in (decisions.priors, decisions.values, decisions.visits)
    )
    seen = visits > 0
    assert not seen.all()
    mean = (priors[seen] * values[seen]).sum() / priors[seen].sum()
    values[~seen] = (search.trees.nodes[0, 0]["evaluation"][state.to_move] + 10 * mean) / 11
    expected = priors * np.exp(values / 0.5)
    assert np.allclose(decisions.policy[0, :count], expected / expected.sum(), atol=1e-5)


def test_points_to_come_are_the_lead_that_the_search_expects_and_the_opponents_own():
    state = position("yatzy", 4, 30)
    evaluator = PointsEvaluator(state.game.logits)
    _, decisions = run([state], PuctSettings(budget=40, points_scale=400), evaluator)
    points, mover = state.record["total"].astype(float), state.to_move
    opponent = 100 * evaluator.points(state.features())[1][2]
    lead_now = points[mover] - points[1 - mover]
    assert decisions.togo[0] == pytest.approx(400 * decisions.value[0, mover] - lead_now + opponent, abs=1e-3)


def test_a_kept_tree_with_afterstates_goes_on():
    state = position("yatzy", 5, 4)
    settings = PuctSettings(budget=300, inflight=1, afterstates=True, luck=0.0)
    search, decisions = run([state], settings)
    action = int(decisions.actions[0, decisions.visits[0].argmax()])
    after = next(s for s in (state.reseeded(seed).apply(action) for seed in range(400)) if child(search, action, s) >= 0)
    visits = search.trees.nodes[0, child(search, action, after)]["visits"]
    record = np.array([after.record], state.game.state)
    search.moved(np.array([0]), np.array([action], np.int32), record)
    assert search.trees.nodes[0, 0]["visits"] == visits
    check_tree(search.trees)
    again = finish(search.search(np.array([0]), record, np.array([3], np.uint64), False))
    assert again.visits.sum() == 300
    check_tree(search.trees)


@pytest.mark.parametrize(
    ("name", "ways", "heads", "message"),
    [
        ("connect_four", {"afterstates": True}, ("win",), "connect_four has no 'afterstate' kernel"),
        ("connect_four", {"points_scale": 100}, ("win", "togo_own", "togo_opp"), "connect_four is not scored in points"),
        ("yatzy", {"points_scale": 400}, ("win",), "lacks the heads togo_own and togo_opp; make it with togo: true"),
    ],
)
def test_what_game_or_network_lack_is_told(name, ways, heads, message):
    evaluator = FlatEvaluator()
    evaluator.heads = heads
    with pytest.raises(UsageError, match=message):
        PuctSearch(get_game(name), PuctSettings(**ways), evaluator, 1)


def test_a_search_does_not_depend_on_who_else_is_searched():
    states = [position("yatzy", seed, 10 * seed % 40) for seed in range(6)]
    settings = PuctSettings(budget=60, inflight=3)
    _, together = run(states, settings)
    for i, state in enumerate(states):
        _, alone = run([state], settings, streams=[mix(9, i)])
        assert alone.policy[0].tobytes() == together.policy[i].tobytes()
        assert alone.value[0].tobytes() == together.value[i].tobytes()


def test_the_budget_is_kept_exactly():
    for inflight in (1, 3, 8):
        _, decisions = run([position("connect_four", 1, 4)], PuctSettings(budget=50, inflight=inflight))
        assert decisions.visits.sum() == 50
        assert decisions.policy.sum() == pytest.approx(1)


def test_each_kind_of_decision_has_its_own_budget():
    state = get_game("yatzy").new(1)
    last = state.apply(0).apply(0)
    _, decisions = run([state, last], PuctSettings(budget=40, budget_second=15))
    assert decisions.visits.sum(axis=1).tolist() == [40, 15]


def test_a_pending_leaf_is_never_sent_twice():
    # With more leaves in flight than there are moves, walks must run into leaves that are already out.
    search, decisions = run([position("tictactoe", 1, 5)], PuctSettings(budget=40, inflight=8), FlatEvaluator())
    assert decisions.stats["collisions"] > 0
    nodes = search.trees.nodes[0][: search.trees.cursors[0]["nodes"]]
    assert decisions.stats["evaluations"] <= len(nodes)
    assert (search.trees.edges[0]["inflight"] == 0).all()


def test_perfect_play_in_tictactoe_never_loses():
    game = get_game("tictactoe")
    for seed in range(12):
        state, search = game.new(seed), PuctSearch(game, PuctSettings(budget=1500, c_puct=1.4), FlatEvaluator(), 1)
        me = seed % 2
        while not state.is_over:
            if state.to_move == me:
                record = np.array([state.record], game.state)
                search.forget(np.array([0]))
                decisions = finish(search.search(np.array([0]), record, np.array([seed], np.uint64), False))
                state = state.apply(int(decisions.actions[0, decisions.policy[0].argmax()]))
            else:
                state = state.apply(uniform_random(state)[0])
        assert state.returns[me] >= 0


def test_a_won_position_is_seen_as_won():
    game = get_game("connect_four")
    state = game.new()
    for column in (0, 6, 0, 6, 0, 5):  # x has three in column 0 and is to move
        state = state.apply(column)
    _, decisions = run([state], PuctSettings(budget=200), FlatEvaluator())
    assert decisions.actions[0, decisions.policy[0].argmax()] == 0
    assert decisions.values[0, 0] == 1.0


def test_values_are_those_of_who_moves():
    # In Yatzy the mover stays through its rerolls: an evaluator that always says "good for the mover" is agreed with there.
    class Glad(FlatEvaluator):
        def evaluate(self, features, logits, values):
            logits[:], values[:] = 0, 0.5

    state = get_game("yatzy").new(4)
    _, decisions = run([state], PuctSettings(budget=40), Glad())
    keeps = decisions.actions[0, : decisions.count[0]] < 32
    values = decisions.values[0, : decisions.count[0]]
    assert (values[keeps & ~np.isnan(values)] == 0.5).all()
    assert (values[~keeps & ~np.isnan(values)] < 0.5).all()


def test_noise_changes_the_root_and_leaves_the_priors_clean():
    state = position("connect_four", 2, 6)
    settings = PuctSettings(budget=60, dirichlet_epsilon=0.9, dirichlet_alpha=0.3)
    _, quiet = run([state], settings)
    _, noisy = run([state], settings, with_noise=True)
    _, other = run([state], settings, streams=[5], with_noise=True)
    assert quiet.priors.tobytes() == noisy.priors.tobytes()
    assert quiet.visits.tolist() != noisy.visits.tolist()
    assert other.visits.tolist() != noisy.visits.tolist()


@pytest.mark.parametrize("name", ["connect_four", "yatzy"])
def test_a_kept_tree_holds_exactly_the_visits_below_the_new_root(name):
    state = position(name, 5, 4)
    search, decisions = run([state], PuctSettings(budget=200, inflight=1))
    action = int(decisions.actions[0, decisions.visits[0].argmax()])
    after = next(s for s in (state.reseeded(seed).apply(action) for seed in range(400)) if child(search, action, s) >= 0)
    visits = search.trees.nodes[0, child(search, action, after)]["visits"]
    record = np.array([after.record], state.game.state)
    search.moved(np.array([0]), np.array([action], np.int32), record)
    root = search.trees.nodes[0, 0]
    assert (root["key"], root["visits"]) == (after.key, visits)
    check_tree(search.trees)
    again = finish(search.search(np.array([0]), record, np.array([3], np.uint64), False))
    assert again.visits.sum() == 200
    assert again.stats["reused"] == visits
    assert (again.stats["reuse_attempts"], again.stats["reuse_hits"]) == (1, 1)
    by_size = {key: count for key, count in again.stats.items() if key.startswith("reused_from_")}
    assert by_size == {f"reused_from_{1 << (int(visits).bit_length() - 1)}": 1}
    assert again.stats["evaluations"] + again.stats["cache_hits"] + again.stats["terminals"] == 200 - (visits - 1)
    check_tree(search.trees)


def test_an_unknown_next_state_starts_a_new_tree():
    state = position("yatzy", 5, 4)
    search, decisions = run([state], PuctSettings(budget=20))
    action = int(decisions.actions[0, 0])
    after = next(s for s in (state.reseeded(seed).apply(action) for seed in range(400)) if child(search, action, s) < 0)
    record = np.array([after.record], state.game.state)
    search.moved(np.array([0]), np.array([action], np.int32), record)
    anew = finish(search.search(np.array([0]), record, np.array([3], np.uint64), False))
    assert anew.visits.sum() == 20
    assert [anew.stats[name] for name in ("reuse_attempts", "reuse_hits", "reused")] == [1, 0, 0]


def child(search, action, state):
    """The node that a search has for what really came, or -1."""
    from playmill.search.reuse import realised
    from playmill.search.trees import tree_of

    return realised(state.game, tree_of(search.trees, 0), action, np.array([state.record], state.game.state)[0])


def check_tree(trees):
    """Every node hangs on an edge of an earlier node, and visits add up."""
    cursor = trees.cursors[0]
    for number in range(1, cursor["nodes"]):
        node = trees.nodes[0, number]
        edge = trees.edges[0, node["parent"]]
        assert edge["node"] < number
    for number in range(cursor["nodes"]):
        node = trees.nodes[0, number]
        if node["choice_count"]:
            choices = trees.choices[0, node["first_choice"] : node["first_choice"] + node["choice_count"]]
            taken = choices[choices["edge"] >= 0]
            edges = trees.edges[0, taken["edge"]]
            assert (edges["node"] == number).all()
            assert edges["visits"].sum() == node["visits"] - 1


def test_a_useless_answer_falls_back_to_uniform_and_is_counted():
    class Broken(FlatEvaluator):
        def evaluate(self, features, logits, values):
            logits[:], values[:] = np.nan, np.nan

    search, decisions = run([position("connect_four", 1, 2)], PuctSettings(budget=30), Broken())
    passed = int((search.trees.nodes[0]["visits"] > 1).sum())  # what no walk passed never needed priors
    assert 1 < passed < decisions.stats["evaluations"]
    assert decisions.stats["fallbacks"] == decisions.stats["evaluations"] + passed
    assert np.allclose(decisions.priors[0, :7], 1 / 7)
    assert np.isfinite(decisions.policy).all()


def test_known_states_are_not_evaluated_again():
    _, decisions = run([get_game("tictactoe").new()], PuctSettings(budget=400), FlatEvaluator())
    assert decisions.stats["cache_hits"] > 50
    assert decisions.stats["evaluations"] + decisions.stats["cache_hits"] + decisions.stats["terminals"] == 401
