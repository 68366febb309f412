"""Draws from counted words follow their distributions."""

import numpy as np
import pytest

from playmill.core.seeds import mix
from playmill.search.noise import choose, dirichlet, gamma
from playmill.search.settings import Temperature


@pytest.mark.parametrize("shape", [0.15, 0.5, 1.0, 3.7])
def test_gamma_has_its_mean_and_variance(shape):
    draws = np.array([gamma(shape, np.uint64(mix(1, i))) for i in range(40_000)])
    assert draws.mean() == pytest.approx(shape, rel=0.05)
    assert draws.var() == pytest.approx(shape, rel=0.08)


def test_dirichlet_sums_to_one_and_has_its_spread():
    rows = np.zeros((4000, 7), np.float32)
    for i, row in enumerate(rows):
        dirichlet(0.5, np.uint64(mix(2, i)), row)
    assert np.allclose(rows.sum(axis=1), 1, atol=1e-5)
    assert np.allclose(rows.mean(axis=0), 1 / 7, atol=0.02)
    assert rows.var(axis=0).mean() == pytest.approx((1 / 7) * (6 / 7) / (7 * 0.5 + 1), rel=0.08)


def test_choice_follows_the_temperature():
    weights = np.array([1.0, 3.0, 0.0])
    for temperature, share in ((1.0, 0.75), (0.5, 0.9)):
        picks = [choose(weights, temperature, np.uint64(mix(3, i))) for i in range(8000)]
        assert np.mean(np.array(picks) == 1) == pytest.approx(share, abs=0.02)
        assert 2 not in picks


def test_temperature_zero_takes_the_first_of_the_best():
    assert choose(np.array([0.2, 0.4, 0.4]), 0.0, np.uint64(5)) == 1


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("constant", [1.0, 1.0, 1.0, 1.0]),
        ("step", [1.0, 1.0, 0.2, 0.2]),
        ("linear", [1.0, 0.6, 0.2, 0.2]),
        ("exponential", [1.0, 0.2 + 0.8 * 0.5**0.5, 0.6, 0.4]),
    ],
)
def test_temperature_schedules(kind, expected):
    schedule = Temperature(kind=kind, start=1.0, end=0.2, plies=10)
    assert [schedule.at(ply) for ply in (0, 5, 10, 20)] == pytest.approx(expected)
