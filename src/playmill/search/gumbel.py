"""Gumbel search: sequential halving at the root, completed values below it (Danihelka et al., Policy improvement by planning
with Gumbel, 2022).

PUCT's visit counts are a poor teacher when there are more actions than simulations. Here the root draws a few actions without
replacement, by Gumbel noise on top of their logits, gives them equal numbers of simulations, and keeps the better half again
and again. What is learned is the prior improved by the values, those of actions that nothing looked at completed by what is
known of the others.
"""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import inlined_kernel, kernel
from playmill.core.seeds import mix_word
from playmill.search.memory import evaluation
from playmill.search.noise import uniform01
from playmill.search.softmax import softmax

LEAST_PRIOR = 1e-30  # whose logarithm is still a number


@kernel
def fill_gumbel(stream, out):
    """Fill `out` with standard Gumbel numbers, from words of a stream of their own."""
    for i in range(out.size):
        out[i] = -math.log(-math.log(uniform01(mix_word(stream, np.uint64(i)))))


@kernel
def needed_visits(considered, budget, simulation):
    """How many visits an action must have to be looked at by simulation number `simulation` of a root.

    Sequential halving: in each of about log2(considered) phases the actions still considered get equally many visits, at
    least one; then half of them are left, but never fewer than two.
    """
    if considered <= 1:
        return simulation
    phases = 0
    while 1 << phases < considered:
        phases += 1
    begin, visits, left = 0, 0, considered
    while True:
        more = max(1, budget // (phases * left))
        if simulation < begin + more * left:
            return visits + (simulation - begin) // left
        begin += more * left
        visits += more
        left = max(2, left // 2)


@kernel
def sharpness(params, most_visits):
    """What a value in -1..1 is worth in a logit: the more visits stand behind values, the more they count."""
    return 0.5 * params.c_scale * (params.c_visit + most_visits)


@inlined_kernel
def best_by_gumbel(tree, number, params, has_noise, weights):
    """The choice of a node that the next simulation takes.

    At the root (number 0) the best of those whose turn it is; below it the one whose visits lag most behind the improved
    policy.
    """
    node = tree.nodes[number]
    first, count = np.int64(node.first_choice), np.int64(node.choice_count)
    taken = score_choices(tree, number, params, weights)
    best, best_score = -1, -np.inf
    if number == 0:
        needed = needed_visits(min(params.considered, count), tree.cursor[0].budget, node.visits - 1)
        for i in range(count):
            score = weights[i] + (tree.noise[i] if has_noise else np.float32(0))
            if visits_of(tree, first + i) == needed and score > best_score:
                best, best_score = i, score
    else:
        softmax(weights, count)
        for i in range(count):
            score = weights[i] - visits_of(tree, first + i) / (1 + taken)
            if score > best_score:
                best, best_score = i, score
    return first + best


@inlined_kernel
def score_choices(tree, number, params, weights):
    """Fill weights[i] with log prior plus completed value, made a logit; return all visits, those in flight too."""
    node = tree.nodes[number]
    first, count = np.int64(node.first_choice), np.int64(node.choice_count)
    seen, mass, total, most, taken = 0.0, 0.0, 0, 0, 0
    for i in range(count):
        choice = tree.choices[first + i]
        taken += visits_of(tree, first + i)
        if choice.edge >= 0 and tree.edges[choice.edge].visits > 0:
            edge = tree.edges[choice.edge]
            seen += choice.prior * edge.total / edge.visits
            mass += choice.prior
            total += edge.visits
            most = max(most, edge.visits)
    own = np.float64(evaluation(node, node.mover))
    unseen = (own + total * seen / mass) / (1 + total) if mass > 0 else own
    scale = sharpness(params, most)
    for i in range(count):
        choice = tree.choices[first + i]
        value = unseen
        if choice.edge >= 0 and tree.edges[choice.edge].visits > 0:
            value = tree.edges[choice.edge].total / tree.edges[choice.edge].visits
        weights[i] = math.log(max(np.float64(choice.prior), LEAST_PRIOR)) + scale * value
    return taken


@inlined_kernel
def visits_of(tree, c):
    """The visits of a choice, those in flight included."""
    e = tree.choices[c].edge
    return tree.edges[e].visits + tree.edges[e].inflight if e >= 0 else 0
