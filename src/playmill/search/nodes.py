"""The nodes of a tree: made, found again by their key, given choices and values, or lent those of their like."""

from __future__ import annotations

import numpy as np

from playmill.core.evaluation import LIST_END
from playmill.core.jit import inlined_kernel, kernel
from playmill.core.seeds import mix_word
from playmill.games.kernels import distinct, eval_key, has_eval_key, key, logit_ids, to_move
from playmill.search.memory import evaluation, set_evaluation
from playmill.search.softmax import softmax
from playmill.search.trees import EVEN, EXPANDED, FALLBACKS, KIND, LOGITS, NEW, NONE, SETTLED


@kernel
def start_tree(game, tree, stream):
    """Begin a new search for game g: its root is what tree.states[0] holds; `stream` is what it will imagine."""
    cursor = tree.cursor[0]
    cursor.stream = stream
    cursor.event = 0
    cursor.nodes = 0
    cursor.edges = 0
    cursor.choices = 0
    cursor.waiting = 0
    tree.table[:] = -1
    node_key = eval_key(game, tree.states[0])
    add_node(game, tree, node_key, place_of(tree, node_key), -1)


@inlined_kernel
def add_node(game, tree, node_key, place, parent):
    """Make the node for tree.states[next], which the caller has filled; return its number. `place`: of its key."""
    cursor = tree.cursor[0]
    number = cursor.nodes
    cursor.nodes = number + 1
    node = tree.nodes[number]
    node.key = node_key
    node.first_choice = -1
    node.choice_count = 0
    node.visits = 0
    node.parent = parent
    node.mover = to_move(game, tree.states[number])
    node.status = NEW
    node.next_same_key = tree.table[place]
    tree.table[place] = number
    return number


@inlined_kernel
def place_of(tree, node_key):
    """Where the key stands in the table, or the empty place where it would."""
    mask = tree.table.size - 1
    place = np.int64(mix_word(node_key, np.uint64(0)) & np.uint64(mask))
    while tree.table[place] >= 0 and tree.nodes[tree.table[place]].key != node_key:
        place = (place + 1) & mask
    return place


@inlined_kernel
def child_of(game, tree, edge, place, state):
    """The realised child of an edge that holds `state`, whose key stands at this place, or -1."""
    number = tree.table[place]
    while number >= 0 and not (tree.nodes[number].parent == edge and is_same(game, tree.states[number], state)):
        number = tree.nodes[number].next_same_key
    return number


@kernel
def is_same(game, one, other):
    """Whether two states at one place of the table are the same; without a key for evaluations that is all there is."""
    return not has_eval_key(game) or key(game, one) == key(game, other)


@inlined_kernel
def edge_of(tree, number, c):
    """The edge of a node's choice, made if it is new."""
    choice = tree.choices[c]
    if choice.edge < 0:
        cursor = tree.cursor[0]
        choice.edge = cursor.edges
        cursor.edges += 1
        edge = tree.edges[choice.edge]
        edge.total = 0
        edge.visits = 0
        edge.inflight = 0
        edge.node = number
        edge.child = -1
    return choice.edge


@inlined_kernel
def new_choices(tree, number, count):
    """Give a node room for `count` choices and the status of an expanded one; return the first."""
    cursor = tree.cursor[0]
    first = cursor.choices
    cursor.choices = first + count
    node = tree.nodes[number]
    node.first_choice = first
    node.choice_count = count
    node.status = EXPANDED
    return first


@inlined_kernel
def ask_logits(game, state, actions, asked):
    """Name the logits that `expand` will want: one or two for each action that differs, -1 for no second; then the end."""
    count = distinct(game, state, actions)
    for i in range(count):
        asked[i, 0], asked[i, 1] = logit_ids(game, state, actions[i])
    if count < len(asked):
        asked[count, 0], asked[count, 1] = 0, LIST_END


@inlined_kernel
def expand(game, tree, number, logits, were_asked, actions):
    """Give an evaluated node its choices: the actions that differ, with their logits; those `were_asked` for, in order."""
    count = distinct(game, tree.states[number], actions)
    first = new_choices(tree, number, count)
    for i in range(count):
        choice = tree.choices[first + i]
        choice.action = actions[i]
        choice.edge = NONE
        if were_asked:
            choice.prior = logits[i]
        else:
            one, two = logit_ids(game, tree.states[number], actions[i])
            choice.prior = logits[one] + (logits[two] if two >= 0 else np.float32(0))
    tree.choices[first].edge = LOGITS


@inlined_kernel
def apply_softmax(tree, number, weights):
    """Make priors of a node's logits, when a descent first passes it: most nodes are leaves that no descent ever passes."""
    node = tree.nodes[number]
    first, count = node.first_choice, node.choice_count
    for i in range(count):
        weights[i] = tree.choices[first + i].prior
    if not softmax(weights, count):
        tree.counters[FALLBACKS] += 1
        node.status |= EVEN
    for i in range(count):
        tree.choices[first + i].prior = weights[i]
    tree.choices[first].edge = NONE


@inlined_kernel
def lend(lender, node):
    """Copy the evaluation of a node that looks the same, and whether its priors were made uniform for want of finite logits."""
    node.status |= lender.status & EVEN
    for player in range(node.evaluation.size):
        set_evaluation(node, player, evaluation(lender, player))


@inlined_kernel
def borrow(game, tree, number, actions):
    """Expand a node like an evaluated one that looks the same, if there is one; return whether there was."""
    found = same_key_with(tree, number, EXPANDED)
    if has_eval_key(game):
        return borrow_some(game, tree, number, found, actions)
    if found < 0:
        return False
    like = tree.nodes[found]
    first = new_choices(tree, number, like.choice_count)
    for i in range(like.choice_count):
        choice = tree.choices[first + i]
        lender = tree.choices[like.first_choice + i]
        choice.action = lender.action
        choice.prior = lender.prior
        choice.edge = min(lender.edge, NONE)
    lend(tree.nodes[found], tree.nodes[number])
    return True


@kernel
def borrow_some(game, tree, number, found, actions):
    """Like `borrow` where nodes that look the same may have different actions: the lender must have all that are needed."""
    if found < 0:
        return False
    count = distinct(game, tree.states[number], actions)
    while found >= 0 and not offers(tree, found, actions, count):
        found = same_key_with(tree, found, EXPANDED)
    if found < 0:
        return False
    first, lender = new_choices(tree, number, count), tree.nodes[found].first_choice
    has_logits = tree.choices[lender].edge == LOGITS
    total = 0.0
    for i in range(count):
        while tree.choices[lender].action != actions[i]:
            lender += 1
        choice = tree.choices[first + i]
        choice.action = actions[i]
        choice.prior = tree.choices[lender].prior
        choice.edge = NONE
        total += choice.prior
    if has_logits:
        tree.choices[first].edge = LOGITS
    else:
        share_out(tree, first, count, total)
    lend(tree.nodes[found], tree.nodes[number])
    return True


@kernel
def offers(tree, number, actions, count):
    """Whether a node has all these actions, which ascend as its own do."""
    node = tree.nodes[number]
    at = 0
    for i in range(node.choice_count):
        if at < count and tree.choices[node.first_choice + i].action == actions[at]:
            at += 1
    return at == count


@kernel
def share_out(tree, first, count, total):
    """Normalise priors whose sum is `total`; make them uniform if it is 0."""
    for i in range(count):
        choice = tree.choices[first + i]
        choice.prior = choice.prior / total if total > 0 else 1 / count


@kernel
def borrow_after(tree, number):
    """Settle an afterstate like one that looks the same, if there is one; return whether there was."""
    found = same_key_with(tree, number, SETTLED)
    if found < 0:
        return False
    lend(tree.nodes[found], tree.nodes[number])
    tree.nodes[number].status = SETTLED
    return True


@inlined_kernel
def same_key_with(tree, number, status):
    """The next node with the same key that has the status, or -1."""
    found = tree.nodes[number].next_same_key
    while found >= 0 and tree.nodes[found].status & KIND != status:
        found = tree.nodes[found].next_same_key
    return found
