"""Random words: the published SplitMix64 sequence, and two twins that never disagree."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from playmill.core import seeds
from playmill.core.seeds import below, below_word, mix, mix_word

words = st.integers(0, 2**64 - 1)


def test_words_are_the_published_splitmix64_sequence():
    # The reference values of https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64 for seed 1234567.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert [mix(1234567, event) for event in range(5)] == published
    assert [int(mix_word(np.uint64(1234567), np.uint64(event))) for event in range(5)] == published


@settings(deadline=None)
@given(words, words)
@example(0, 2**64 - 1)
@example(2**64 - 1, 2**64 - 1)
@example(2**63, seeds.START)
def test_both_twins_mix_alike(seed, event):
    assert int(mix_word(np.uint64(seed), np.uint64(event))) == mix(seed, event)


@settings(deadline=None)
@given(words, st.integers(1, 2**31 - 1))
@example(2**64 - 1, 2**31 - 1)
@example(0, 1)
def test_both_twins_choose_alike_and_in_range(word, n):
    assert int(below_word(np.uint64(word), n)) == below(word, n)
    assert 0 <= below(word, n) < n


def test_choices_are_even():
    counts = Counter(below(mix(99, event), 7) for event in range(70_000))
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 22.5  # 1 in 1000 with 6 degrees of freedom


def test_streams_of_neighbouring_seeds_have_nothing_in_common():
    heads = [mix(seed, event) for seed in range(100) for event in range(100)]
    assert len(set(heads)) == len(heads)


@pytest.mark.parametrize("name", ["START", "CHOICES", "SEARCH"])
def test_special_streams_are_far_from_any_event_of_a_game(name):
    assert getattr(seeds, name) >= 2**64 - 256
