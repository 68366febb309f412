"""The trees' own softmax against the C library's exponential."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from playmill.search.softmax import exp_below_zero, softmax


@settings(deadline=None)
@given(st.floats(-600, 0))
def test_the_exponential_is_the_librarys(x):
    assert abs(exp_below_zero(x) / np.exp(x) - 1) < 2e-14


def test_the_ends_of_the_range():
    assert exp_below_zero(0.0) == 1.0
    assert exp_below_zero(-np.inf) < 1e-300
    assert np.isnan(exp_below_zero(np.nan))


@settings(deadline=None)
@given(st.lists(st.floats(-50, 50, width=32), min_size=1, max_size=46))
def test_probabilities(logits):
    weights = np.array([*logits, 7.0])
    expected = np.exp(weights[:-1] - weights[:-1].max())
    assert softmax(weights, len(logits))
    assert np.allclose(weights[:-1], expected / expected.sum(), rtol=1e-13)
    assert weights[-1] == 7.0  # what lies behind them is left alone


def test_what_is_not_finite_becomes_uniform():
    for bad in ([1.0, np.nan, 2.0], [-np.inf] * 3, [np.inf, 1.0, 1.0]):
        weights = np.array(bad)
        assert not softmax(weights, 3)
        assert weights.tolist() == [1 / 3] * 3
