"""Kernels over the roots of many searches: begin, take in and fill a batch, read the outcome, follow the game."""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.kernels import decision, points
from playmill.search.gumbel import fill_gumbel, sharpness
from playmill.search.memory import evaluation
from playmill.search.nodes import start_tree
from playmill.search.noise import dirichlet
from playmill.search.puct import answer, gather, lead
from playmill.search.reuse import reroot
from playmill.search.trees import EXPANDED, KIND, prefetch_tree, tree_of, unowned_batch, unowned_trees

NOISE_EVENT = np.uint64(0xFFFF_FFFF_FFFF_FF10)


@kernel
def begin(game, trees, lanes, records, streams, kept):
    """Put the roots in place; a lane whose tree was kept goes on with it, under its new stream."""
    for i in range(lanes.size):
        g = lanes[i]
        if kept[g]:
            trees.cursors[g].stream = streams[i]
            trees.cursors[g].event = 0
        else:
            trees.states[g, 0] = records[i]
            start_tree(game, tree_of(trees, g), streams[i])
        trees.noise[g, 0] = np.nan  # not drawn yet: the number of choices is known once the root is expanded
        kept[g] = False


@kernel
def advance(game, trees, lanes, budgets, inflight, params, epsilon, alpha, batch):
    """Take in the batch's answers and fill it anew with leaves of all games that have budget left; return how many.

    One game after the other does both: its tree comes into the cache once, while the game before it is at work.
    """
    trees, batch = unowned_trees(trees), unowned_batch(batch)
    row = 0
    for i in range(lanes.size):
        g = lanes[i]
        tree = tree_of(trees, g)
        if i + 1 < lanes.size:
            prefetch_tree(tree_of(trees, lanes[i + 1]))
        answer(game, tree, params, batch)
        root = trees.nodes[g, 0]
        if epsilon > 0 and root.status & KIND == EXPANDED and np.isnan(trees.noise[g, 0]):
            draw_noise(params, alpha, mix_word(trees.cursors[g].stream, NOISE_EVENT), trees.noise[g, : root.choice_count])
        budget = budgets[decision(game, trees.states[g, 0])]
        row = gather(game, tree, budget, inflight, params, epsilon, batch, row)
    return row


@kernel
def draw_noise(params, alpha, stream, out):
    """Fill the noise of a root's choices: Gumbel's, or Dirichlet's."""
    if params.considered > 0:
        fill_gumbel(stream, out)
    else:
        dirichlet(alpha, stream, out)


@kernel
def read(trees, lanes, count, actions, policy, priors, values, visits, value, mover):
    """Fill one row a lane from its root's choices. Without a single visit the priors stand in for the policy."""
    for i in range(lanes.size):
        g = lanes[i]
        root = trees.nodes[g, 0]
        total = 0
        worth = 0.0
        for j in range(root.choice_count):
            choice = trees.choices[g, root.first_choice + j]
            actions[i, j] = choice.action
            priors[i, j] = choice.prior
            if choice.edge >= 0:
                edge = trees.edges[g, choice.edge]
                visits[i, j] = edge.visits
                total += edge.visits
                worth += edge.total
                if edge.visits > 0:
                    values[i, j] = edge.total / edge.visits
        for j in range(root.choice_count):
            policy[i, j] = visits[i, j] / total if total > 0 else priors[i, j]
        count[i] = root.choice_count
        mover[i] = root.mover
        value[i, root.mover] = (worth + evaluation(root, root.mover)) / (total + 1)


@kernel
def temperature_by_visits(params, count, visits, temperature):
    """Fill the temperature that makes `improve` what Gumbel search has as its policy."""
    for i in range(count.size):
        temperature[i] = 1 / sharpness(params, visits[i, : count[i]].max())


@kernel
def improve(trees, lanes, temperature, count, policy, priors, values, visits, value, mover):
    """Make the policy of `read` anew: priors times exp(value / temperature[i]), and the positions' values its expectation.

    An action that nothing looked at has the value of the others, weighted by their priors, mixed with the network's own
    (Danihelka et al., Policy improvement by planning with Gumbel, 2022).
    """
    for i in range(lanes.size):
        seen, mass, total = 0.0, 0.0, 0
        for j in range(count[i]):
            if visits[i, j] > 0:
                seen += priors[i, j] * values[i, j]
                mass += priors[i, j]
                total += visits[i, j]
        own = np.float64(evaluation(trees.nodes[lanes[i], 0], mover[i]))
        unseen = (own + total * seen / mass) / (1 + total) if mass > 0 else own
        best = unseen
        for j in range(count[i]):
            if visits[i, j] > 0:
                best = max(best, values[i, j])
        whole, expected = 0.0, 0.0
        for j in range(count[i]):
            worth = values[i, j] if visits[i, j] > 0 else unseen
            weight = priors[i, j] * math.exp((worth - best) / temperature[i])
            policy[i, j] = weight
            whole += weight
            expected += weight * worth
        if whole > 0:
            for j in range(count[i]):
                policy[i, j] /= whole
            value[i, mover[i]] = expected / whole


@kernel
def points_to_come(game, records, value, mover, opponents, scale, scores, togo):
    """Fill the movers' expected points to come: the lead that `value` promises, less the lead now, plus the opponents' own."""
    for i in range(records.size):
        points(game, records[i], scores)
        togo[i] = value[i, mover[i]] * scale - lead(scores, mover[i]) + opponents[i]


@kernel
def follow(game, trees, lanes, actions, records, kept, node_map, edge_map, spare):
    """Move each root to where its game went, where the tree knows that state."""
    trees = unowned_trees(trees)
    for i in range(lanes.size):
        kept[lanes[i]] = reroot(game, tree_of(trees, lanes[i]), actions[i], records[i], node_map, edge_map, spare)
