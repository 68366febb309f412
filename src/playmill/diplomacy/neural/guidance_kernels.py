"""Candidates valued one by one, and RM+ with what the network thinks of them added in."""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel
from playmill.diplomacy.lookahead import look_ahead, value_of
from playmill.diplomacy.neural.priors import FLOOR
from playmill.diplomacy.regret import PENDING, action_in, close_iteration, open_iteration
from playmill.diplomacy.rm_plus import is_used_up, play_row
from playmill.games.diplomacy.geography import POWER_COUNT


@kernel
def fill_profiles(joint, out):
    """Fill the positions that follow if one power plays a candidate and all others their first; return how many.

    They stand power by power, candidate by candidate.
    """
    n = 0
    for power in range(POWER_COUNT):
        for action in range(joint.regrets.counts[power]):
            play_candidate(joint, power, action)
            out[n] = joint.leaves[0]
            n += 1
    return n


@kernel
def play_candidate(joint, power, action):
    """Carry out a power's candidate against the others' first ones; `leaves[0]` becomes what follows."""
    n = 0
    for other in range(POWER_COUNT):
        orders = joint.sets[other, action if other == power else 0]
        for i in range(joint.sizes[other]):
            joint.ahead.orders[n] = orders[i]
            n += 1
    joint.leaves[0] = joint.root[0]
    look_ahead(joint.leaves[0], n, joint.ahead)


@kernel
def fill_corrections(joint, change, out):
    """Fill [power, candidate] from the changes of the profiles [profile, power]: each power cares for its own."""
    n = 0
    for power in range(POWER_COUNT):
        for action in range(joint.regrets.counts[power]):
            out[power, action] = change[n, power]
            n += 1


@kernel
def iterate_corrected(joint, stream, iterations, nodes, corrections):
    """`rm_plus.iterate`, with a correction added to every power's value by the candidate that it plays."""
    regrets = joint.regrets
    for _ in range(iterations):
        if is_used_up(joint, nodes):
            return
        open_iteration(regrets, stream)
        for i in range(regrets.tally[PENDING]):
            row = regrets.pending[i]
            play_row(joint, row, 0)
            value_of(joint.leaves[0], joint.ahead, regrets.rows[row])
            for power in range(POWER_COUNT):
                if regrets.counts[power] > 0:
                    regrets.rows[row, power] += corrections[power, action_in(regrets, row, power)]
        close_iteration(regrets)


@kernel
def set_candidate_priors(joint, priors, weight):
    """Mix the network's opinion of whole candidates into the strategies that RM+ begins with; `priors` are [unit, option].

    A candidate is as likely as its orders together are; the powers' candidates are compared among themselves.
    """
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
    plan, units = joint.plan, joint.plan.units[0]
    total, n = 0.0, 0
    for unit in range(units.count):
        if units.power[unit] != power:
            continue
        for i in range(plan.sizes[unit]):
            if plan.options[unit, i] == orders[n]:
                total += math.log(max(priors[unit, i], FLOOR))
                break
        n += 1
    return total
