"""Losses and targets agree with plain twins; absent targets teach nothing."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from playmill.core.errors import PlaymillError
from playmill.games.heads import target_columns
from playmill.games.yatzy.rules import YATZY
from playmill.replay import ReplayBatch
from playmill.replay.kernels import NO_ACTION
from playmill.train.feed import TensorBatch, ahead, weighted
from playmill.train.losses import compute_losses, loss_names, policy_facts
from playmill.train.settings import TrainSettings
from playmill.train.targets import HeadTargets, mixed

HEADS, TARGETS = ("win", "margin", "togo_own", "togo_opp"), tuple(target_columns(YATZY))
SETTINGS = TrainSettings(policy_weight=2.0, value_weight=3.0, margin_weight=0.5, togo_weight=0.25)
ROWS, LOGITS = 12, 6


def random_batch(seed, keep_shape=True):
    rng = np.random.default_rng(seed)
    has_policy = rng.random(ROWS) < 0.6
    policy, bias = np.zeros((ROWS, LOGITS), np.float32), np.zeros((ROWS, LOGITS), np.float32)
    for row in np.flatnonzero(has_policy):
        legal = rng.permutation(LOGITS)[: rng.integers(1, LOGITS)]
        bias[row], bias[row, legal] = NO_ACTION, 0
        policy[row, legal] = rng.dirichlet(np.ones(legal.size))
    targets = rng.normal(size=(ROWS, len(TARGETS))).astype(np.float32)
    targets[rng.random(targets.shape) < 0.3] = np.nan
    batch = ReplayBatch(
        rng.random((ROWS, 3), np.float32),
        np.empty((0, 3), np.uint16),
        policy,
        bias,
        np.empty((ROWS, 0, 2), np.int64),
        has_policy,
        targets,
    )
    return TensorBatch.of(batch, HeadTargets(YATZY, HEADS, TARGETS, 0.0), keep_shape)


def answers(seed):
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(ROWS, LOGITS, generator=generator, requires_grad=True)
    return logits, torch.randn(ROWS, len(HEADS), generator=generator, requires_grad=True)


def plain_losses(logits, values, batch):
    """The same numbers, row by row."""
    logits, values, policy, targets = (t.detach().double().numpy() for t in (logits, values, batch.policy, batch.targets))
    errors = []
    for row in np.flatnonzero(policy.any(axis=1)):
        legal = np.flatnonzero(batch.bias[row] == 0)  # the others are nobody's business
        errors.append(-(policy[row, legal] @ (logits[row, legal] - np.log(np.exp(logits[row, legal]).sum()))))
    parts = {"policy": np.mean(errors) if errors else 0.0}
    is_there = batch.weights.numpy() > 0
    errors = [np.mean((values[:, h] - targets[:, h])[is_there[:, h]] ** 2) for h in range(len(HEADS))]
    return {**parts, "value": errors[0], "margin": errors[1], "togo": (errors[2] + errors[3]) / 2}


@pytest.mark.parametrize("seed", range(10))
def test_losses_agree_with_their_plain_twin(seed):
    batch, (logits, values) = random_batch(seed), answers(seed)
    found = compute_losses(logits, values, batch, HEADS, SETTINGS)
    expected = plain_losses(logits, values, batch)
    assert {name: found[name].item() for name in loss_names(HEADS)[1:]} == pytest.approx(expected, rel=1e-5)
    weights = {"policy": 2.0, "value": 3.0, "margin": 0.5, "togo": 0.25}
    assert found["total"].item() == pytest.approx(sum(weights[name] * loss for name, loss in expected.items()), rel=1e-5)


@pytest.mark.parametrize("parts", [1, 2, 5, ROWS])
@pytest.mark.parametrize("keep_shape", [True, False])
def test_parts_of_a_batch_add_up_to_it(parts, keep_shape):
    batch, (logits, values) = random_batch(1, keep_shape), answers(1)
    whole = compute_losses(logits, values, random_batch(1), HEADS, SETTINGS)
    cut = zip(logits.tensor_split(_cuts(parts)), values.tensor_split(_cuts(parts)), strict=True)
    losses = []
    for i, (some_logits, some_values) in enumerate(cut):
        part = batch.part(i, parts)
        told = some_logits if part.policy_rows is None else some_logits[part.policy_rows]
        losses.append(compute_losses(told, some_values, part, HEADS, SETTINGS))
    assert sum(loss["total"] for loss in losses).item() == pytest.approx(whole["total"].item(), rel=1e-5)


def _cuts(parts):
    return [i * ROWS // parts for i in range(1, parts)]


def test_on_a_cpu_rows_without_a_policy_are_asked_for_none():
    whole, small = random_batch(4), random_batch(4, keep_shape=False)
    logits, values = answers(4)
    assert 0 < len(small.policy) == small.policy_count < ROWS
    found = compute_losses(logits[small.policy_rows], values, small, HEADS, SETTINGS)
    expected = compute_losses(logits, values, whole, HEADS, SETTINGS)
    assert found["policy"].item() == pytest.approx(expected["policy"].item(), rel=1e-6)
    assert found["value"].item() == expected["value"].item()


def test_absent_targets_teach_nothing():
    batch, (logits, values) = random_batch(2), answers(2)
    compute_losses(logits, values, batch, HEADS, SETTINGS)["total"].backward()
    absent = batch.weights == 0
    assert absent.any()
    assert (values.grad[absent] == 0).all()
    assert (values.grad[~absent] != 0).all()
    assert (logits.grad[batch.bias != 0] == 0).all()
    decided = ((batch.bias == 0).sum(dim=1) > 1) & (batch.policy > 0).any(dim=1)
    assert decided.any()
    assert (logits.grad[decided] != 0).any(dim=1).all()


def test_a_batch_without_any_target_has_no_loss():
    batch = random_batch(3)
    empty = replace(batch, policy=batch.policy * 0, weights=batch.weights * 0)
    logits, values = answers(3)
    found = compute_losses(logits, values, empty, HEADS, SETTINGS)
    found["total"].backward()
    assert found["total"].item() == 0
    assert (values.grad == 0).all()
    assert (logits.grad == 0).all()


def facts_of(logits, *ids):
    """The facts of a batch with these rows of logits and, for each, its legal actions' logit ids, [] if it has no policy."""
    batch = random_batch(0)
    found = torch.full((len(ids), 3, 2), 4)
    policy, bias = torch.zeros(len(ids), 3), torch.full((len(ids), 3), float(NO_ACTION))
    for row, pairs in enumerate(ids):
        for entry, pair in enumerate(pairs):
            found[row, entry], bias[row, entry], policy[row, entry] = torch.tensor(pair), 0, 1 / len(pairs)
    return policy_facts(torch.tensor(logits), replace(batch, policy=policy, bias=bias, logit_ids=found))


NONE = 4  # the number of logits stands for no logit


def test_entropy_is_that_of_the_policy_over_the_legal_actions():
    one, two = [[0, NONE], [2, NONE]], [[0, 1], [3, NONE], [2, NONE]]
    assert facts_of([[0.0, 50.0, 0.0, 50.0]], one)["entropy"] == pytest.approx(np.log(2))
    assert facts_of([[9.0, -9.0, 0.0, 0.0], [0.0] * 4], two, [])["entropy"] == pytest.approx(np.log(3))
    assert facts_of([[100.0, 0.0, 0.0, 0.0]], one)["entropy"] == pytest.approx(0, abs=1e-6)


def test_illegal_mass_is_what_the_softmax_of_all_logits_gives_to_no_legal_action():
    one, two = [[0, NONE], [2, NONE]], [[0, 1], [3, NONE]]
    assert facts_of([[0.0] * 4], one)["illegal_mass"] == pytest.approx(0.5)
    assert facts_of([[0.0] * 4], two)["illegal_mass"] == pytest.approx(0.25)
    assert facts_of([[0.0] * 4, [0.0] * 4, [9.0] * 4], one, two, [])["illegal_mass"] == pytest.approx(0.375)
    assert facts_of([[0.0, 99.0, 0.0, 0.0]], one)["illegal_mass"] == pytest.approx(1)
    assert facts_of([[0.0] * 4], []) == {"entropy": 0.0, "illegal_mass": 0.0}


def test_the_facts_of_games_with_one_logit_an_action_are_told_from_the_bias():
    batch = random_batch(0)
    policy, bias = torch.tensor([[0.5, 0, 0.5]]), torch.tensor([[0, float(NO_ACTION), 0]])
    facts = policy_facts(torch.zeros(1, 3), replace(batch, policy=policy, bias=bias))
    assert facts == pytest.approx({"entropy": np.log(2), "illegal_mass": 1 / 3})


# ------------------------------------------------------------------ targets


def test_the_weights_of_a_column_are_shared_by_its_rows_with_a_target():
    targets, weights = weighted(np.array([[1, np.nan, np.nan], [2, 3, np.nan]], np.float32))
    assert targets.tolist() == [[1, 0, 0], [2, 3, 0]]
    assert weights.tolist() == [[0.5, 0, 0], [0.5, 1, 0]]
    assert targets.dtype == weights.dtype == np.float32


def test_targets_mix_the_outcome_with_the_searchs_value():
    outcome, expected = np.array([1.0, 1.0, np.nan, np.nan]), np.array([0.0, np.nan, 0.5, np.nan])
    found = mixed(outcome[:, None], expected[:, None], 0.25)
    np.testing.assert_array_equal(found[:, 0], [0.75, 1.0, 0.5, np.nan])
    assert found.dtype == np.float32


def test_heads_find_their_columns_by_name():
    rows = np.arange(2 * len(TARGETS), dtype=np.float32).reshape(2, -1)
    columns = dict(zip(TARGETS, rows.T, strict=True))
    found = HeadTargets(YATZY, HEADS, TARGETS, 0.5)(rows)
    np.testing.assert_array_equal(found[:, 0], (columns["z"] + columns["q"]) / 2)
    np.testing.assert_array_equal(found[:, 1], columns["z_margin"])
    np.testing.assert_array_equal(found[:, 2], (columns["togo_own"] + columns["q_togo_own"]) / 2)
    np.testing.assert_array_equal(HeadTargets(YATZY, ("win",), ("x", "z"), 0.5)(rows[:, :2])[:, 0], rows[:, 1])


def test_a_head_that_cannot_be_taught_is_named():
    with pytest.raises(PlaymillError, match=r"head 'margin' expects a target 'z_margin' in the replay, got \['z'\]"):
        HeadTargets(YATZY, ("win", "margin"), ("z",), 0.0)
    with pytest.raises(PlaymillError, match="unknown head 'luck'"):
        HeadTargets(YATZY, ("luck",), TARGETS, 0.0)


# ------------------------------------------------------------------ feeding


def test_what_is_made_ahead_comes_in_order():
    assert list(ahead(lambda n: n * n, range(20))) == [n * n for n in range(20)]
    assert list(ahead(str, range(0))) == []


def test_an_error_ahead_reaches_the_user_at_its_place():
    results = ahead(lambda n: 1 // (3 - n), range(9))
    assert [next(results) for _ in range(3)] == [0, 0, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_stopping_early_makes_no_more():
    made = []
    results = ahead(made.append, range(1000))
    next(results)
    results.close()
    assert len(made) < 10
