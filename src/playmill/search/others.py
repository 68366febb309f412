"""What a search found for the players who are not to move at its root; its edges know the mover's part only."""

from __future__ import annotations

from playmill.core.jit import inlined_kernel, kernel
from playmill.search.memory import evaluation
from playmill.search.puct import luck_of
from playmill.search.trees import SETTLED, tree_of


@kernel
def opposed(value, mover):
    """Zero-sum games for two: what the mover gains, the other loses."""
    for i in range(mover.size):
        value[i, 1 - mover[i]] = -value[i, mover[i]]


@kernel
def added_up(trees, lanes, luck, is_improved, top, choice_of, sums, policy, priors, visits, value):
    """Fill value[i, player] for all but the mover, by adding up anew what was backed up.

    It is the mean over simulations and the root's own evaluation, as in `roots.read`; where `is_improved` it is the
    policy's expectation, as in `roots.improve`. Scratch: `top` and `choice_of`, int32 as long as a tree's nodes and edges,
    and `sums`, float64 [max_legal, players].
    """
    for i in range(lanes.size):
        tree = tree_of(trees, lanes[i])
        root = tree.nodes[0]
        add_backups(tree, luck, top, choice_of, sums)
        for player in range(value.shape[1]):
            own, count = evaluation(root, player), root.choice_count
            if player == root.mover:
                continue
            if is_improved:
                value[i, player] = expectation(own, count, policy[i], priors[i], visits[i], sums[:, player])
            else:
                value[i, player] = (sums[:count, player].sum() + own) / (visits[i, :count].sum() + 1)


@inlined_kernel
def add_backups(tree, luck, top, choice_of, sums):
    """Fill sums[choice, player]: utilities that came up along each choice of the root. Nothing may be in flight.

    A simulation carries up the evaluation of the node that it ended at, less the unwanted share of each luck on its way.
    """
    root = tree.nodes[0]
    sums[:] = 0.0
    for i in range(root.choice_count):
        if tree.choices[root.first_choice + i].edge >= 0:
            choice_of[tree.choices[root.first_choice + i].edge] = i
    for number in range(1, tree.cursor[0].nodes):
        node = tree.nodes[number]
        edge = tree.edges[node.parent]
        top[number] = choice_of[node.parent] if edge.node == 0 else top[edge.node]
        ended = node.visits - passed(tree, node)
        is_chance = edge.child != number and tree.nodes[edge.child].status == SETTLED
        for player in range(sums.shape[1]):
            sums[top[number], player] += ended * evaluation(node, player)
            if is_chance:
                sums[top[number], player] -= (1 - luck) * node.visits * luck_of(tree, edge.child, number, player)


@inlined_kernel
def passed(tree, node):
    """How many simulations went on from a node."""
    count = 0
    for c in range(node.first_choice, node.first_choice + node.choice_count):
        if tree.choices[c].edge >= 0:
            count += tree.edges[tree.choices[c].edge].visits
    return count


@kernel
def expectation(own, count, policy, priors, visits, sums):
    """What the policy expects for one player; an action that nothing looked at counts as `roots.improve` has it."""
    seen, mass, total = 0.0, 0.0, 0
    for j in range(count):
        if visits[j] > 0:
            seen += priors[j] * sums[j] / visits[j]
            mass += priors[j]
            total += visits[j]
    unseen = (own + total * seen / mass) / (1 + total) if mass > 0 else own
    expected = 0.0
    for j in range(count):
        expected += policy[j] * (sums[j] / visits[j] if visits[j] > 0 else unseen)
    return expected
