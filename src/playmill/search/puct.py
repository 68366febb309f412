"""PUCT in kernels, for many games in lockstep: gather leaves into one batch, then expand and back up its answers.

A simulation walks down from the root by the PUCT rule, holding a virtual loss on its way, until it meets
- a new state: it goes into the batch (or, if the tree knows that state, borrows its evaluation at once);
- a finished game: the exact result is backed up at once;
- a leaf that is already out for evaluation: a collision; the walk is undone, and the game waits for the batch.

With afterstates, a walk that takes an action for the first time ends at what the action alone made of the state; later ones
go on from there with imagined chance. What that chance did to the network's opinion is luck, and may be left out of values.

Values are seen by the mover of the node they stand at; a backup flips them where the mover changes. Ties go to the first.
"""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import ONE, mix_word
from playmill.games.kernels import afterstate, encode, has_chance, key, outcome, play, points
from playmill.search.nodes import add_node, borrow, borrow_after, child_of, edge_of, expand, place_of, settle, soften
from playmill.search.trees import (
    AFTERSTATE,
    CACHE_HITS,
    COLLISIONS,
    EVALUATIONS,
    EXPANDED,
    NEW,
    PENDING,
    SETTLED,
    SHARP,
    TERMINAL,
    TERMINALS,
)

LEAF, DONE, COLLISION = 0, 1, 2
UNTRIED = 1000.0  # more than any value, so little that priors still count beside it
AFTER = np.uint64(0xFFFF_FFFF_FFFF_FF30)  # mixed into an afterstate's key, so that no decision has the same


# ------------------------------------------------------------------ down


@kernel
def best_choice(tree, number, rule, epsilon):
    """The choice of a node with the highest PUCT score; those not taken count as the node's own value, or come first.

    At the root (number 0) the priors are mixed with noise by `epsilon`; elsewhere they are clean.
    """
    node = tree.nodes[number]
    root = rule.c_puct * math.sqrt(np.float64(node.visits))
    unseen = UNTRIED if number == 0 and rule.tries_all else np.float64(node.value)
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
            score = edge.mean + prior * root / (1 + edge.visits + edge.inflight)
        if score > best_score:
            best, best_score = node.first_choice + i, score
    return best


@kernel
def count(edge, visits, inflight):
    """Change an edge's counts. There is always one at least: who makes an edge has a leaf behind it."""
    edge.visits += visits
    edge.inflight += inflight
    edge.mean = (edge.total - edge.inflight) / (edge.visits + edge.inflight)


@kernel
def descend(game, tree, rule, epsilon, batch):
    """Walk down once; return (LEAF, node) to evaluate, or (DONE, node) backed up at once, or (COLLISION, node)."""
    number = 0
    while tree.nodes[number].status == EXPANDED:
        if tree.choices[tree.nodes[number].first_choice].edge == SHARP:
            soften(tree, number, batch.weights)
        c = best_choice(tree, number, rule, epsilon)
        e = edge_of(tree, number, c)
        count(tree.edges[e], 0, 1)
        tree.nodes[number].visits += 1
        if rule.has_afterstates and has_chance(game):
            number = step_after(game, tree, number, e, tree.choices[c].action)
        else:
            number = step(game, tree, number, e, tree.choices[c].action)
        if tree.nodes[number].status & ~AFTERSTATE == NEW and outcome(game, tree.states[number], batch.scores):
            close(game, tree, number, rule.points_scale, batch.scores)
    status = tree.nodes[number].status
    if status & PENDING and status != TERMINAL:
        undo(tree, number)
        return COLLISION, number
    if status == TERMINAL:
        tree.counters[TERMINALS] += 1
        back_up(tree, number, np.float64(tree.nodes[number].value), rule.luck)
        return DONE, number
    if borrow_after(tree, number) if tree.nodes[number].status & AFTERSTATE else borrow(tree, number):
        tree.counters[CACHE_HITS] += 1
        back_up(tree, number, np.float64(tree.nodes[number].value), rule.luck)
        return DONE, number
    tree.nodes[number].status += PENDING
    return LEAF, number


@kernel
def close(game, tree, number, points_scale, scores):
    """Give a node whose game is over its exact value: `scores` as the rules filled it, or the lead in points."""
    node = tree.nodes[number]
    node.status = TERMINAL
    if points_scale > 0:
        points(game, tree.states[number], scores)
        node.value = lead(scores, node.mover) / points_scale
    else:
        node.value = scores[node.mover]


@kernel
def lead(scores, player):
    """By how many points a player leads the best of the others."""
    best = -np.inf
    for other in range(scores.size):
        if other != player:
            best = max(best, scores[other])
    return scores[player] - best


@kernel
def step_after(game, tree, number, e, action):
    """Like `step`, but the first walk along an edge ends at its afterstate, and where that is the end all do."""
    edge = tree.edges[e]
    if edge.child < 0:
        free = tree.cursor[0].nodes
        tree.states[free] = tree.states[number]
        afterstate(game, tree.states[free], action)
        state_key = mix_word(key(game, tree.states[free]), AFTER)
        edge.child = add_node(game, tree, state_key, place_of(tree, state_key), e)
        tree.nodes[edge.child].status = AFTERSTATE
        return edge.child
    after = edge.child
    if tree.nodes[after].status != SETTLED:
        return after
    child = step(game, tree, number, e, action)
    edge.child = after
    return child


@kernel
def step(game, tree, number, e, action):
    """Play an edge from its node with imagined chance; return the child, made if it is new."""
    edge = tree.edges[e]
    if not has_chance(game) and edge.child >= 0:
        return edge.child
    cursor = tree.cursor[0]
    free = cursor.nodes
    tree.states[free] = tree.states[number]
    play(game, tree.states[free], action, mix_word(cursor.stream, cursor.event))
    cursor.event += ONE
    state_key = key(game, tree.states[free])
    place = place_of(tree, state_key)
    child = child_of(tree, e, place)
    if child < 0:
        child = add_node(game, tree, state_key, place, e)
        edge.child = child
    return child


# ------------------------------------------------------------------ up


@kernel
def back_up(tree, number, value, luck):
    """Count one simulation that ended at a node with `value`, seen by that node's mover.

    Where it went through chance, only the share `luck` of what chance did to the evaluation stays in the value.
    """
    mover = tree.nodes[number].mover
    tree.nodes[number].visits += 1
    e = tree.nodes[number].parent
    while e >= 0:
        edge = tree.edges[e]
        above = tree.nodes[edge.node]
        if luck < 1 and edge.child != number and tree.nodes[edge.child].status == SETTLED:
            gained = luck_of(tree.nodes[edge.child], tree.nodes[number])
            value -= (1 - luck) * (gained if tree.nodes[number].mover == mover else -gained)
        edge.total += value if above.mover == mover else -value
        count(edge, 1, -1)
        number = edge.node
        e = above.parent


@kernel
def luck_of(before, after):
    """What chance did to the evaluation between an afterstate and a node that it led to, seen by the latter's mover."""
    return after.value - (before.value if before.mover == after.mover else -before.value)


@kernel
def undo(tree, number):
    """Take back the virtual losses of a walk that came to nothing."""
    tree.counters[COLLISIONS] += 1
    e = tree.nodes[number].parent
    while e >= 0:
        edge = tree.edges[e]
        count(edge, 0, -1)
        tree.nodes[edge.node].visits -= 1
        e = tree.nodes[edge.node].parent


# ------------------------------------------------------------------ one game, one batch


@kernel
def gather(game, tree, budget, inflight, rule, epsilon, batch, row):
    """Walk down for game g until `inflight` leaves are out or its budget is; fill feature rows from `row` on.

    Return the row after them.
    """
    cursor = tree.cursor[0]
    cursor.row = row
    while cursor.waiting < inflight and simulations(tree) < budget:
        result, number = descend(game, tree, rule, epsilon, batch)
        if result == COLLISION:
            break
        if result == LEAF:
            tree.leaves[cursor.waiting] = number
            cursor.waiting += 1
            batch.features[row, :] = 0
            encode(game, tree.states[number], batch.features[row])
            row += 1
            if number == 0:
                break  # everything else lies below the root's own answer
    return row


@kernel
def simulations(tree):
    """How many simulations the root of game g has had or waits for: its own evaluation is not one."""
    return max(tree.nodes[0].visits - 1, 0)


@kernel
def answer(game, tree, rule, batch):
    """Expand and back up the leaves of game g that were out; a value is the sum of the heads, each times its weight.

    In points, what the players have already is added. Afterstates have a value and no choices.
    """
    cursor = tree.cursor[0]
    for i in range(cursor.waiting):
        number, row = tree.leaves[i], cursor.row + i
        value = 0.0
        for h in range(batch.heads.size):
            value += batch.heads[h] * batch.values[row, h]
        if rule.points_scale > 0:
            points(game, tree.states[number], batch.scores)
            value += lead(batch.scores, tree.nodes[number].mover) / rule.points_scale
        if tree.nodes[number].status & AFTERSTATE:
            settle(tree, number, value)
        else:
            expand(game, tree, number, batch.logits[row], value, batch.actions)
        back_up(tree, number, np.float64(tree.nodes[number].value), rule.luck)
    tree.counters[EVALUATIONS] += cursor.waiting
    cursor.waiting = 0
