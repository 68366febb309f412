"""Moves on the ground, by sets of vertices."""

from __future__ import annotations

import numpy as np

from playmill.core.bits import lowest_bit
from playmill.core.jit import kernel
from playmill.puzzles.solver.fight import BAN, MOVER, ONE, PASS, PROVER, THREAT, THREATS, ZERO, is_provers_turn


@kernel
def spread(fight, seeds, within):
    """All that hangs together with `seeds` inside the set `within`, and the vertices beside it."""
    found, border, front = seeds, ZERO, seeds
    while front != ZERO:
        reach = ZERO
        while front != ZERO:
            reach |= fight.near[lowest_bit(front)]
            front &= front - ONE
        border |= reach
        front = reach & within & ~found
        found |= front
    return found, border & ~found


@kernel
def put(fight, own, other, vertex, is_attacker):
    """Play a stone: return whether that is legal, own stones and the other's then, what was taken, and the banned vertex or -1.

    An attacker's chain beside a wall is part of it and can't be taken. Suicide is illegal.
    """
    stone = ONE << np.uint64(vertex)
    own = own | stone
    empty, taken = fight.ground & ~(own | other), ZERO
    left = fight.near[vertex] & other
    while left != ZERO:
        chain, border = spread(fight, left & (~left + ONE), other)
        left &= ~chain
        if border & empty == ZERO and (is_attacker or chain & fight.wall == ZERO):
            taken |= chain
    chain, border = spread(fight, stone, own)
    air, is_walled = border & (empty | taken), is_attacker and chain & fight.wall != ZERO
    is_ko = chain == stone and air == taken and taken & (taken - ONE) == ZERO and taken != ZERO and not is_walled
    ban = lowest_bit(taken) if is_ko else -1
    return air != ZERO or is_walled, own, other & ~taken, taken, ban


@kernel
def step(fight, defender, attacker, meta, move):
    """The state after a move: whether it is legal, the three words, and what was taken."""
    turned = (meta & (MOVER | PROVER | THREATS)) ^ MOVER
    if move == PASS:
        return True, defender, attacker, turned, ZERO
    if np.int64(meta >> BAN) == move + 1:
        if is_provers_turn(meta) or meta & THREATS == ZERO:
            return False, defender, attacker, meta, ZERO
        turned -= THREAT
    if meta & MOVER != ZERO:
        is_legal, attacker, defender, taken, ban = put(fight, attacker, defender, move, True)
    else:
        is_legal, defender, attacker, taken, ban = put(fight, defender, attacker, move, False)
    if ban >= 0:
        turned |= np.uint64(ban + 1) << BAN
    return is_legal, defender, attacker, turned, taken
