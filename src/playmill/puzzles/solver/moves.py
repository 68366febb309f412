"""Moves on the ground, by sets of vertices."""

from __future__ import annotations

import numpy as np

from playmill.core.bits import lowest_bit
from playmill.core.jit import kernel
from playmill.puzzles.solver.fight import (
    BAN,
    MOVER,
    ONE,
    PASS,
    PROVER,
    STRICT,
    THREAT,
    THREATS,
    ZERO,
    has_all,
    is_provers_turn,
)


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
    turned = (meta & (MOVER | PROVER | THREATS | STRICT)) ^ MOVER
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


@kernel
def is_lost(fight, defender, attacker):
    """Whether a marked chain is gone for good.

    It is gone while no stone of the defender is on any of its points, and not for good while a stone there would capture or
    give atari: a ko, a snapback, play under the stones. Whether a ko may be taken back at once doesn't matter here.
    """
    for at in range(fight.marked_count):
        if fight.marked[at] & defender == ZERO and not can_return(fight, defender, attacker, fight.marked[at]):
            return True
    return False


@kernel
def gives_up(fight, defender, meta):
    """Whether a pass in this state leaves a marked chain to the attacker, who may then pass, too."""
    return meta & MOVER == ZERO and meta >> BAN == ZERO and not has_all(fight, defender)


@kernel
def can_return(fight, defender, attacker, points):
    """Whether a stone of the defender on one of these points would capture stones or give atari."""
    left = points & ~(defender | attacker)
    while left != ZERO:
        vertex = lowest_bit(left)
        left &= left - ONE
        is_legal, own, other, taken, _ = put(fight, defender, attacker, vertex, False)
        if is_legal and (taken != ZERO or gives_atari(fight, own, other, vertex)):
            return True
    return False


@kernel
def gives_atari(fight, own, other, vertex):
    """Whether a chain of the attacker beside this vertex has one liberty left; chains beside a wall have more."""
    empty = fight.ground & ~(own | other)
    left = fight.near[vertex] & other
    while left != ZERO:
        chain, border = spread(fight, left & (~left + ONE), other)
        left &= ~chain
        air = border & empty
        if air & (air - ONE) == ZERO and chain & fight.wall == ZERO:
            return True
    return False
