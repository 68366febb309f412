"""The network's opinion about orders as scores for the search: mixed with the heuristic's, and noisy in self-play.

A unit's prior is the softmax of the network's scores over the unit's options. The search draws its candidates by the softmax of
scores over its temperature; `temperature * log(prior)` is thus a score by which orders are drawn as often as the network says.
"""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.packs.diplomacy.neural.logit_ids import score_order
from playmill.search.noise import dirichlet

FLOOR = 1e-4  # the least prior: below, an order is not tried anyway, and its logarithm would drown the heuristic's score


@kernel
def fill_priors(answer, work, priors):
    """Fill `priors` [unit, option] for all units' options from one answer, float [LOGITS]; a unit's sum to 1."""
    units = work.units
    for unit in range(units.count):
        highest = -np.inf
        for i in range(work.sizes[unit]):
            priors[unit, i] = score_order(answer, work.options[unit, i], units.province[unit])
            highest = max(highest, priors[unit, i])
        total = 0.0
        for i in range(work.sizes[unit]):
            priors[unit, i] = math.exp(priors[unit, i] - highest)
            total += priors[unit, i]
        for i in range(work.sizes[unit]):
            priors[unit, i] /= total


@kernel
def add_noise(work, priors, alpha, share, stream, noise):
    """Mix a Dirichlet draw into every unit's priors; `noise` is float64, as long as a unit may have options."""
    for unit in range(work.units.count):
        size = work.sizes[unit]
        dirichlet(alpha, mix_word(stream, np.uint64(unit)), noise[:size])
        for i in range(size):
            priors[unit, i] = (1.0 - share) * priors[unit, i] + share * noise[i]


@kernel
def mix_scores(work, priors, weight, temperature):
    """Blend the heuristic scores with the priors'; `weight` 1 is the network alone."""
    for unit in range(work.units.count):
        for i in range(work.sizes[unit]):
            learnt = temperature * math.log(max(priors[unit, i], FLOOR))
            work.scores[unit, i] = (1.0 - weight) * work.scores[unit, i] + weight * learnt
