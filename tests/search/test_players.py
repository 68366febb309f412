"""Values per player: exact ones in small trees of three players, and of two whose draw costs both."""

import numpy as np
import pytest

from naive import puct as naive
from playmill.core.errors import UsageError
from playmill.core.evaluation import LocalEvaluator
from playmill.games.heads import Aim, worth_of
from playmill.search.decisions import finish
from playmill.search.lockstep import PuctSearch
from playmill.search.settings import PuctSettings
from toy_games import DRAW, DUEL, MARCH, MARCH_UTILITIES, march_value


class Opinion(LocalEvaluator):
    """Answers the same row of values everywhere, counted from the mover, and no policy."""

    def __init__(self, heads, row):
        self.heads, self.row = heads, row

    @property
    def columns(self):
        return len(self.row)

    def evaluate(self, features, logits, values):
        logits[:], values[:] = 0, self.row


def look(game, settings, evaluator, actions=()):
    state = game.new()
    for action in actions:
        state = state.apply(action)
    search = PuctSearch(game, settings, evaluator, 1)
    record = np.array([state.record], game.state)
    return search, finish(search.search(np.array([0]), record, np.array([5], np.uint64), False))


MARCH_OPINION = (0.5, -0.25, 0.125)


def test_with_many_simulations_three_players_each_get_what_is_best_for_the_one_to_move():
    _, decisions = look(MARCH, PuctSettings(budget=4000, c_puct=0.5, inflight=1), Opinion(("utilities",), MARCH_OPINION))
    assert decisions.value[0] == pytest.approx(march_value(), abs=0.02)
    assert decisions.actions[0, decisions.visits[0].argmax()] == 1
    assert decisions.values[0, 1] == pytest.approx(march_value((1,))[0], abs=0.02)


def test_the_mean_over_simulations_is_exact_for_every_player():
    # Four simulations from the second player's move: by hand, 0.5 belongs to whoever moves at the evaluated node.
    _, decisions = look(MARCH, PuctSettings(budget=1, inflight=1), Opinion(("utilities",), MARCH_OPINION), (0,))
    own, after = np.roll(MARCH_OPINION, 1), np.roll(MARCH_OPINION, 2)
    assert decisions.value[0] == pytest.approx((own + after) / 2)


def test_two_simulations_of_the_last_move_see_both_ends():
    _, decisions = look(MARCH, PuctSettings(budget=2, c_puct=9, inflight=1), Opinion(("utilities",), MARCH_OPINION), (0, 1))
    assert decisions.visits[0].tolist() == [1, 1]
    ends, own = MARCH_UTILITIES[2:4], np.roll(MARCH_OPINION, 2)
    assert decisions.value[0] == pytest.approx((ends.sum(axis=0) + own) / 3)
    assert decisions.values[0].tolist() == pytest.approx(ends[:, 2])


def test_the_improved_policy_expects_for_every_player():
    settings = PuctSettings(budget=2, c_puct=9, inflight=1, improvement_temperature=0.4)
    _, decisions = look(MARCH, settings, Opinion(("utilities",), MARCH_OPINION), (0, 1))
    ends = MARCH_UTILITIES[2:4]
    policy = np.exp(ends[:, 2] / 0.4)
    assert decisions.value[0] == pytest.approx(policy @ ends / policy.sum(), abs=1e-6)


@pytest.mark.parametrize("inflight", [1, 4])
@pytest.mark.parametrize(("game", "opinion"), [(MARCH, MARCH_OPINION), (DUEL, (0.25, 0.5))])
def test_the_tree_is_that_of_the_plain_twin(game, opinion, inflight):
    settings = PuctSettings(budget=60, c_puct=1.1, inflight=inflight)
    _, decisions = look(game, settings, Opinion(("utilities",), opinion))
    record = game.new().record
    twin = naive.Search(game, record, 5, lambda _: (np.zeros(game.logits), opinion), 60, 1.1, inflight).run()
    count = decisions.count[0]
    assert decisions.visits[0, :count].tolist() == [edge.visits for edge in twin.edges]
    assert decisions.values[0, :count] == pytest.approx([edge.total / edge.visits for edge in twin.edges], abs=1e-6)


def test_a_draw_that_costs_both_sides_is_worth_minus_a_half_to_both():
    # The second action ends in a draw at once: seen by the one who moves after it, too, it is a loss of half a game.
    _, decisions = look(DUEL, PuctSettings(budget=200, inflight=1), Opinion(("utilities",), (0.0, 0.0)))
    assert decisions.values[0, 1] == DRAW
    _, decisions = look(DUEL, PuctSettings(budget=3, c_puct=9, inflight=1), Opinion(("utilities",), (0.0, 0.0)), (0,))
    assert decisions.values[0].tolist() == [1.0, -1.0, DRAW]
    assert decisions.value[0] == pytest.approx([DRAW / 4, DRAW / 4])


def test_a_player_prefers_a_draw_to_a_loss_and_a_win_to_both():
    _, decisions = look(DUEL, PuctSettings(budget=500, inflight=1), Opinion(("utilities",), (0.0, 0.0)))
    assert decisions.actions[0, decisions.visits[0].argmax()] == 1  # passing on would lose to player 1's win
    _, decisions = look(DUEL, PuctSettings(budget=500, inflight=1), Opinion(("utilities",), (0.0, 0.0)), (0,))
    assert decisions.actions[0, decisions.visits[0].argmax()] == 0


def test_shares_of_win_draw_and_loss_are_worth_what_the_game_says():
    assert worth_of(DUEL, ("wdl",), Aim()).tolist() == [[1, DRAW, -1], [-1, DRAW, 1]]
    search, _ = look(DUEL, PuctSettings(budget=1, inflight=1), Opinion(("wdl",), (0.25, 0.5, 0.25)))
    assert search.trees.nodes[0, 0]["evaluation"].tolist() == [DRAW / 2, DRAW / 2]
    search, _ = look(DUEL, PuctSettings(budget=1, inflight=1), Opinion(("wdl",), (0.5, 0.5, 0.0)), (0,))
    assert search.trees.nodes[0, 0]["evaluation"].tolist() == [DRAW / 2 - 0.5, DRAW / 2 + 0.5]


def test_a_kept_tree_still_knows_what_all_players_get():
    search, before = look(MARCH, PuctSettings(budget=40, inflight=1), Opinion(("utilities",), MARCH_OPINION))
    action = int(before.actions[0, before.visits[0].argmax()])
    state = MARCH.new().apply(action)
    record = np.array([state.record], MARCH.state)
    search.moved(np.array([0]), np.array([action], np.int32), record)
    kept = finish(search.search(np.array([0]), record, np.array([5], np.uint64), False))
    assert kept.stats["reused"] > 0
    mover = state.to_move
    root = search.trees.nodes[0, 0]["evaluation"]
    own = (np.nansum(kept.values[0] * kept.visits[0]) + root[mover]) / (kept.visits[0].sum() + 1)
    assert kept.value[0, mover] == pytest.approx(own, abs=1e-6)
    ends = search.trees.nodes[0][1 : search.trees.cursors[0]["nodes"]]
    assert np.isfinite(kept.value[0]).all()
    assert (kept.value[0] <= ends["evaluation"].max(axis=0) + 1e-6).all()
    assert (kept.value[0] >= ends["evaluation"].min(axis=0) - 1e-6).all()


def test_a_network_that_can_not_serve_the_game_is_refused():
    with pytest.raises(UsageError, match=r"the head 'win' .* expects two players whose utilities add up to zero; use value"):
        PuctSearch(MARCH, PuctSettings(), Opinion(("win",), (0.0,)), 1)
