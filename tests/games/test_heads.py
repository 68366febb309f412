"""The table of heads: what a game's replay holds, how three shares are taught, and what answers are worth."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from playmill.games.heads import (
    BUILT_IN,
    HEADS,
    Aim,
    column_count,
    column_of,
    segments,
    shares_of_results,
    target_columns,
    win_draw_loss,
    worth_of,
)
from playmill.games.registry import get_game
from playmill.train.feed import TensorBatch, weighted
from playmill.train.losses import column_losses, compute_losses
from playmill.train.settings import TrainSettings
from playmill.train.targets import HeadTargets
from toy_games import DRAW, DUEL, MARCH

POINTS = ("z_margin", "togo_own", "togo_opp")


@pytest.mark.parametrize(
    ("game", "names"),
    [
        (get_game("yatzy"), ("z", *POINTS, "q", "q_togo_own", "q_togo_opp")),
        (DUEL, ("z", "z_1", *POINTS, "q", "q_1", "q_togo_own", "q_togo_opp")),
        (MARCH, ("z", "z_1", "z_2", "q", "q_1", "q_2")),
    ],
)
def test_a_games_replay_holds_what_its_heads_are_taught(game, names):
    assert tuple(target_columns(game)) == names


def test_a_part_of_the_loss_counts_as_its_head_says_or_as_a_setting_does_where_there_is_one(monkeypatch):
    monkeypatch.setitem(HEADS, "decided", replace(HEADS["margin"], name="decided", part="decided", weight=0.25))
    assert {f"{head.part}_weight" for head in BUILT_IN} <= set(TrainSettings.model_fields)
    lessons = TrainSettings(policy_weight=0, value_weight=0, margin_weight=0.5)
    assert [_loss(name, lessons) for name in ("margin", "decided")] == pytest.approx([0.5 * 0.09, 0.25 * 0.09])


def _loss(head, settings):
    """The total loss of an answer that is 0.3 too low; the head of the outcome counts nothing."""
    columns = map(torch.from_numpy, weighted(np.array([[0.0, 0.5]], np.float32)))
    policy, bias = torch.ones(1, 1), torch.zeros(1, 1)
    batch = TensorBatch(torch.zeros(1, 1), *columns, policy, bias, None, None, torch.tensor(1))
    return compute_losses(torch.zeros(1, 1), torch.tensor([[0.0, 0.2]]), batch, ("win", head), settings)["total"].item()


def test_what_heads_are_worth_adds_up_in_the_order_of_their_columns():
    heads, game = ("win", "margin", "togo_own", "togo_opp"), get_game("yatzy")
    assert worth_of(game, heads, Aim()).tolist() == [[1, 0, 0, 0], [-1, 0, 0, 0]]
    assert worth_of(game, heads, Aim(margin_weight=0.25)).tolist() == [[0.75, 0.25, 0, 0], [-0.75, -0.25, 0, 0]]
    assert worth_of(game, heads, Aim(points_scale=400)).tolist() == [[0, 0, 0.25, -0.25], [0, 0, -0.25, 0.25]]
    assert worth_of(MARCH, ("utilities",), Aim()).tolist() == np.eye(3).tolist()


def test_columns_follow_the_widths_of_heads():
    heads = ("wdl", "margin", "togo_own", "togo_opp")
    assert column_count(heads, 2) == 6
    assert column_of(heads, "togo_opp", 2) == 5
    assert segments(heads, 2) == [("softmax", 3), ("tanh", 1), ("none", 2)]
    assert segments(("utilities", "margin"), 3) == [("tanh", 4)]


def test_a_draw_is_taught_as_one_whatever_it_is_worth():
    rows = np.array([[1, -1], [DRAW, DRAW], [-1, 1], [np.nan, np.nan]], np.float32)
    expected = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [np.nan] * 3]
    np.testing.assert_array_equal(win_draw_loss(DUEL, rows), expected)
    np.testing.assert_array_equal(win_draw_loss(get_game("tictactoe"), np.array([[1.0], [0.0], [-1.0]])), expected[:3])


def test_both_players_utilities_tell_the_shares_where_a_draw_costs_both():
    shares = np.array([[0.2, 0.5, 0.3], [0.0, 1.0, 0.0], [0.7, 0.1, 0.2]])
    expected = shares @ np.array([[1, -1], [DRAW, DRAW], [-1, 1]])
    assert shares_of_results(DUEL, expected) == pytest.approx(shares, abs=1e-6)


def test_in_a_zero_sum_game_the_searchs_value_tells_no_shares_and_the_outcome_is_learned_alone():
    game = get_game("tictactoe")
    assert np.isnan(shares_of_results(game, np.array([[0.3]]))).all()
    targets = HeadTargets(game, ("wdl",), ("z", "q"), 0.5)(np.array([[1.0, 0.2], [0.0, -0.4]], np.float32))
    assert targets.tolist() == [[1, 0, 0], [0, 1, 0]]


def test_the_shares_that_the_search_expects_are_mixed_in_where_they_are_known():
    names = ("z", "z_1", "q", "q_1")
    rows = np.array([[1.0, -1.0, DRAW, DRAW], [DRAW, DRAW, np.nan, np.nan]], np.float32)
    targets = HeadTargets(DUEL, ("wdl",), names, 0.25)(rows)
    assert targets == pytest.approx(np.array([[0.75, 0.25, 0], [0, 1, 0]]), abs=1e-6)


def test_the_loss_of_shares_is_their_cross_entropy_over_the_rows_that_have_a_target():
    answers = torch.tensor([[0.5, 0.25, 0.25], [0.2, 0.3, 0.5], [0.1, 0.1, 0.8]], requires_grad=True)
    found = weighted(np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [np.nan] * 3], np.float32))
    loss = column_losses(answers, *map(torch.from_numpy, found), ("wdl",), 2).sum()
    plain = -(np.log(0.5) + 0.5 * np.log(0.3) + 0.5 * np.log(0.5)) / 2
    assert loss.item() == pytest.approx(plain, abs=1e-6)
    loss.backward()
    assert answers.grad[2].tolist() == [0, 0, 0]
