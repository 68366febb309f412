"""What a roll can make of the dice that are kept, and how likely."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.yatzy.hands import DICE, FACES, HANDS

HAND_DICE = np.array(HANDS, np.int8)
HAND_DICE.setflags(write=False)


@kernel
def roll_chance(dice, keep, hand):
    """How likely it is that sorted `dice` become the sorted `hand` when those that the mask `keep` does not hold are rolled.

    Walking up the hand, a kept die takes the first place of its face; the others were rolled, in any order.
    """
    kept = next_kept(keep, 0)
    rolled, same, ways, rolls = 0, 0, 1, 1
    last = 0
    for i in range(DICE):
        die = np.int64(hand[i])
        if kept < DICE and dice[kept] == die:
            kept = next_kept(keep, kept + 1)
            continue
        rolled += 1
        same = same + 1 if die == last else 1
        last = die
        ways = ways * rolled // same  # the multinomial coefficient, die by die
        rolls *= FACES
    return ways / rolls if kept == DICE else 0.0


@kernel
def next_kept(keep, i):
    """The first die from i on that the mask holds; DICE if there is none."""
    while i < DICE and not keep >> (DICE - 1 - i) & 1:
        i += 1
    return i
