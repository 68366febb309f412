"""Depth-first proof-number search (A. Nagai, 2002) for the prover of a state.

Two changes to the textbook: a node's number is the largest of its children's plus one for each further open child, not their
sum (weak proof numbers, Ueda et al. 2008), so that states met on many ways are not counted many times; and a child is searched
a quarter past its rival's number (1 + epsilon, Pawlewicz and Lew 2007), so that the search doesn't jump to and fro.

A state that stands on the path already is lost for the prover. So a proof is right wherever it is used; but what was disproved
below such a repetition holds on that path only, although the table keeps it. `repetitions` counts them: where there was one, a
disproof must be gathered as a certificate (`certificate.py`) before it is believed.

A strict search is asked where that certificate goes round by wasting the opponent's stones: there such a repetition is won for
the prover. Its disproofs are good, if gathered; its proofs hold on their path only and show nothing.
"""

from __future__ import annotations

import numpy as np

from playmill.core.bits import lowest_bit
from playmill.core.jit import kernel
from playmill.puzzles.solver.eyes import is_alive
from playmill.puzzles.solver.fight import DEPTH, ONE, PASS, PROVER, STRICT, ZERO, is_provers_turn, may_pass
from playmill.puzzles.solver.moves import gives_up, is_lost, step
from playmill.puzzles.solver.table import find, store

PROVED, UNKNOWN, DISPROVED = 1, 0, -1
OPEN, CAPTURED, ALIVE = 0, 1, 2  # how a child ends the fight
ENDLESS = 1 << 28
PASS_NUMBER = 2  # a pass is a little less likely to win than a stone
LOOK = 1023  # nodes between two looks at the stop sign


@kernel
def search(fight, path, table, defender, attacker, meta, stop):
    """Whether the prover wins this state: PROVED, DISPROVED or, when `most_nodes` are spent, UNKNOWN."""
    path.own_limit[0], path.other_limit[0] = ENDLESS, ENDLESS
    path.captures[0] = 0
    enter(fight, path, table, 0, defender, attacker, meta)
    depth = 0
    while True:
        own, other, best, second, further = sum_up(path, depth)
        is_done = own >= path.own_limit[depth] or other >= path.other_limit[depth]
        if is_done or path.nodes >= path.most_nodes or (path.nodes & LOOK == 0 and stop[0] != 0):
            keep(path, table, depth, own, other)
            if depth == 0 or not is_done:
                return verdict(path.meta[0], own, other) if depth == 0 else UNKNOWN
            depth -= 1
            chosen = path.chosen[depth]
            path.child_own[depth, chosen], path.child_other[depth, chosen] = other, own
            path.child_rank[depth, chosen] = rank_of(path, depth + 1, own, other)
        elif depth + 1 == DEPTH:
            return UNKNOWN
        else:
            descend(fight, path, table, depth, best, second, further)
            depth += 1


@kernel
def verdict(meta, own, other):
    """What the numbers of a state say about its prover."""
    proof, disproof = (own, other) if is_provers_turn(meta) else (other, own)
    return PROVED if proof == 0 else DISPROVED if disproof == 0 else UNKNOWN


@kernel
def descend(fight, path, table, depth, best, second, further):
    """Enter the best child with limits up to which it stays the best one, and its parent below its own."""
    path.chosen[depth] = best
    path.own_limit[depth + 1] = path.other_limit[depth] - further
    path.other_limit[depth + 1] = min(path.own_limit[depth], second + second // 4 + 1)
    path.captures[depth + 1] = path.child_captures[depth, best]
    enter(
        fight, path, table, depth + 1,
        path.child_defender[depth, best], path.child_attacker[depth, best], path.child_meta[depth, best],
    )  # fmt: skip


@kernel
def enter(fight, path, table, depth, defender, attacker, meta):
    """Make it the state of a frame, and list its children."""
    path.nodes_before[depth] = path.nodes
    path.nodes += 1
    path.defender[depth], path.attacker[depth], path.meta[depth] = defender, attacker, meta
    path.count[depth] = 0
    left = fight.ground & ~(defender | attacker)
    while left != ZERO:
        add_child(fight, path, table, depth, lowest_bit(left))
        left &= left - ONE
    if may_pass(fight, defender, meta):
        add_child(fight, path, table, depth, PASS)


@kernel
def add_child(fight, path, table, depth, move):
    """Add what a move leads to, if it is legal, with what is known about it."""
    meta = path.meta[depth]
    is_legal, defender, attacker, after, taken = step(fight, path.defender[depth], path.attacker[depth], meta, move)
    if not is_legal:
        return
    at = path.count[depth]
    path.count[depth] += 1
    path.child_move[depth, at] = move
    path.child_defender[depth, at], path.child_attacker[depth, at], path.child_meta[depth, at] = defender, attacker, after
    path.child_captures[depth, at] = path.captures[depth] + np.int64(taken != ZERO)
    end, proof, disproof, rank = OPEN, 1, 1, 0
    known = find(table, path.age, defender, attacker, after)
    if (move == PASS and gives_up(fight, defender, meta)) or is_lost(fight, defender, attacker):
        end = CAPTURED
    elif known >= 0:
        proof, disproof, rank = np.int64(table[known].proof), np.int64(table[known].disproof), np.int64(table[known].rank)
    elif move == PASS:
        proof, disproof = PASS_NUMBER, PASS_NUMBER
    elif is_alive(fight, defender, attacker):
        end = ALIVE
    if end != OPEN:
        is_won = (end == CAPTURED) == (meta & PROVER != ZERO)
        proof, disproof = (0, ENDLESS) if is_won else (ENDLESS, 0)
    elif proof > 0 and path.child_captures[depth, at] > 0:
        before = depth_of(path, depth, defender, attacker, after)
        if before >= 0:
            is_wasted = meta & STRICT != ZERO and count_passes(path, before, depth, move) > 0
            proof, disproof = (0, ENDLESS) if is_wasted else (ENDLESS, 0)
            path.repetitions += 1
    path.child_end[depth, at], path.child_rank[depth, at] = end, rank
    is_prover = is_provers_turn(meta)
    path.child_own[depth, at] = proof if is_prover else disproof
    path.child_other[depth, at] = disproof if is_prover else proof


@kernel
def depth_of(path, depth, defender, attacker, meta):
    """Where on the path a state is, or -1."""
    for at in range(depth + 1):
        if path.defender[at] == defender and path.attacker[at] == attacker and path.meta[at] == meta:
            return at
    return -1


@kernel
def count_passes(path, before, depth, move):
    """How much more often the prover has passed than its opponent, from a frame of the path up to this move of a later one.

    Back in the same position, all stones that were played since are lost, so the opponent has lost as many more of its own.
    """
    count = 0
    for at in range(before, depth + 1):
        is_pass = move == PASS
        if at < depth:
            is_pass = path.defender[at] == path.defender[at + 1] and path.attacker[at] == path.attacker[at + 1]
        if is_pass:
            count += 1 if is_provers_turn(path.meta[at]) else -1
    return count


@kernel
def sum_up(path, depth):
    """The numbers of the side to move and of its opponent, the best child, the number of the next best, and the further
    open children, which are part of the opponent's number.

    Only an attacker can be without a move, and has lost then.
    """
    own, second, best = ENDLESS, ENDLESS, 0
    largest, unsettled = 0, 0
    for at in range(path.count[depth]):
        mine, theirs = path.child_own[depth, at], path.child_other[depth, at]
        if mine < own:
            own, second, best = mine, own, at
        elif mine < second:
            second = mine
        largest = max(largest, theirs)
        unsettled += np.int64(theirs > 0)
    further = max(unsettled - 1, 0)
    return own, ENDLESS if own == 0 else min(largest + further, ENDLESS - 1), best, second, further


@kernel
def rank_of(path, depth, own, other):
    """How many moves a proof takes, at most; 0 where there is none."""
    is_prover = is_provers_turn(path.meta[depth])
    rank = ENDLESS if is_prover else 0
    if (own if is_prover else other) != 0:
        return 0
    for at in range(path.count[depth]):
        if not is_prover:
            rank = max(rank, path.child_rank[depth, at])
        elif path.child_own[depth, at] == 0:
            rank = min(rank, path.child_rank[depth, at])
    return rank + 1


@kernel
def keep(path, table, depth, own, other):
    """Write what is known about a frame's state into the table."""
    is_prover = is_provers_turn(path.meta[depth])
    store(
        table, path.age, path.defender[depth], path.attacker[depth], path.meta[depth],
        own if is_prover else other, other if is_prover else own,
        rank_of(path, depth, own, other), path.nodes - path.nodes_before[depth],
    )  # fmt: skip
