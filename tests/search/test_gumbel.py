"""Gumbel search: the tree of its plain twin, sequential halving as in the paper, a policy that the values improve."""

import numpy as np
import pytest

from naive import gumbel as naive
from naive import puct as naive_puct
from playmill.core.errors import UsageError
from playmill.core.evaluation import EvalBuffer
from playmill.games.registry import get_game
from playmill.search.gumbel import fill_gumbel, needed_visits
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings
from search.test_puct import HashEvaluator, position, run


@pytest.mark.parametrize("budget", [1, 2, 7, 16, 50, 200])
@pytest.mark.parametrize("considered", [1, 2, 3, 7, 16, 47])
def test_the_visits_that_are_needed_are_those_of_the_plain_list(considered, budget):
    found = [needed_visits(considered, budget, simulation) for simulation in range(budget)]
    assert found == naive.considered_visits(considered, budget)


@pytest.mark.parametrize(("inflight", "considered", "with_noise"), [(1, 16, False), (4, 16, False), (4, 4, True), (1, 3, True)])
@pytest.mark.parametrize(("name", "plies"), [("tictactoe", 2), ("connect_four", 20), ("yatzy", 5), ("yatzy", 65)])
def test_the_tree_is_that_of_the_plain_twin(name, plies, inflight, considered, with_noise):
    state = position(name, 3, plies)
    settings = PuctSettings(selection="gumbel", budget=60, inflight=inflight, considered=considered, c_visit=20)
    evaluator = HashEvaluator(state.game.logits)
    search, decisions = run([state], settings, evaluator, streams=[77], with_noise=with_noise)
    count = decisions.count[0]
    noise = search.trees.noise[0, :count] if with_noise else None
    twin = naive.Search(
        state.game, state.record, 77, evaluator.for_two, 60, 1.3,
        inflight, considered=considered, c_visit=20, noise=noise,
    )  # fmt: skip
    root = twin.run()
    assert decisions.actions[0, :count].tolist() == [edge.action for edge in root.edges]
    assert decisions.visits[0, :count].tolist() == [edge.visits for edge in root.edges]
    policy = naive.softmax(twin.scores(root))
    assert np.allclose(decisions.policy[0, :count], policy, atol=1e-5)


def test_the_budget_goes_to_ever_fewer_actions():
    state = position("connect_four", 1, 0)
    _, decisions = run([state], PuctSettings(selection="gumbel", budget=32, inflight=1, considered=4), streams=[5])
    visits = sorted(decisions.visits[0, :7].tolist(), reverse=True)
    # Two phases of 16 simulations: four actions with four visits each, then the two better ones with eight more.
    assert visits == [12, 12, 4, 4, 0, 0, 0]


def test_noise_draws_other_actions_and_leaves_the_policy_of_its_values_alone():
    states = [position("connect_four", 1, 0)] * 40
    settings = PuctSettings(selection="gumbel", budget=4, considered=2)
    _, plain = run(states, settings)
    _, noisy = run(states, settings, with_noise=True)
    assert len({tuple(np.flatnonzero(row)) for row in plain.visits}) == 1
    assert len({tuple(np.flatnonzero(row)) for row in noisy.visits}) > 5
    assert (np.argmax(noisy.priors, axis=1) == np.argmax(plain.priors, axis=1)).all()


def test_gumbel_numbers_have_their_mean_and_spread():
    numbers = np.empty(20_000)
    fill_gumbel(np.uint64(3), numbers)
    assert abs(numbers.mean() - 0.5772) < 0.03
    assert abs(numbers.std() - np.pi / np.sqrt(6)) < 0.03


def test_ways_of_puct_that_gumbel_search_has_not_are_refused():
    game = get_game("tictactoe")
    for ways in ({"try_all": True}, {"improvement_temperature": 0.1}):
        with pytest.raises(UsageError, match=r"selection: gumbel has a policy of its own"):
            PuctSearch(game, PuctSettings(selection="gumbel", **ways), HashEvaluator(game.logits), 1)


class GatheringEvaluator(HashEvaluator):
    """Gives back only the logits that were asked for, and not before they are collected."""

    def open_buffer(self, shape, rows):
        plain = EvalBuffer.plain(shape, rows, len(self.heads))
        plain.asked, plain.logits = np.zeros((rows, shape.max_legal, 2), np.int32), plain.logits[:, : shape.max_legal].copy()
        return plain

    def submit(self, buffer, rows, what="policy"):
        self.out = rows
        return False

    def collect(self, buffer):
        logits = np.zeros((self.out, self.logits), np.float32)
        self.evaluate(buffer.features[: self.out], logits, buffer.values[: self.out])
        first, second = buffer.asked[: self.out, :, 0], buffer.asked[: self.out, :, 1]
        rows = np.arange(self.out)[:, None]
        buffer.logits[: self.out] = logits[rows, first] + np.where(second >= 0, logits[rows, second], np.float32(0))


@pytest.mark.parametrize("selection", ["puct", "gumbel"])
@pytest.mark.parametrize(("name", "plies"), [("connect_four", 20), ("yatzy", 5)])
def test_logits_that_were_asked_for_make_the_same_tree(name, plies, selection):
    states = [position(name, seed, plies) for seed in range(3)]
    settings, logits = PuctSettings(selection=selection, budget=40), states[0].game.logits
    _, whole = run(states, settings, HashEvaluator(logits))
    _, asked = run(states, settings, GatheringEvaluator(logits))
    for ours, theirs in zip(asked.columns(), whole.columns(), strict=True):
        assert ours.tobytes() == theirs.tobytes()


class NoVirtualLoss(naive_puct.Search):
    """Walks that are in flight leave no trace."""

    def best_edge(self, node):
        inflight = [edge.inflight for edge in node.edges]
        for edge in node.edges:
            edge.inflight = 0
        best = super().best_edge(node)
        for edge, count in zip(node.edges, inflight, strict=True):
            edge.inflight = count
        return best


@pytest.mark.parametrize("inflight", [4, 8])
def test_virtual_loss_lowers_collisions_at_equal_inflight(inflight):
    with_loss = without = 0
    for seed in range(4):
        state = position("connect_four", seed, 8)
        evaluator = HashEvaluator(state.game.logits)
        _, decisions = run([state], PuctSettings(budget=80, inflight=inflight), evaluator, streams=[7])
        args = state.game, state.record, 7, evaluator.for_two, 80, 1.5, inflight
        plain, bare = naive_puct.Search(*args), NoVirtualLoss(*args)
        plain.run(), bare.run()
        assert plain.collisions == decisions.stats["collisions"]
        with_loss, without = with_loss + plain.collisions, without + bare.collisions
    assert with_loss * 2 < without
