"""Five dice as tables: the 252 hands, what each scores in each category, and how to find a hand from its dice."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np

CATEGORIES = (
    "ones", "twos", "threes", "fours", "fives", "sixes", "pair", "two_pairs", "three_kind", "four_kind",
    "small_straight", "large_straight", "house", "chance", "yatzy",
)  # fmt: skip
CATEGORY_COUNT = len(CATEGORIES)
UPPER_COUNT = 6
DICE, FACES = 5, 6
UPPER_GOAL, UPPER_BONUS = 63, 50


def score(dice: tuple[int, ...], category: int) -> int:
    """What five dice, in any order, score in a category; the upper bonus is not part of it."""
    counts = [dice.count(face) for face in range(1, FACES + 1)]
    return _SCORERS[category](counts)


def _of_a_kind(counts: list[int], size: int) -> int:
    """The highest face that stands at least `size` times scores `size` dice of it."""
    return max((size * (i + 1) for i, n in enumerate(counts) if n >= size), default=0)


def _two_pairs(counts: list[int]) -> int:
    faces = [i + 1 for i, n in enumerate(counts) if n >= 2]
    return 2 * sum(faces) if len(faces) == 2 else 0


def _house(counts: list[int]) -> int:
    return _pips(counts) if sorted(counts)[-2:] == [2, 3] else 0


def _pips(counts: list[int]) -> int:
    return sum((i + 1) * n for i, n in enumerate(counts))


def _upper(face: int) -> Callable[[list[int]], int]:
    return lambda counts: face * counts[face - 1]


_SCORERS: list[Callable[[list[int]], int]] = [
    *(_upper(face) for face in range(1, FACES + 1)),
    lambda counts: _of_a_kind(counts, 2),
    _two_pairs,
    lambda counts: _of_a_kind(counts, 3),
    lambda counts: _of_a_kind(counts, 4),
    lambda counts: 15 if counts == [1, 1, 1, 1, 1, 0] else 0,
    lambda counts: 20 if counts == [0, 1, 1, 1, 1, 1] else 0,
    _house,
    _pips,
    lambda counts: 50 if 5 in counts else 0,
]

HANDS: tuple[tuple[int, ...], ...] = tuple(combinations_with_replacement(range(1, FACES + 1), DICE))
SCORES = np.array([[score(hand, c) for c in range(CATEGORY_COUNT)] for hand in HANDS], np.int16)

# Sorted dice as a number in base 6, first die highest; HAND_OF turns it into the hand's index, -1 if not sorted.
HAND_OF = np.full(FACES**DICE, -1, np.int16)
for _index, _hand in enumerate(HANDS):
    HAND_OF[int("".join(str(die - 1) for die in _hand), FACES)] = _index
HAND_OF.setflags(write=False)
SCORES.setflags(write=False)
