"""PUCT in kernels, for many games in lockstep: gather leaves into one batch, then expand and back up its answers.

A simulation descends from the root by the PUCT rule, holding a virtual loss on its way, until it meets
- a new state: it goes into the batch (or, if the tree knows that state, borrows its evaluation at once);
- a finished game: the exact result is backed up at once;
- a leaf that is already out for evaluation: a collision; the descent is undone, and the game waits for the batch.

With afterstates, a descent that takes an action for the first time ends at what the action alone made of the state; others
go on from there with imagined chance. What that chance did to the network's opinion is luck, and may be left out of values.

Values are utilities, one a player, and need not add up to zero: a backup carries them all and gives each edge the entry of
the player who moves at its node. Ties go to the first.
"""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import inlined_kernel, kernel
from playmill.core.seeds import ONE, mix_word
from playmill.games.kernels import afterstate, encode, eval_key, meets_chance, outcome, play, points
from playmill.search.gumbel import best_by_gumbel
from playmill.search.memory import evaluation, set_evaluation
from playmill.search.nodes import add_node, apply_softmax, ask_logits, borrow, borrow_after, child_of, edge_of, expand, place_of
from playmill.search.trees import (
    AFTERSTATE,
    CACHE_HITS,
    COLLISIONS,
    EVALUATIONS,
    EXPANDED,
    FALLBACKS,
    KIND,
    LOGITS,
    NEW,
    PENDING,
    SETTLED,
    STAGE,
    TERMINAL,
    TERMINALS,
)

LEAF, DONE, COLLISION = 0, 1, 2
UNTRIED = 1000.0  # more than any value, so little that priors still count beside it
AFTER = np.uint64(0xFFFF_FFFF_FFFF_FF12)  # mixed into an afterstate's key, so that no decision has the same


# ------------------------------------------------------------------ down


@inlined_kernel
def best_choice(tree, number, params, epsilon):
    """The choice of a node with the highest PUCT score; those not taken count as the node's own value, or come first.

    At the root (number 0) the priors are mixed with noise by `epsilon`; elsewhere they are clean.
    """
    node = tree.nodes[number]
    root = params.c_puct * math.sqrt(np.float64(node.visits))
    unseen = UNTRIED if number == 0 and params.tries_all else np.float64(evaluation(node, node.mover))
    best, best_score = -1, -np.inf
    for i in range(node.choice_count):
        choice = tree.choices[node.first_choice + i]
        prior = choice.prior
        if number == 0 and epsilon > 0:
            prior = (1 - epsilon) * prior + epsilon * tree.noise[i]
        if choice.edge < 0:
            score = unseen + prior * root
        else:
            edge = tree.edges[choice.edge]
            score = edge.value + prior * root / (1 + edge.visits + edge.inflight)
        if score > best_score:
            best, best_score = node.first_choice + i, score
    return best


@inlined_kernel
def count(edge, visits, inflight):
    """Change an edge's counts. An edge is made only when a descent takes it, so visits + inflight >= 1."""
    edge.visits += visits
    edge.inflight += inflight
    edge.value = (edge.total - edge.inflight) / (edge.visits + edge.inflight)


@inlined_kernel
def descend(game, tree, params, epsilon, batch):
    """Walk down once; return (LEAF, node) to evaluate, or (DONE, node) backed up at once, or (COLLISION, node)."""
    number = 0
    while tree.nodes[number].status & KIND == EXPANDED:
        if tree.choices[tree.nodes[number].first_choice].edge == LOGITS:
            apply_softmax(tree, number, batch.weights)
        if params.considered > 0:
            c = best_by_gumbel(tree, number, params, epsilon > 0, batch.weights)
        else:
            c = best_choice(tree, number, params, epsilon)
        e = edge_of(tree, number, c)
        count(tree.edges[e], 0, 1)
        tree.nodes[number].visits += 1
        action = tree.choices[c].action
        if params.has_afterstates and meets_chance(game, tree.states[number], action):
            number = step_after(game, tree, number, e, action)
        else:
            number = step(game, tree, number, e, action)
        if tree.nodes[number].status & STAGE == NEW and outcome(game, tree.states[number], batch.scores):
            close(game, tree, number, params.points_scale, batch.scores)
    status = tree.nodes[number].status
    if status & PENDING and status != TERMINAL:
        undo(tree, number)
        return COLLISION, number
    if status == TERMINAL:
        tree.counters[TERMINALS] += 1
        back_up(tree, number, params.luck)
        return DONE, number
    if borrow_after(tree, number) if tree.nodes[number].status & AFTERSTATE else borrow(game, tree, number, batch.actions):
        tree.counters[CACHE_HITS] += 1
        back_up(tree, number, params.luck)
        return DONE, number
    tree.nodes[number].status += PENDING
    return LEAF, number


@inlined_kernel
def close(game, tree, number, points_scale, scores):
    """Give a node whose game is over what that is worth to each: `scores` as the rules filled it, or the lead in points."""
    tree.nodes[number].status = TERMINAL
    if points_scale > 0:
        points(game, tree.states[number], scores)
        make_leads(scores, points_scale)
    node = tree.nodes[number]
    for player in range(node.evaluation.size):
        set_evaluation(node, player, scores[player])


@kernel
def make_leads(scores, points_scale):
    """Turn points into leads over the best of the others, in units of so many points."""
    first = 0
    for player in range(1, scores.size):
        first = player if scores[player] > scores[first] else first
    best, second = scores[first], -np.inf
    for player in range(scores.size):
        if player != first:
            second = max(second, scores[player])
    for player in range(scores.size):
        scores[player] = (scores[player] - (second if player == first else best)) / points_scale


@kernel
def lead(scores, player):
    """By how many points a player leads the best of the others."""
    best = -np.inf
    for other in range(scores.size):
        if other != player:
            best = max(best, scores[other])
    return scores[player] - best


@inlined_kernel
def step_after(game, tree, number, e, action):
    """Like `step`, but the first descent along an edge ends at its afterstate; so do all where the game is over there."""
    edge = tree.edges[e]
    if edge.child < 0:
        free = tree.cursor[0].nodes
        tree.states[free] = tree.states[number]
        afterstate(game, tree.states[free], action)
        node_key = mix_word(eval_key(game, tree.states[free]), AFTER)
        edge.child = add_node(game, tree, node_key, place_of(tree, node_key), e)
        tree.nodes[edge.child].status = AFTERSTATE
        return edge.child
    after = edge.child
    if tree.nodes[after].status != SETTLED:
        return after
    child = step(game, tree, number, e, action)
    edge.child = after
    return child


@inlined_kernel
def step(game, tree, number, e, action):
    """Play an edge from its node with imagined chance; return the child, made if it is new. Without chance there is one."""
    edge = tree.edges[e]
    is_quiet = not meets_chance(game, tree.states[number], action)
    if is_quiet and edge.child >= 0:
        return edge.child
    cursor = tree.cursor[0]
    free = cursor.nodes
    tree.states[free] = tree.states[number]
    play(game, tree.states[free], action, mix_word(cursor.stream, cursor.event))
    if not is_quiet:
        cursor.event += ONE
    node_key = eval_key(game, tree.states[free])
    place = place_of(tree, node_key)
    child = child_of(game, tree, e, place, tree.states[free])
    if child < 0:
        child = add_node(game, tree, node_key, place, e)
        edge.child = child
    return child


# ------------------------------------------------------------------ up


@inlined_kernel
def back_up(tree, leaf, luck):
    """Count one simulation that ended at a node: its evaluation goes up, and each edge gets the entry of who moves there.

    Where it went through chance, only the share `luck` of what chance did to the evaluation stays.
    """
    if luck < 1:
        add_without_luck(tree, leaf, luck)
    node = tree.nodes[leaf]
    node.visits += 1
    e = node.parent
    while e >= 0:
        edge = tree.edges[e]
        above = tree.nodes[edge.node]
        edge.total += evaluation(node, above.mover) if luck >= 1 else np.float32(0)
        count(edge, 1, -1)
        e = above.parent


@kernel
def add_without_luck(tree, leaf, luck):
    """Add to each edge above a node what a simulation carries there from it, less the unwanted share of luck."""
    e = tree.nodes[leaf].parent
    while e >= 0:
        edge = tree.edges[e]
        edge.total += carried(tree, leaf, edge.node, tree.nodes[edge.node].mover, luck)
        e = tree.nodes[edge.node].parent


@kernel
def carried(tree, leaf, top, player, luck):
    """A player's value that a simulation backs up from node `leaf` to `top`, less the unwanted share of luck on the way.

    Computed anew for each edge: an array that is handed along would cost time even with all luck left in.
    """
    value, number = np.float64(evaluation(tree.nodes[leaf], player)), leaf
    while number != top:
        edge = tree.edges[tree.nodes[number].parent]
        if edge.child != number and tree.nodes[edge.child].status == SETTLED:
            value -= (1 - luck) * luck_of(tree, edge.child, number, player)
        number = edge.node
    return value


@kernel
def luck_of(tree, before, after, player):
    """A player's luck between an afterstate and a node that chance made of it: the difference of their evaluations."""
    return evaluation(tree.nodes[after], player) - evaluation(tree.nodes[before], player)


@inlined_kernel
def undo(tree, number):
    """Take back the virtual losses of a descent that met a collision."""
    tree.counters[COLLISIONS] += 1
    e = tree.nodes[number].parent
    while e >= 0:
        edge = tree.edges[e]
        count(edge, 0, -1)
        tree.nodes[edge.node].visits -= 1
        e = tree.nodes[edge.node].parent


# ------------------------------------------------------------------ one game, one batch


@inlined_kernel
def gather(game, tree, budget, inflight, params, epsilon, batch, row):
    """Walk down for game g until `inflight` leaves are out or its budget is; fill feature rows from `row` on.

    Return the row after them.
    """
    cursor = tree.cursor[0]
    cursor.row = row
    cursor.budget = budget
    while cursor.waiting < inflight and simulations(tree) < budget:
        result, number = descend(game, tree, params, epsilon, batch)
        if result == COLLISION:
            break
        if result == LEAF:
            tree.leaves[cursor.waiting] = number
            cursor.waiting += 1
            batch.features[row, :] = 0
            encode(game, tree.states[number], batch.features[row])
            if batch.asked.shape[1] > 0 and not tree.nodes[number].status & AFTERSTATE:
                ask_logits(game, tree.states[number], batch.actions, batch.asked[row])
            row += 1
            if number == 0:
                break  # everything else lies below the root's own answer
    return row


@kernel
def simulations(tree):
    """How many simulations the root of game g has had or waits for: its own evaluation is not one."""
    return max(tree.nodes[0].visits - 1, 0)


@inlined_kernel
def answer(game, tree, params, batch):
    """Expand and back up the leaves of game g that were out. Afterstates have an evaluation and no choices."""
    cursor = tree.cursor[0]
    for i in range(cursor.waiting):
        number, row = tree.leaves[i], cursor.row + i
        if not weigh(game, tree, number, params.points_scale, batch, row):
            give_up(tree, number)
        if tree.nodes[number].status & AFTERSTATE:
            tree.nodes[number].status = SETTLED
        else:
            expand(game, tree, number, batch.logits[row], batch.asked.shape[1] > 0, batch.actions)
        back_up(tree, number, params.luck)
    tree.counters[EVALUATIONS] += cursor.waiting
    cursor.waiting = 0


@inlined_kernel
def weigh(game, tree, number, points_scale, batch, row):
    """Set a node's evaluation, a utility a player, from the network's answers; return whether all are finite."""
    if points_scale > 0:
        points(game, tree.states[number], batch.scores)
        make_leads(batch.scores, points_scale)
    node = tree.nodes[number]
    players, player, is_finite = node.evaluation.size, np.int64(node.mover), True
    for place in range(players):
        utility = 0.0
        for column in range(batch.worth.shape[1]):
            utility += batch.worth[place, column] * batch.values[row, column]
        if points_scale > 0:
            utility += batch.scores[player]
        is_finite = is_finite and math.isfinite(utility)
        set_evaluation(node, player, min(max(utility, -1.0), 1.0))
        player = player + 1 if player + 1 < players else 0
    return is_finite


@kernel
def give_up(tree, number):
    """Evaluate a node as even, since the network's answer is not finite, and count a fallback."""
    tree.counters[FALLBACKS] += 1
    node = tree.nodes[number]
    for player in range(node.evaluation.size):
        set_evaluation(node, player, 0.0)
