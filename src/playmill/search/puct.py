"""PUCT in kernels, for many games in lockstep: gather leaves into one batch, then expand and back up its answers.

A simulation walks down from the root by the PUCT rule, holding a virtual loss on its way, until it meets
- a new state: it goes into the batch (or, if the tree knows that state, borrows its evaluation at once);
- a finished game: the exact result is backed up at once;
- a leaf that is already out for evaluation: a collision; the walk is undone, and the game waits for the batch.

With afterstates, a walk that takes an action for the first time ends at what the action alone made of the state; later ones
go on from there with imagined chance. What that chance did to the network's opinion is luck, and may be left out of values.

Values are seen by the mover of the node they stand at; a backup flips them where the mover changes. Ties go to the lowest edge.
"""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import ONE, mix_word
from playmill.games.kernels import afterstate, distinct, encode, has_chance, key, outcome, play, points, slots, to_move
from playmill.search.softmax import softmax
from playmill.search.trees import (
    AFTERSTATE,
    DECISION,
    EXPANDED,
    NEW,
    PENDING,
    SETTLED,
    TERMINAL,
    unowned,
    unowned_trees,
)

LEAF, DONE, COLLISION = 0, 1, 2
UNTRIED = 1000.0  # more than any value, so little that priors still count beside it
AFTER = np.uint64(0xFFFF_FFFF_FFFF_FF30)  # mixed into an afterstate's key, so that no decision has the same


# ------------------------------------------------------------------ nodes


@kernel
def plant(game, trees, g, stream):
    """Begin a new search for game g: its root is what trees.states[g, 0] holds; `stream` is what it will imagine."""
    cursor = trees.cursors[g]
    cursor.stream = stream
    cursor.event = 0
    cursor.nodes = 0
    cursor.edges = 0
    cursor.waiting = 0
    trees.table[g, :] = -1
    add_node(game, trees, g, key(game, trees.states[g, 0]), -1)


@kernel
def add_node(game, trees, g, state_key, parent):
    """Make the node for trees.states[g, next], which the caller has filled; return its number."""
    cursor = trees.cursors[g]
    number = cursor.nodes
    cursor.nodes = number + 1
    node = trees.nodes[g, number]
    node.key = state_key
    node.first_edge = -1
    node.edge_count = 0
    node.visits = 0
    node.parent = parent
    node.value = 0
    node.mover = to_move(game, trees.states[g, number])
    node.status = NEW
    node.kind = DECISION
    node.twin = enter(trees, g, state_key, number)
    return number


@kernel
def enter(trees, g, state_key, number):
    """Put a node into the table under its key; return the one that stood there before, or -1."""
    place = place_of(trees, g, state_key)
    before = trees.table[g, place]
    trees.table[g, place] = number
    return before


@kernel
def place_of(trees, g, state_key):
    """Where the key stands in the table, or the empty place where it would."""
    mask = trees.table.shape[1] - 1
    place = np.int64(mix_word(state_key, np.uint64(0)) & np.uint64(mask))
    while trees.table[g, place] >= 0 and trees.nodes[g, trees.table[g, place]].key != state_key:
        place = (place + 1) & mask
    return place


@kernel
def child_of(trees, g, edge, state_key):
    """The realised child of an edge that has this key, or -1."""
    number = trees.table[g, place_of(trees, g, state_key)]
    while number >= 0 and trees.nodes[g, number].parent != edge:
        number = trees.nodes[g, number].twin
    return number


# ------------------------------------------------------------------ down


@kernel
def best_edge(trees, g, number, rule, epsilon):
    """The edge of a node with the highest PUCT score; unvisited edges count as the node's own value, or come first.

    At the root (number 0) the priors are mixed with noise by `epsilon`; elsewhere they are clean.
    """
    node = trees.nodes[g, number]
    total = 1
    for e in range(node.first_edge, node.first_edge + node.edge_count):
        total += trees.edges[g, e].visits + trees.edges[g, e].inflight
    root = rule.c_puct * math.sqrt(total)
    unseen = UNTRIED if number == 0 and rule.tries_all else np.float64(node.value)
    best, best_score = -1, -np.inf
    for i in range(node.edge_count):
        edge = trees.edges[g, node.first_edge + i]
        prior = edge.prior
        if number == 0 and epsilon > 0:
            prior = (1 - epsilon) * prior + epsilon * trees.noise[g, i]
        n = edge.visits + edge.inflight
        if n == 0:  # most edges: spared the divisions
            score = unseen + prior * root
        else:  # each visit in flight counts as lost until its answer comes
            score = (edge.total - edge.inflight) / n + prior * root / (1 + n)
        if score > best_score:
            best, best_score = node.first_edge + i, score
    return best


@kernel
def descend(game, trees, g, rule, epsilon, scores):
    """Walk down once; return (LEAF, node) to evaluate, or (DONE, node) backed up at once, or (COLLISION, node)."""
    number = 0
    while trees.nodes[g, number].status == EXPANDED:
        e = best_edge(trees, g, number, rule, epsilon)
        trees.edges[g, e].inflight += 1
        if rule.has_afterstates and has_chance(game):
            number = step_after(game, trees, g, number, e)
        else:
            number = step(game, trees, g, number, e)
        if trees.nodes[g, number].status == NEW and outcome(game, trees.states[g, number], scores):
            close(game, trees, g, number, rule.points_scale, scores)
    status = trees.nodes[g, number].status
    if status == PENDING:
        undo(trees, g, number)
        return COLLISION, number
    if status == TERMINAL:
        trees.cursors[g].terminals += 1
        back_up(trees, g, number, np.float64(trees.nodes[g, number].value), rule.luck)
        return DONE, number
    if borrow_after(trees, g, number) if trees.nodes[g, number].kind == AFTERSTATE else borrow(trees, g, number):
        trees.cursors[g].cache_hits += 1
        back_up(trees, g, number, np.float64(trees.nodes[g, number].value), rule.luck)
        return DONE, number
    trees.nodes[g, number].status = PENDING
    return LEAF, number


@kernel
def close(game, trees, g, number, points_scale, scores):
    """Give a node whose game is over its exact value: `scores` as the rules filled it, or the lead in points."""
    node = trees.nodes[g, number]
    node.status = TERMINAL
    if points_scale > 0:
        points(game, trees.states[g, number], scores)
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
def step_after(game, trees, g, number, e):
    """Like `step`, but the first walk along an edge ends at its afterstate, and where that is the end all do."""
    edge = trees.edges[g, e]
    if edge.child < 0:
        free = trees.cursors[g].nodes
        trees.states[g, free] = trees.states[g, number]
        afterstate(game, trees.states[g, free], edge.action)
        edge.child = add_node(game, trees, g, mix_word(key(game, trees.states[g, free]), AFTER), e)
        trees.nodes[g, edge.child].kind = AFTERSTATE
        return edge.child
    after = edge.child
    if trees.nodes[g, after].status != SETTLED:
        return after
    child = step(game, trees, g, number, e)
    edge.child = after
    return child


@kernel
def step(game, trees, g, number, e):
    """Play an edge from its node with imagined chance; return the child, made if it is new."""
    edge = trees.edges[g, e]
    if not has_chance(game) and edge.child >= 0:
        return edge.child
    cursor = trees.cursors[g]
    free = cursor.nodes
    trees.states[g, free] = trees.states[g, number]
    play(game, trees.states[g, free], edge.action, mix_word(cursor.stream, cursor.event))
    cursor.event += ONE
    state_key = key(game, trees.states[g, free])
    child = child_of(trees, g, e, state_key)
    if child < 0:
        child = add_node(game, trees, g, state_key, e)
        edge.child = child
    return child


@kernel
def borrow(trees, g, number):
    """Expand a node like an evaluated one with the same state, if there is one; return whether there was."""
    node = trees.nodes[g, number]
    twin = node.twin
    while twin >= 0 and trees.nodes[g, twin].status != EXPANDED:
        twin = trees.nodes[g, twin].twin
    if twin < 0:
        return False
    like = trees.nodes[g, twin]
    first = new_edges(trees, g, number, like.edge_count)
    for i in range(like.edge_count):
        trees.edges[g, first + i].action = trees.edges[g, like.first_edge + i].action
        trees.edges[g, first + i].prior = trees.edges[g, like.first_edge + i].prior
    node.value = like.value
    return True


@kernel
def borrow_after(trees, g, number):
    """Settle an afterstate like one with the same state, if there is one; return whether there was."""
    node = trees.nodes[g, number]
    twin = node.twin
    while twin >= 0 and trees.nodes[g, twin].status != SETTLED:
        twin = trees.nodes[g, twin].twin
    if twin < 0:
        return False
    node.value = trees.nodes[g, twin].value
    node.status = SETTLED
    return True


@kernel
def new_edges(trees, g, number, count):
    """Give a node `count` blank edges and the status of an expanded one; return the first."""
    cursor = trees.cursors[g]
    first = cursor.edges
    cursor.edges = first + count
    node = trees.nodes[g, number]
    node.first_edge = first
    node.edge_count = count
    node.status = EXPANDED
    for e in range(first, first + count):
        edge = trees.edges[g, e]
        edge.visits = 0
        edge.inflight = 0
        edge.total = 0
        edge.node = number
        edge.child = -1
    return first


# ------------------------------------------------------------------ up


@kernel
def back_up(trees, g, number, value, luck):
    """Count one simulation that ended at a node with `value`, seen by that node's mover.

    Where it went through chance, only the share `luck` of what chance did to the evaluation stays in the value.
    """
    mover = trees.nodes[g, number].mover
    trees.nodes[g, number].visits += 1
    e = trees.nodes[g, number].parent
    while e >= 0:
        edge = trees.edges[g, e]
        above = trees.nodes[g, edge.node]
        if luck < 1 and edge.child != number and trees.nodes[g, edge.child].kind == AFTERSTATE:
            gained = luck_of(trees.nodes[g, edge.child], trees.nodes[g, number])
            value -= (1 - luck) * (gained if trees.nodes[g, number].mover == mover else -gained)
        edge.visits += 1
        edge.inflight -= 1
        edge.total += value if above.mover == mover else -value
        above.visits += 1
        number = edge.node
        e = above.parent


@kernel
def luck_of(before, after):
    """What chance did to the evaluation between an afterstate and a node that it led to, seen by the latter's mover."""
    return after.value - (before.value if before.mover == after.mover else -before.value)


@kernel
def undo(trees, g, number):
    """Take back the virtual losses of a walk that came to nothing."""
    trees.cursors[g].collisions += 1
    e = trees.nodes[g, number].parent
    while e >= 0:
        edge = trees.edges[g, e]
        edge.inflight -= 1
        e = trees.nodes[g, edge.node].parent


@kernel
def expand(game, trees, g, number, logits, value, actions, weights):
    """Give an evaluated node its edges: priors are the softmax of the logits over the actions that differ."""
    count = distinct(game, trees.states[g, number], actions)
    for i in range(count):
        one, two = slots(game, trees.states[g, number], actions[i])
        weights[i] = logits[one] + (logits[two] if two >= 0 else np.float32(0))
    if not softmax(weights, count):
        trees.cursors[g].fallbacks += 1
    first = new_edges(trees, g, number, count)
    for i in range(count):
        trees.edges[g, first + i].action = actions[i]
        trees.edges[g, first + i].prior = weights[i]
    if not math.isfinite(value):
        trees.cursors[g].fallbacks += 1
        value = 0.0
    trees.nodes[g, number].value = min(max(value, -1.0), 1.0)


# ------------------------------------------------------------------ many games


@kernel
def simulations(trees, g):
    """How many simulations the root of game g has had: its own evaluation is not one."""
    return max(trees.nodes[g, 0].visits - 1, 0)


@kernel
def gather_one(game, trees, g, budget, inflight, rule, epsilon, features, row, scores):
    """Walk down for game g until `inflight` leaves are out or its budget is; fill feature rows from `row` on.

    Return the row after them.
    """
    cursor = trees.cursors[g]
    while cursor.waiting < inflight and simulations(trees, g) + cursor.waiting < budget:
        result, number = descend(game, trees, g, rule, epsilon, scores)
        if result == COLLISION:
            break
        if result == LEAF:
            trees.leaves[row, 0] = g
            trees.leaves[row, 1] = number
            features[row, :] = 0
            encode(game, trees.states[g, number], features[row])
            cursor.waiting += 1
            row += 1
            if number == 0:
                break  # everything else lies below the root's own answer
    return row


@kernel
def answer(game, trees, rows, logits, values, heads, rule, actions, weights, scores):
    """Expand and back up the first `rows` leaves; a value is the sum of the value heads weighted by `heads`.

    In points, what the players have already is added. Afterstates have a value and no edges.
    """
    trees, logits = unowned_trees(trees), unowned(logits)
    actions, weights = unowned(actions), unowned(weights)
    for row in range(rows):
        g, number = trees.leaves[row, 0], trees.leaves[row, 1]
        value = 0.0
        for h in range(heads.size):
            value += heads[h] * values[row, h]
        if rule.points_scale > 0:
            points(game, trees.states[g, number], scores)
            value += lead(scores, trees.nodes[g, number].mover) / rule.points_scale
        if trees.nodes[g, number].kind == AFTERSTATE:
            settle(trees, g, number, value)
        else:
            expand(game, trees, g, number, logits[row], value, actions, weights)
        back_up(trees, g, number, np.float64(trees.nodes[g, number].value), rule.luck)
        trees.cursors[g].waiting -= 1
        trees.cursors[g].evaluations += 1


@kernel
def settle(trees, g, number, value):
    """Give an evaluated afterstate its value."""
    node = trees.nodes[g, number]
    node.status = SETTLED
    if not math.isfinite(value):
        trees.cursors[g].fallbacks += 1
        value = 0.0
    node.value = min(max(value, -1.0), 1.0)


@kernel
def encode_all(game, records, features):
    """Fill one row of features a record."""
    for i in range(records.size):
        features[i, :] = 0
        encode(game, records[i], features[i])
