"""Statistics of lengths agree with NumPy and don't depend on the order."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playmill.core.errors import UsageError
from playmill.sim import Lengths

samples = st.lists(st.integers(0, 500), min_size=1, max_size=200)


def lengths_of(sample):
    lengths = Lengths()
    lengths.extend(np.array(sample, np.uint32))
    return lengths


@given(samples)
def test_statistics_match_numpy(sample):
    lengths = lengths_of(sample)
    assert lengths.count == len(sample)
    assert lengths.progressed == np.count_nonzero(sample)
    assert (lengths.total, lengths.min, lengths.max) == (sum(sample), min(sample), max(sample))
    assert math.isclose(lengths.mean, np.mean(sample), rel_tol=1e-12)
    assert math.isclose(lengths.variance, np.var(sample), rel_tol=1e-9, abs_tol=1e-9)
    assert math.isclose(lengths.standard_deviation, np.std(sample), rel_tol=1e-9, abs_tol=1e-9)
    assert lengths.histogram.tolist() == np.bincount(sample).tolist()


@given(samples, st.integers(0, 100))
def test_percentile_is_the_nearest_rank(sample, p):
    expected = np.percentile(sample, p, method="inverted_cdf")
    assert lengths_of(sample).percentile(p) == expected


@given(samples, st.integers(0, 200))
def test_one_by_one_in_any_split_gives_exactly_the_same(sample, cut):
    lengths = Lengths()
    for applied in sample[:cut]:
        lengths.add(applied)
    lengths.extend(np.array(sample[cut:], np.uint32))
    whole = lengths_of(sample[::-1])
    for name in ("count", "progressed", "total", "min", "max", "mean", "variance"):
        assert getattr(lengths, name) == getattr(whole, name)
    assert lengths.histogram.tolist() == whole.histogram.tolist()


def test_percentiles_beyond_the_ends_are_the_ends():
    lengths = lengths_of([3, 9, 5])
    assert [lengths.percentile(p) for p in (-5, 0, 100, 250)] == [3, 3, 9, 9]


def test_a_percentile_rank_is_not_pushed_up_by_rounding():
    # 0.07 * 100 is a little more than 7 in floating point, which would give rank 8.
    assert lengths_of(range(1, 101)).percentile(7) == 7
    assert lengths_of(range(1, 1001)).percentile(99.9) == 999


def test_huge_lengths_do_not_overflow():
    lengths = Lengths()
    for applied in (4_000_000, 4_000_001):
        lengths.add(applied)
    assert lengths.variance == 0.25


def test_no_playouts_have_no_percentile():
    with pytest.raises(UsageError, match="no playouts"):
        Lengths().percentile(50)
    assert math.isnan(Lengths().mean)
