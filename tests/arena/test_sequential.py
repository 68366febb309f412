"""The sequential test: its arithmetic, and how often it errs."""

import numpy as np
import pytest

from playmill.arena.sequential import SequentialTest, _log_tilt
from playmill.arena.statistics import PAIR_SCORES

TEST = SequentialTest(score0=0.5, score1=0.55, alpha=0.05, beta=0.05)
GATES, LOOKS, LOOK_PAIRS = 2000, 80, 16

SHAPES = {
    "dice": [0.2, 0.05, 0.5, 0.05, 0.2],
    "drawish": [0.05, 0.2, 0.5, 0.2, 0.05],
    "decisive": [0.3, 0.01, 0.38, 0.01, 0.3],
    "twins": [0.02, 0.05, 0.86, 0.05, 0.02],
}


def with_mean(shape, mean):
    """The distribution of pair scores that is tilted to have this mean."""
    low, high = -50.0, 50.0
    for _ in range(80):
        tilt = (low + high) / 2
        shares = np.array(shape) * np.exp(tilt * PAIR_SCORES)
        shares /= shares.sum()
        low, high = (tilt, high) if shares @ PAIR_SCORES < mean else (low, tilt)
    return shares


def first_decisions(ratios):
    """Shares of gates that accept, reject, or never decide, and the mean number of looks; ratios [gates, looks]."""
    low, high = TEST.bounds
    accepts = np.where((ratios >= high).any(axis=1), (ratios >= high).argmax(axis=1), LOOKS)
    rejects = np.where((ratios <= low).any(axis=1), (ratios <= low).argmax(axis=1), LOOKS)
    return (accepts < rejects).mean(), (rejects < accepts).mean(), np.minimum(accepts, rejects).mean() + 1


def simulate(shares, seed):
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(LOOK_PAIRS, shares, size=(GATES, LOOKS)).cumsum(axis=1)
    return first_decisions(TEST.ratio(counts))


# Three standard errors of a rate of 5 % over so many gates.
SLACK = 3 * np.sqrt(0.05 * 0.95 / GATES)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_candidate_no_better_passes_at_most_as_often_as_alpha_says(shape):
    passed, failed, _ = simulate(with_mean(SHAPES[shape], TEST.score0), seed=1)
    assert passed <= TEST.alpha + SLACK
    assert failed >= 0.9


@pytest.mark.parametrize("shape", SHAPES)
def test_a_better_candidate_fails_at_most_as_often_as_beta_says(shape):
    passed, failed, _ = simulate(with_mean(SHAPES[shape], TEST.score1), seed=2)
    assert failed <= TEST.beta + SLACK
    assert passed >= 0.9


def test_the_clearer_the_case_the_sooner_it_ends():
    looks = [simulate(with_mean(SHAPES["dice"], mean), seed=3)[2] for mean in (0.525, 0.55, 0.6, 0.7)]
    assert looks == sorted(looks, reverse=True)
    # A test of fixed length with the same errors needs (1.645 / 0.025)^2 * variance pairs.
    fixed = (2 * 1.645 / 0.05) ** 2 * 0.10625 / LOOK_PAIRS
    assert looks[1] < 0.75 * fixed


@pytest.mark.parametrize(("mean", "error"), [(0.5, 0), (0.55, 1)])
def test_trials_that_are_any_numbers_err_as_seldom(mean, error):
    """Luck-reduced pairs: the normal ratio, over trials that are skewed and few."""
    rng = np.random.default_rng(4)
    trials = mean + 0.1 * (rng.gamma(4.0, size=(1000, LOOKS * LOOK_PAIRS)) - 4.0) / 2.0
    ends = range(LOOK_PAIRS, LOOKS * LOOK_PAIRS + 1, LOOK_PAIRS)
    ratios = np.array([[TEST.ratio_of(row[:end]) for end in ends] for row in trials])
    shares = first_decisions(ratios)
    assert shares[error] <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1000)
    assert shares[1 - error] >= 0.9


@pytest.mark.parametrize("seed", range(20))
def test_a_hypothesis_is_the_nearest_distribution_with_its_mean(seed):
    counts = np.random.default_rng(seed).integers(1, 50, 5)
    shares = counts / counts.sum()
    for mean in (0.3, 0.5, 0.55):
        tilted = shares / np.exp(_log_tilt(counts, mean))
        assert tilted.sum() == pytest.approx(1)
        assert tilted @ PAIR_SCORES == pytest.approx(mean)


def test_evidence_is_even_halfway_and_changes_sign_when_mirrored():
    middle = SequentialTest(0.45, 0.55, 0.05, 0.05)
    assert middle.ratio(np.array([10, 3, 20, 3, 10])) == pytest.approx(0, abs=1e-9)
    counts = np.array([3, 7, 20, 11, 9])
    assert middle.ratio(counts) == pytest.approx(-middle.ratio(counts[::-1]))
    assert middle.ratio(counts) > 0


def test_bounds_are_walds():
    low, high = SequentialTest(0.5, 0.55, alpha=0.05, beta=0.1).bounds
    assert low == pytest.approx(np.log(0.1 / 0.95))
    assert high == pytest.approx(np.log(0.9 / 0.05))
    test = SequentialTest(0.5, 0.55, 0.05, 0.1)
    assert [test.decide(ratio) for ratio in (low, 0.0, high)] == ["reject", "continue", "accept"]
