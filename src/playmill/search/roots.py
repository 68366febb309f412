"""Kernels over the roots of many searches: begin, gather a batch, read the outcome, follow the game."""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.kernels import decision, points, to_move
from playmill.search.noise import dirichlet
from playmill.search.puct import gather_one, lead, plant
from playmill.search.reuse import reroot
from playmill.search.trees import EXPANDED, unowned, unowned_trees

NOISE_EVENT = np.uint64(0xFFFF_FFFF_FFFF_FF10)


@kernel
def begin(game, trees, slots, records, streams, kept):
    """Put the roots in place; a slot whose tree was kept goes on with it, under its new stream."""
    for i in range(slots.size):
        g = slots[i]
        if kept[g]:
            trees.cursors[g].stream = streams[i]
            trees.cursors[g].event = 0
        else:
            trees.states[g, 0] = records[i]
            plant(game, trees, g, streams[i])
        trees.noise[g, 0] = -1  # not drawn yet: the number of edges is known once the root is expanded
        kept[g] = False


@kernel
def gather(game, trees, slots, budgets, inflight, rule, epsilon, alpha, features, scores):
    """Fill feature rows with leaves of all games that have budget left; return how many."""
    trees, features, scores = unowned_trees(trees), unowned(features), unowned(scores)
    row = 0
    for i in range(slots.size):
        g = slots[i]
        root = trees.nodes[g, 0]
        if epsilon > 0 and root.status == EXPANDED and trees.noise[g, 0] < 0:
            dirichlet(alpha, mix_word(trees.cursors[g].stream, NOISE_EVENT), trees.noise[g, : root.edge_count])
        budget = budgets[decision(game, trees.states[g, 0])]
        row = gather_one(game, trees, g, budget, inflight, rule, epsilon, features, row, scores)
    return row


@kernel
def read(trees, slots, count, actions, policy, priors, values, visits, value):
    """Fill one row a slot from its root's edges. Without a single visit the priors stand in for the policy."""
    for i in range(slots.size):
        g = slots[i]
        root = trees.nodes[g, 0]
        total = 0
        worth = 0.0
        for j in range(root.edge_count):
            edge = trees.edges[g, root.first_edge + j]
            actions[i, j] = edge.action
            priors[i, j] = edge.prior
            visits[i, j] = edge.visits
            total += edge.visits
            worth += edge.total
            if edge.visits > 0:
                values[i, j] = edge.total / edge.visits
        for j in range(root.edge_count):
            policy[i, j] = visits[i, j] / total if total > 0 else priors[i, j]
        count[i] = root.edge_count
        value[i] = (worth + root.value) / (total + 1)


@kernel
def improve(trees, slots, softness, count, policy, priors, values, visits, value):
    """Make the policy of `read` anew: priors times exp(value / softness), and the positions' values its expectation.

    An action that nothing looked at has the value of the others, weighted by their priors, mixed with the network's own
    (Danihelka et al., Policy improvement by planning with Gumbel, 2022).
    """
    for i in range(slots.size):
        seen, mass, total = 0.0, 0.0, 0
        for j in range(count[i]):
            if visits[i, j] > 0:
                seen += priors[i, j] * values[i, j]
                mass += priors[i, j]
                total += visits[i, j]
        own = np.float64(trees.nodes[slots[i], 0].value)
        unseen = (own + total * seen / mass) / (1 + total) if mass > 0 else own
        best = unseen
        for j in range(count[i]):
            if visits[i, j] > 0:
                best = max(best, values[i, j])
        whole, expected = 0.0, 0.0
        for j in range(count[i]):
            worth = values[i, j] if visits[i, j] > 0 else unseen
            weight = priors[i, j] * math.exp((worth - best) / softness)
            policy[i, j] = weight
            whole += weight
            expected += weight * worth
        if whole > 0:
            for j in range(count[i]):
                policy[i, j] /= whole
            value[i] = expected / whole


@kernel
def points_to_come(game, records, value, opponents, scale, scores, togo):
    """Fill the movers' expected points to come: the lead that `value` promises, less the lead now, plus the opponents' own."""
    for i in range(records.size):
        points(game, records[i], scores)
        togo[i] = value[i] * scale - lead(scores, to_move(game, records[i])) + opponents[i]


@kernel
def follow(game, trees, slots, actions, records, kept, node_map, edge_map, spare):
    """Move each root to where its game went, where the tree knows that state."""
    trees = unowned_trees(trees)
    for i in range(slots.size):
        kept[slots[i]] = reroot(game, trees, slots[i], actions[i], records[i], node_map, edge_map, spare)
