"""The order of samples: a pure function of (seed, step), every sample once an epoch, no pattern."""

import numpy as np
import pytest

from playmill.core.errors import UsageError
from playmill.replay import SampleOrder


def blocks_of(*sizes):
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)


STARTS = blocks_of(16, 16, 5, 16, 1, 16, 16, 3)
SAMPLES = int(STARTS[-1])
KEPT = [60, 1, 8, 65, 27, 19, 3, 11]


@pytest.mark.parametrize("chapter_blocks", [1, 3, 100])
@pytest.mark.parametrize("batch_size", [1, 7, SAMPLES, 3 * SAMPLES + 2])
def test_every_sample_comes_once_an_epoch(chapter_blocks, batch_size):
    order = SampleOrder(STARTS, 5, chapter_blocks)
    steps = -(-4 * SAMPLES // batch_size)
    numbers = np.concatenate([order.numbers(step, batch_size) for step in range(steps)])
    for epoch in range(4):
        np.testing.assert_array_equal(np.sort(numbers[epoch * SAMPLES : (epoch + 1) * SAMPLES]), np.arange(SAMPLES))


def test_a_step_does_not_depend_on_what_was_asked_before():
    one, other = SampleOrder(STARTS, 5, 3), SampleOrder(STARTS, 5, 3)
    forwards = [one.numbers(step, 10) for step in range(40)]
    backwards = [other.numbers(step, 10) for step in reversed(range(40))]
    np.testing.assert_array_equal(forwards, backwards[::-1])


def test_seeds_and_epochs_differ():
    first = SampleOrder(STARTS, 5).numbers(0, SAMPLES)
    assert (first != SampleOrder(STARTS, 6).numbers(0, SAMPLES)).any()
    assert (first != SampleOrder(STARTS, 5).numbers(1, SAMPLES)).any()


def test_a_chapter_reads_only_its_blocks():
    starts = blocks_of(*[16] * 64)
    numbers = SampleOrder(starts, 1, chapter_blocks=4).numbers(3, 64)
    assert len(np.unique(numbers // 16)) == 4


def test_symmetries_are_drawn_from_seed_and_step_alone_and_all_alike():
    drawn = SampleOrder(STARTS, 5).symmetries(3, 8000, 8)
    np.testing.assert_array_equal(drawn, SampleOrder(STARTS, 5, 3).symmetries(3, 8000, 8))
    assert (drawn != SampleOrder(STARTS, 6).symmetries(3, 8000, 8)).any()
    assert (drawn != SampleOrder(STARTS, 5).symmetries(4, 8000, 8)).any()
    assert (abs(np.bincount(drawn, minlength=8) - 1000) < 150).all()
    assert not SampleOrder(STARTS, 5).symmetries(3, 50, 1).any()


def test_the_order_never_changes():
    """Another order would change every training that is killed before an update and resumed after it."""
    assert SampleOrder(STARTS, 5, 3).numbers(2, 8).tolist() == KEPT


@pytest.mark.jit
def test_places_are_uniform():
    """Each of 37 samples stands at each of 37 places about equally often: chi-squared over 37 * 37 cells."""
    n, epochs = 37, 4000
    order = SampleOrder(blocks_of(16, 16, 5), 9)
    numbers = order.numbers(0, n * epochs).reshape(epochs, n)
    counts = np.zeros((n, n))
    np.add.at(counts, (np.arange(n)[None, :].repeat(epochs, 0), numbers), 1)
    chi2 = ((counts - epochs / n) ** 2 / (epochs / n)).sum()
    freedom = (n - 1) ** 2
    assert abs(chi2 - freedom) < 5 * np.sqrt(2 * freedom)


@pytest.mark.jit
def test_neighbours_part():
    """In a shuffled epoch a sample's successor is rarely the next sample."""
    starts = blocks_of(*[128] * 200)
    numbers = SampleOrder(starts, 3).numbers(0, int(starts[-1]))
    assert (np.diff(numbers) == 1).sum() < 15
    batches = numbers[:25_600].reshape(-1, 1024)
    means = batches.mean(axis=1) / starts[-1]
    assert abs(means - 0.5).max() < 5 * np.sqrt(1 / 12 / 1024)


def test_bad_requests_are_refused():
    with pytest.raises(UsageError, match="batch size: expected a whole number above 0, got 0"):
        SampleOrder(STARTS, 1).numbers(0, 0)
    with pytest.raises(UsageError, match="seed: expected"):
        SampleOrder(STARTS, -1)
