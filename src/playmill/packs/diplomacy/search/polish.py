"""The set that RM+ would play, made better: Cartesian search from it against answers that the others may give.

RM+ weighs whole sets that were drawn; here single orders of one are changed. Half of the answers are best answers to the greedy
sets of all, as somebody who looks one step ahead would play; the others are drawn from the strategies that RM+ has found.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.packs.diplomacy.search.cartesian import climb, count_steps
from playmill.packs.diplomacy.search.levels import take_in_hand
from playmill.search.noise import uniform01 as fraction

POLISH_WIDTH = 5


def polish(memory: Any, power: int, own: np.ndarray, replies: int, node_limit: int, stream: int) -> tuple[np.ndarray, int]:
    """A set of a power made better against so many replies, and the nodes that took; `memory` is a JOINT_WORK in an array."""
    cartesian = memory["cartesian"]
    expect_strategies(memory, power, own, replies, np.uint64(stream))
    climb(cartesian, power, own.size, 0, count_steps(own.size, POLISH_WIDTH), node_limit)
    return cartesian["own"][0, : own.size].copy(), int(cartesian["nodes"][0])


@kernel
def expect_strategies(memory, power, own, replies, stream):
    """Expect the others to answer the greedy sets, or to play what is drawn from their strategies; begin with `own`."""
    joint, search = memory[0], memory[0].cartesian
    foreseen = joint.answers[min(1, joint.levels)]
    search.reply_count = replies
    for reply in range(replies):
        n = 0
        for other in range(POWER_COUNT):
            if other == power:
                continue
            row = foreseen[other]
            if 2 * reply >= replies:
                event = np.uint64(reply * POWER_COUNT + other)
                row = joint.sets[other, drawn(joint.averages[other], fraction(mix_word(stream, event)))]
            for i in range(joint.sizes[other]):
                search.replies[reply, n] = row[i]
                n += 1
        search.reply_size = n
    take_in_hand(search, power, own)


@kernel
def drawn(weights, fraction):
    """The number of the weight that a fraction of their sum, 1, falls into."""
    last = 0
    for i in range(weights.size):
        if weights[i] > 0:
            last = i
            fraction -= weights[i]
            if fraction < 0:
                break
    return last
