"""Keep the part of a tree that the game really went into."""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.kernels import key
from playmill.search.puct import child_of, enter
from playmill.search.trees import EXPANDED


@kernel
def reroot(game, trees, g, action, state, node_map, edge_map, spare):
    """Make the child that `action` and real chance led to the new root, with all below it; return whether there was one.

    `state` is the real next state. Scratch, owned by the caller: `node_map` and `edge_map`, int32 as long as a tree's
    nodes and edges, and `spare`, as many edges. Parents come before their children, so nodes move down in place.
    """
    child = realised(game, trees, g, action, state)
    if child < 0:
        return False
    move_nodes(trees, g, child, node_map, edge_map, spare)
    trees.cursors[g].reused += trees.nodes[g, 0].visits
    return True


@kernel
def realised(game, trees, g, action, state):
    """The evaluated child of the root that holds `state` after `action`, or -1."""
    root = trees.nodes[g, 0]
    for e in range(root.first_edge, root.first_edge + root.edge_count):
        if trees.edges[g, e].action == action:
            child = child_of(trees, g, e, key(game, state))
            if child >= 0 and trees.nodes[g, child].status == EXPANDED:
                return child
    return -1


@kernel
def move_nodes(trees, g, child, node_map, edge_map, spare):
    """Renumber the nodes and edges below `child` from 0, and enter them into a fresh table."""
    cursor = trees.cursors[g]
    count = cursor.nodes
    cursor.nodes = 0
    cursor.edges = 0
    trees.table[g, :] = -1
    node_map[:child] = -1
    for old in range(child, count):
        parent = trees.nodes[g, old].parent
        owner = trees.edges[g, parent].node
        is_kept = old == child or (owner >= child and node_map[owner] >= 0)
        node_map[old] = cursor.nodes if is_kept else -1
        if is_kept:
            move_node(trees, g, old, -1 if old == child else edge_map[parent], edge_map, spare)
    for e in range(cursor.edges):
        trees.edges[g, e] = spare[e]
        if spare[e].child >= 0:
            trees.edges[g, e].child = node_map[spare[e].child]


@kernel
def move_node(trees, g, old, parent, edge_map, spare):
    """Put node `old` at the next free number, its edges into `spare`."""
    cursor = trees.cursors[g]
    number = cursor.nodes
    cursor.nodes = number + 1
    trees.nodes[g, number] = trees.nodes[g, old]
    trees.states[g, number] = trees.states[g, old]
    node = trees.nodes[g, number]
    node.parent = parent
    for i in range(node.edge_count):
        edge_map[node.first_edge + i] = cursor.edges
        spare[cursor.edges] = trees.edges[g, node.first_edge + i]
        spare[cursor.edges].node = number
        cursor.edges += 1
    if node.edge_count > 0:
        node.first_edge = cursor.edges - node.edge_count
    node.twin = enter(trees, g, node.key, number)
