"""Means, intervals and pairs."""

import math

import numpy as np
import pytest

from playmill.arena.statistics import estimate, pair_counts, pair_means, t_of, wilson, z_of
from playmill.core.errors import UsageError


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (8, 10, 0.4901625, 0.9433178),
        (0, 10, 0.0, 0.2775328),
        (10, 10, 0.7224672, 1.0),
        (50, 100, 0.4038315, 0.5961685),
        (1, 29, 0.0061130, 0.1717554),
    ],
)
def test_wilson_gives_the_known_intervals(successes, trials, low, high):
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-7)


@pytest.mark.parametrize(("successes", "trials"), [(8, 10), (3, 7), (123, 400)])
def test_the_ends_of_wilsons_interval_are_the_rates_that_the_result_just_does_not_refute(successes, trials):
    for rate in wilson(successes, trials):
        away = abs(successes / trials - rate)
        assert away == pytest.approx(1.959964 * math.sqrt(rate * (1 - rate) / trials), rel=1e-6)


def test_wilson_takes_draws_as_halves():
    assert wilson(5.5, 10)[0] < 0.55 < wilson(5.5, 10)[1]
    assert wilson(5, 10)[0] < wilson(5.5, 10)[0] < wilson(6, 10)[0]


@pytest.mark.parametrize(("successes", "trials"), [(1, 0), (-1, 10), (11, 10)])
def test_wilson_refuses_what_is_no_rate(successes, trials):
    with pytest.raises(UsageError, match="successes"):
        wilson(successes, trials)


def test_wilson_covers_the_truth_as_often_as_it_says():
    wins = np.random.default_rng(1).binomial(60, 0.55, 4000)
    covered = [low <= 0.55 <= high for low, high in (wilson(int(w), 60) for w in wins)]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.015)


def test_an_estimate_is_a_mean_with_its_interval():
    found = estimate(np.array([0.0, 0.5, 1.0, 0.5]))
    assert (found.trials, found.mean) == (4, 0.5)
    assert found.se == pytest.approx(math.sqrt(1 / 6) / 2)
    assert (found.low + found.high) / 2 == pytest.approx(0.5)
    assert found.high - found.mean == pytest.approx(3.182446 * found.se, rel=0.01)  # Student's, three degrees of freedom


@pytest.mark.parametrize(
    ("freedom", "t"),
    [(1, 12.7062), (2, 4.302653), (3, 3.182446), (4, 2.776445), (10, 2.228139), (24, 2.063899), (200, 1.971896)],
)
def test_few_trials_reach_as_far_as_students_table_says(freedom, t):
    assert t_of(0.95, freedom) == pytest.approx(t, rel=0.01)
    assert t_of(0.95, 10**9) == pytest.approx(z_of(0.95))


def test_one_trial_has_no_interval():
    found = estimate(np.array([1.0]))
    assert (found.trials, found.mean) == (1, 1.0)
    assert (found.se, found.low, found.high) == (None, None, None)
    with pytest.raises(UsageError, match="at least one independent trial"):
        estimate(np.array([]))


def test_a_pair_is_one_trial():
    games = np.array([1, 1, 1, 0, 0, 0.5, 0, 0, 1, 0.5])
    assert pair_means(games).tolist() == [1, 0.5, 0.25, 0, 0.75]
    assert pair_counts(games).tolist() == [1, 1, 1, 1, 1]
