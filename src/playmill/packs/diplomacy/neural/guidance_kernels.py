"""What the network thinks of whole candidates: their values one by one, and how likely each is."""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.packs.diplomacy.neural.priors import FLOOR
from playmill.search.regret import PENDING, row_of


@kernel
def ask_for_candidates(memory):
    """Make those profiles pending in which one power plays a candidate and all others their first, power by power."""
    regrets = memory[0].regrets
    n = 0
    for power in range(POWER_COUNT):
        regrets.profile[power] = 0
        for action in range(regrets.counts[power]):
            regrets.pending[n] = row_of(regrets, power, action)
            n += 1
    regrets.tally[PENDING] = n


@kernel
def fill_corrections(memory, change):
    """Fill the corrections from the changes of those profiles, float64 [profile, power]: each power cares for its own."""
    joint = memory[0]
    n = 0
    for power in range(POWER_COUNT):
        for action in range(joint.regrets.counts[power]):
            joint.corrections[power, action] = change[n, power]
            n += 1


@kernel
def set_candidate_priors(memory, priors, weight):
    """Mix the network's opinion of whole candidates into the strategies that RM+ begins with; `priors` are [unit, option].

    A candidate is as likely as its orders together are; the powers' candidates are compared among themselves.
    """
    joint = memory[0]
    for power in range(POWER_COUNT):
        count, found = joint.regrets.counts[power], joint.regrets.priors[power]
        if count < 2:
            continue
        likely = np.empty(count)
        for action in range(count):
            likely[action] = log_likelihood(joint, power, joint.sets[power, action], priors)
        likely = np.exp(likely - likely.max())
        likely /= likely.sum()
        for action in range(count):
            found[action] = (1.0 - weight) * found[action] + weight * likely[action]


@kernel
def log_likelihood(joint, power, orders, priors):
    """The logarithm of a set's probability; a convoy, which comes with its army's move, counts as given."""
    work, units = joint.cartesian.work, joint.cartesian.work.units
    total, n = 0.0, 0
    for unit in range(units.count):
        if units.power[unit] != power:
            continue
        for i in range(work.sizes[unit]):
            if work.options[unit, i] == orders[n]:
                total += math.log(max(priors[unit, i], FLOOR))
                break
        n += 1
    return total
