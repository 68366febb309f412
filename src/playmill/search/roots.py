"""Kernels over the roots of many searches: begin, take in and fill a batch, read the outcome, follow the game."""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.kernels import decision, points
from playmill.search.gumbel import fill_gumbel, sharpness
from playmill.search.nodes import plant
from playmill.search.noise import dirichlet
from playmill.search.puct import answer, gather, lead
from playmill.search.reuse import reroot
from playmill.search.trees import EXPANDED, tree_of, unowned_batch, unowned_trees

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
            plant(game, tree_of(trees, g), streams[i])
        trees.noise[g, 0] = np.nan  # not drawn yet: the number of choices is known once the root is expanded
        kept[g] = False


@kernel
def advance(game, trees, slots, budgets, inflight, rule, epsilon, alpha, batch):
    """Take in the batch's answers and fill it anew with leaves of all games that have budget left; return how many.

    One game after the other does both: its tree comes into the cache once.
    """
    trees, batch = unowned_trees(trees), unowned_batch(batch)
    row = 0
    for i in range(slots.size):
        g = slots[i]
        tree = tree_of(trees, g)
        answer(game, tree, rule, batch)
        root = trees.nodes[g, 0]
        if epsilon > 0 and root.status == EXPANDED and np.isnan(trees.noise[g, 0]):
            draw_noise(rule, alpha, mix_word(trees.cursors[g].stream, NOISE_EVENT), trees.noise[g, : root.choice_count])
        budget = budgets[decision(game, trees.states[g, 0])]
        row = gather(game, tree, budget, inflight, rule, epsilon, batch, row)
    return row


@kernel
def draw_noise(rule, alpha, stream, out):
    """Fill the noise of a root's choices: Gumbel's, or Dirichlet's."""
    if rule.considered > 0:
        fill_gumbel(stream, out)
    else:
        dirichlet(alpha, stream, out)


@kernel
def read(trees, slots, count, actions, policy, priors, values, visits, value, mover):
    """Fill one row a slot from its root's choices. Without a single visit the priors stand in for the policy."""
    for i in range(slots.size):
        g = slots[i]
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
        value[i, root.mover] = (worth + trees.nodes[g, 0].evaluation[root.mover]) / (total + 1)


@kernel
def soften_by_visits(rule, count, visits, softness):
    """Fill the softness that makes `improve` what Gumbel search has as its policy."""
    for i in range(count.size):
        softness[i] = 1 / sharpness(rule, visits[i, : count[i]].max())


@kernel
def improve(trees, slots, softness, count, policy, priors, values, visits, value, mover):
    """Make the policy of `read` anew: priors times exp(value / softness[i]), and the positions' values its expectation.

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
        own = np.float64(trees.nodes[slots[i], 0].evaluation[mover[i]])
        unseen = (own + total * seen / mass) / (1 + total) if mass > 0 else own
        best = unseen
        for j in range(count[i]):
            if visits[i, j] > 0:
                best = max(best, values[i, j])
        whole, expected = 0.0, 0.0
        for j in range(count[i]):
            worth = values[i, j] if visits[i, j] > 0 else unseen
            weight = priors[i, j] * math.exp((worth - best) / softness[i])
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
def follow(game, trees, slots, actions, records, kept, node_map, edge_map, spare):
    """Move each root to where its game went, where the tree knows that state."""
    trees = unowned_trees(trees)
    for i in range(slots.size):
        kept[slots[i]] = reroot(game, tree_of(trees, slots[i]), actions[i], records[i], node_map, edge_map, spare)
