"""The head `shaped`: what it is taught, what is lost by a wrong answer, what it is worth. A draw costs both sides."""

import numpy as np
import pytest
import torch

from packs.exchange.games_at_hand import GAME, SHAPE, SureOfADraw, play_games, targets_of
from playmill.core.errors import UsageError
from playmill.games.heads import Aim, Told, worth_of
from playmill.nets.model import check_net
from playmill.nets.spec import heads, make_spec
from playmill.packs.exchange.shaped import HEAD, shaped_outcome
from playmill.packs.registry import find_game
from playmill.train.feed import weighted
from playmill.train.losses import column_losses
from playmill.train.targets import HeadTargets

pytestmark = pytest.mark.jit

DRAW = -0.5
NAMES = ("shaped", "shaped_1", "q", "q_1")


def told(utilities, shaping):
    nothing = np.full((1, 2), np.nan)
    rest = dict.fromkeys(("final_points", "points_to_come", "value", "togo"), nothing)
    return Told(
        utilities=np.array([utilities]), shaping=np.array([shaping]), plies_to_come=np.zeros(1), margin_scale=1.0, **rest
    )


@pytest.mark.parametrize(
    ("utilities", "shaping", "targets"),
    [
        ((1, -1), (0, 0), (1, -1)),
        ((DRAW, DRAW), (0, 0), (DRAW, DRAW)),
        ((DRAW, DRAW), (0.25, -0.25), (-0.25, -0.75)),
        ((1, -1), (0.4, -0.4), (1, -1)),
        ((-1, 1), (0.4, -0.3), (-0.6, 0.7)),
    ],
)
def test_targets_by_hand(utilities, shaping, targets):
    found = told(utilities, shaping)
    assert (shaped_outcome(0, found)[0], shaped_outcome(1, found)[0]) == pytest.approx(targets)


def test_a_draw_is_below_nothing_for_both_sides_in_every_target():
    """Put back and seen to fail: the other side's target is minus the mover's, so that a draw is +0.5 for one of them."""
    shard = play_games(6)
    drawn = np.isin(shard.samples.game, np.flatnonzero((shard.games.game_returns == DRAW).all(axis=1)))
    found = targets_of(shard)
    assert 0 < drawn.sum() < len(drawn)
    for name in ("shaped", "shaped_1"):
        assert found[name][drawn].max() <= 0
        assert found[name][drawn].min() >= -1
    assert (found["shaped"] + found["shaped_1"])[drawn] == pytest.approx(2 * DRAW, abs=1e-6)
    plain = targets_of(play_games(6, rewards={"scale": 0}))
    assert set(plain["shaped"][drawn]) == set(plain["shaped_1"][drawn]) == {np.float32(DRAW)}


def test_only_minus_a_half_for_both_loses_nothing_in_a_draw():
    rows = np.array([[DRAW, DRAW, DRAW, DRAW]], np.float32)
    for bootstrap in (0.0, 0.5, 1.0):
        lesson = HeadTargets(GAME, ("shaped",), NAMES, bootstrap)(rows)
        found = [torch.from_numpy(part) for part in weighted(lesson)]
        losses = {
            answer: column_losses(torch.tensor([answer]), *found, ("shaped",), 2).tolist()
            for answer in ((DRAW, DRAW), (DRAW, -DRAW), (-DRAW, DRAW))
        }
        assert losses == {(DRAW, DRAW): [0, 0], (DRAW, -DRAW): [0, 1], (-DRAW, DRAW): [1, 0]}


def test_an_answer_is_worth_to_each_side_what_it_says():
    worth = worth_of(GAME, ("shaped",), Aim())
    assert (worth @ [DRAW, DRAW]).tolist() == [DRAW, DRAW]
    assert (worth @ [0.3, -0.8]).tolist() == [0.3, -0.8]


def test_a_search_backs_a_draw_up_as_a_loss_for_both_sides():
    shard = play_games(3, open_evaluator=lambda: SureOfADraw(SHAPE))
    found, early = targets_of(shard), shard.samples.ply < 6
    assert set(found["q"][early]) == set(found["q_1"][early]) == {np.float32(DRAW)}


def test_what_the_search_expected_is_mixed_in():
    rows = np.array([[1.0, -1.0, 0.5, -0.75], [DRAW, DRAW, np.nan, np.nan]], np.float32)
    lesson = HeadTargets(GAME, ("shaped",), NAMES, 0.5)(rows)
    assert lesson.tolist() == [[0.75, -0.875], [DRAW, DRAW]]


def test_a_network_may_tell_the_outcome_by_it_and_only_of_its_game():
    spec = make_spec({"kind": "conv", "value": "shaped"})
    assert heads(spec) == ("shaped",)
    check_net(GAME, spec)
    assert HEAD.width(2) == 2
    with pytest.raises(UsageError, match=r"the head 'shaped' .* expects the game exchange; connect_four has 2 players"):
        check_net(find_game("connect_four"), spec)


def test_another_name_is_refused_with_the_nearest():
    with pytest.raises(UsageError, match=r"net\.value: unknown value head 'shaped_'; did you mean 'shaped'\?"):
        make_spec({"value": "shaped_"})
    with pytest.raises(UsageError, match=r"net\.value: unknown value head 'margin'"):
        make_spec({"value": "margin"})
