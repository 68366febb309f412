"""Losses and targets agree with plain twins; absent targets teach nothing."""

import numpy as np
import pytest
import torch

from playmill.core.errors import PlaymillError
from playmill.games.heads import target_columns
from playmill.games.yatzy.rules import YATZY
from playmill.replay import Batch
from playmill.train.feed import TensorBatch, ahead
from playmill.train.losses import compute_losses, loss_names, policy_facts
from playmill.train.settings import TrainSettings
from playmill.train.targets import HeadTargets, mixed

HEADS, TARGETS = ("win", "margin", "togo_own", "togo_opp"), tuple(target_columns(YATZY))
SETTINGS = TrainSettings(policy_weight=2.0, value_weight=3.0, margin_weight=0.5, togo_weight=0.25)
ROWS, ENTRIES, LOGITS = 12, 4, 6


def random_batch(seed):
    rng = np.random.default_rng(seed)
    has_policy = rng.random(ROWS) < 0.6
    policy, slots = np.zeros((ROWS, ENTRIES), np.float32), np.full((ROWS, ENTRIES, 2), -1, np.int32)
    for row in np.flatnonzero(has_policy):
        count = rng.integers(1, ENTRIES + 1)
        slots[row, :count, 0] = np.sort(rng.permutation(LOGITS)[:count])
        policy[row, :count] = rng.dirichlet(np.ones(count))
    targets = rng.normal(size=(ROWS, len(TARGETS))).astype(np.float32)
    targets[rng.random(targets.shape) < 0.3] = np.nan
    features = rng.random((ROWS, 3), np.float32)
    return TensorBatch.of(Batch(features, policy, slots, has_policy, targets), HeadTargets(YATZY, HEADS, TARGETS, 0.0))


def answers(seed):
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(ROWS, LOGITS, generator=generator, requires_grad=True)
    return logits, torch.randn(ROWS, len(HEADS), generator=generator, requires_grad=True)


def plain_losses(logits, values, batch):
    """The same numbers, row by row."""
    logits, values, policy, targets = (t.detach().double().numpy() for t in (logits, values, batch.policy, batch.targets))
    errors = []
    for row, slots in zip(range(ROWS), batch.slots[:, :, 0].tolist(), strict=True):
        legal = [logits[row, slot] for slot in slots if slot >= 0]  # the others are nobody's business
        errors += [-(policy[row, : len(legal)] @ (legal - np.log(np.exp(legal).sum())))] if legal else []
    parts = {"policy": np.mean(errors) if errors else 0.0}
    errors = [np.nanmean((values[:, h] - targets[:, h]) ** 2) for h in range(len(HEADS))]
    return {**parts, "value": errors[0], "margin": errors[1], "togo": (errors[2] + errors[3]) / 2}


@pytest.mark.parametrize("seed", range(10))
def test_losses_agree_with_their_plain_twin(seed):
    batch, (logits, values) = random_batch(seed), answers(seed)
    found = compute_losses(logits, values, batch, HEADS, SETTINGS)
    expected = plain_losses(logits, values, batch)
    assert {name: found[name].item() for name in loss_names(HEADS)[1:]} == pytest.approx(expected, rel=1e-5)
    weights = {"policy": 2.0, "value": 3.0, "margin": 0.5, "togo": 0.25}
    assert found["total"].item() == pytest.approx(sum(weights[name] * loss for name, loss in expected.items()), rel=1e-5)


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_parts_of_a_batch_add_up_to_it(parts):
    batch, (logits, values) = random_batch(1), answers(1)
    whole = compute_losses(logits, values, batch, HEADS, SETTINGS)
    cut = zip(logits.tensor_split(_cuts(parts)), values.tensor_split(_cuts(parts)), strict=True)
    losses = [compute_losses(a, b, batch.part(i, parts), HEADS, SETTINGS) for i, (a, b) in enumerate(cut)]
    assert sum(loss["total"] for loss in losses).item() == pytest.approx(whole["total"].item(), rel=1e-5)


def _cuts(parts):
    return [i * ROWS // parts for i in range(1, parts)]


def test_absent_targets_teach_nothing():
    batch, (logits, values) = random_batch(2), answers(2)
    compute_losses(logits, values, batch, HEADS, SETTINGS)["total"].backward()
    absent = torch.isnan(batch.targets)
    assert (values.grad[absent] == 0).all()
    assert (values.grad[~absent] != 0).all()
    for row, slots in enumerate(batch.slots[:, :, 0].tolist()):
        illegal = [logit for logit in range(LOGITS) if logit not in slots]
        assert (logits.grad[row, illegal] == 0).all()
    decided = (batch.slots[:, 1, 0] >= 0).nonzero().flatten()
    assert len(decided)
    assert (logits.grad[decided] != 0).any(dim=1).all()


def test_a_batch_without_any_target_has_no_loss():
    batch = random_batch(3)
    empty = TensorBatch(
        batch.features, batch.policy * 0, batch.slots, batch.targets * torch.nan, torch.tensor(1),
        torch.ones(len(HEADS), dtype=torch.int64),
    )  # fmt: skip
    logits, values = answers(3)
    found = compute_losses(logits, values, empty, HEADS, SETTINGS)
    found["total"].backward()
    assert found["total"].item() == 0
    assert (values.grad == 0).all()
    assert (logits.grad == 0).all()


def facts_of(logits, *slots):
    """The facts of a batch with these rows of logits and, for each, its legal actions' slots, [] if it has no policy."""
    rows = torch.full((len(slots), 3, 2), -1, dtype=torch.int32)
    for row, found in enumerate(slots):
        for entry, pair in enumerate(found):
            rows[row, entry] = torch.tensor(pair)
    logits = torch.tensor(logits)
    empty = torch.empty(0)
    return policy_facts(logits, TensorBatch(empty, empty, rows, empty, empty, empty))


def test_entropy_is_that_of_the_policy_over_the_legal_actions():
    one, two = [[0, -1], [2, -1]], [[0, 1], [3, -1], [2, -1]]
    assert facts_of([[0.0, 50.0, 0.0, 50.0]], one)["entropy"] == pytest.approx(np.log(2))
    assert facts_of([[9.0, -9.0, 0.0, 0.0], [0.0] * 4], two, [])["entropy"] == pytest.approx(np.log(3))
    assert facts_of([[100.0, 0.0, 0.0, 0.0]], one)["entropy"] == pytest.approx(0, abs=1e-6)


def test_illegal_mass_is_what_the_softmax_of_all_logits_gives_to_no_legal_action():
    one, two = [[0, -1], [2, -1]], [[0, 1], [3, -1]]
    assert facts_of([[0.0] * 4], one)["illegal_mass"] == pytest.approx(0.5)
    assert facts_of([[0.0] * 4], two)["illegal_mass"] == pytest.approx(0.25)
    assert facts_of([[0.0] * 4, [0.0] * 4, [9.0] * 4], one, two, [])["illegal_mass"] == pytest.approx(0.375)
    assert facts_of([[0.0, 99.0, 0.0, 0.0]], one)["illegal_mass"] == pytest.approx(1)
    assert facts_of([[0.0] * 4], []) == {"entropy": 0.0, "illegal_mass": 0.0}


# ------------------------------------------------------------------ targets


def test_targets_mix_the_outcome_with_the_searchs_value():
    outcome, expected = np.array([1.0, 1.0, np.nan, np.nan]), np.array([0.0, np.nan, 0.5, np.nan])
    np.testing.assert_array_equal(mixed(outcome, expected, 0.25), [0.75, 1.0, 0.5, np.nan])


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
