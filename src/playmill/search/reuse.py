"""Keep the part of a tree that the game really went into."""

from __future__ import annotations

from playmill.core.jit import inlined_kernel, kernel
from playmill.games.kernels import eval_key
from playmill.search.nodes import child_of, place_of
from playmill.search.trees import EXPANDED, KIND, REUSE_ATTEMPTS, REUSE_HITS, REUSE_SIZES, REUSED, REUSED_FROM


@kernel
def reroot(game, tree, action, state, node_map, edge_map, spare):
    """Make the child that `action` and real chance led to the new root, with all below it; return whether there was one.

    `state` is the real next state. Scratch, owned by the caller: `node_map` and `edge_map`, int32 as long as a tree's
    nodes and edges, and `spare`, as many choices as it has.
    """
    child = realised(game, tree, action, state)
    tree.counters[REUSE_ATTEMPTS] += 1
    if child < 0:
        return False
    number_nodes(tree, child, node_map)
    move_edges(tree, node_map, edge_map)
    move_nodes(tree, node_map, edge_map, spare)
    count_reuse(tree.counters, tree.nodes[0].visits)
    return True


@kernel
def count_reuse(counters, visits):
    """Count a tree that was kept with so many visits."""
    counters[REUSED] += visits
    counters[REUSE_HITS] += 1
    size = 0
    while size + 1 < REUSE_SIZES and visits >> (size + 1) > 0:
        size += 1
    counters[REUSED_FROM + size] += 1


@inlined_kernel
def realised(game, tree, action, state):
    """The evaluated child of the root that holds `state` after `action`, or -1."""
    root = tree.nodes[0]
    for c in range(root.first_choice, root.first_choice + root.choice_count):
        choice = tree.choices[c]
        if choice.action == action and choice.edge >= 0:
            child = child_of(game, tree, choice.edge, place_of(tree, eval_key(game, state)), state)
            if child >= 0 and tree.nodes[child].status & KIND == EXPANDED:
                return child
    return -1


@inlined_kernel
def number_nodes(tree, child, node_map):
    """Number the nodes from `child` down from 0, the others -1. Parents come before their children."""
    node_map[:child] = -1
    node_map[child] = 0
    kept = 1
    for old in range(child + 1, tree.cursor[0].nodes):
        owner = tree.edges[tree.nodes[old].parent].node
        node_map[old] = kept if node_map[owner] >= 0 else -1
        kept += node_map[owner] >= 0


@inlined_kernel
def move_edges(tree, node_map, edge_map):
    """Move the edges of numbered nodes together, in place."""
    cursor = tree.cursor[0]
    kept = 0
    for old in range(cursor.edges):
        edge = tree.edges[old]
        edge_map[old] = -1
        if node_map[edge.node] >= 0:
            edge_map[old] = kept
            edge.node = node_map[edge.node]
            edge.child = node_map[edge.child]
            tree.edges[kept] = edge
            kept += 1
    cursor.edges = kept


@inlined_kernel
def move_nodes(tree, node_map, edge_map, spare):
    """Move the numbered nodes together, in place, and enter them into a fresh table; their choices go by way of `spare`."""
    cursor = tree.cursor[0]
    count = cursor.nodes
    cursor.nodes = 0
    cursor.choices = 0
    tree.table[:] = -1
    for old in range(count):
        if node_map[old] >= 0:
            move_node(tree, old, edge_map, spare)
    for c in range(cursor.choices):
        tree.choices[c] = spare[c]


@inlined_kernel
def move_node(tree, old, edge_map, spare):
    """Put node `old` at the next free number, its choices into `spare`."""
    cursor = tree.cursor[0]
    number = cursor.nodes
    cursor.nodes = number + 1
    tree.nodes[number] = tree.nodes[old]
    tree.states[number] = tree.states[old]
    node = tree.nodes[number]
    node.parent = edge_map[node.parent]
    first = cursor.choices
    for i in range(node.choice_count):
        spare[first + i] = tree.choices[node.first_choice + i]
        if spare[first + i].edge >= 0:
            spare[first + i].edge = edge_map[spare[first + i].edge]
    cursor.choices = first + node.choice_count
    node.first_choice = first
    place = place_of(tree, node.key)
    node.next_same_key = tree.table[place]
    tree.table[place] = number
