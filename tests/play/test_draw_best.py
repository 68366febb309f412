"""Drawing evenly among the best: who is drawn, and how often."""

from collections import Counter

import numpy as np

from playmill.play.kernels import draw_best


def drawn(worths, words=1200):
    return Counter(draw_best(np.array(worths), np.uint64(word)) for word in range(words))


def test_the_best_is_drawn_wherever_it_stands():
    for place in range(4):
        worths = [0, 0, 0, 0]
        worths[place] = 5
        assert drawn(worths, 20) == {place: 20}


def test_of_equal_ones_each_is_as_likely():
    counts = drawn([3, 1, 3, 0, 3])
    assert set(counts) == {0, 2, 4}
    assert all(330 < count < 470 for count in counts.values())


def test_those_that_a_better_one_follows_do_not_count():
    counts = drawn([1, 1, 1, 2, 2])
    assert set(counts) == {3, 4}
    assert all(520 < count < 680 for count in counts.values())
