"""The set that RM+ would play, made better: Cartesian search from it against answers that the others may give.

RM+ weighs whole sets that were drawn; here single orders of one are changed. Half of the answers are best answers to the greedy
sets of all, as somebody who looks one step ahead would play; the others are drawn from the strategies that RM+ has found.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.diplomacy.cartesian import NODES, climb
from playmill.diplomacy.levels import take_in_hand
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.search.noise import unit as fraction

POLISH_WIDTH = 5


@kernel
def polish(product, sets, sizes, strategies, foreseen, power, own, node_limit, stream):
    """Improve `own`, a set of a power, in `product.own`; return the nodes that took.

    `sets` is int32 [power, candidate, unit], `strategies` float64 [power, candidate], `foreseen` int32 [power, unit].
    """
    replies = product.replies.shape[0]
    for reply in range(replies):
        n = 0
        for other in range(POWER_COUNT):
            if other == power:
                continue
            row = foreseen[other]
            if 2 * reply >= replies:
                event = np.uint64(reply * POWER_COUNT + other)
                row = sets[other, drawn(strategies[other], fraction(mix_word(stream, event)))]
            for i in range(sizes[other]):
                product.replies[reply, n] = row[i]
                n += 1
        product.reply_size[0] = n
    take_in_hand(product, power, own)
    climb(product, power, sizes[power], POLISH_WIDTH, node_limit)
    return product.tally[NODES]


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
