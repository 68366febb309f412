"""Unconditional life on the ground (D. B. Benson, 1976), as `games/go/life.py` finds it on a board, by sets of vertices."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.puzzles.solver.fight import ONE, ZERO, has_all
from playmill.puzzles.solver.moves import spread


@kernel
def is_alive(fight, defender, attacker):
    """Whether stones of all marked chains live even if the defender always passes.

    A room is a part of the ground without the defender's stones. One beside a wall is part of the world outside, which no
    chain has as vital.
    """
    if not has_all(fight, defender):
        return False
    rooms = list_rooms(fight, defender)
    if rooms < 2:
        return False
    chains = list_chains(fight, defender)
    for room in range(rooms):
        fight.vital[room], fight.beside[room] = ZERO, ZERO
        for chain in range(chains):
            bit = ONE << np.uint64(chain)
            if fight.rooms[room] & ~attacker & ~fight.borders[chain] == ZERO:
                fight.vital[room] |= bit
            if fight.rooms[room] & fight.borders[chain] != ZERO:
                fight.beside[room] |= bit
    return strike_out(fight, defender, rooms, chains)


@kernel
def list_rooms(fight, defender):
    """Fill `rooms` with those that are not beside a wall; return how many there are."""
    space = fight.ground & ~defender
    left, count = space, 0
    while left != ZERO:
        room, _ = spread(fight, left & (~left + ONE), space)
        left &= ~room
        if room & fight.wall == ZERO:
            fight.rooms[count] = room
            count += 1
    return count


@kernel
def list_chains(fight, defender):
    """Fill `chains` and `borders`; return how many chains there are."""
    left, count = defender, 0
    while left != ZERO:
        fight.chains[count], fight.borders[count] = spread(fight, left & (~left + ONE), defender)
        left &= ~fight.chains[count]
        count += 1
    return count


@kernel
def strike_out(fight, defender, rooms, chains):
    """Strike out chains with fewer than two vital rooms and rooms beside such; return if some of each marked one is left."""
    alive, living, is_changed = ~ZERO, defender, True
    while is_changed:
        is_changed = False
        for chain in range(chains):
            bit = ONE << np.uint64(chain)
            if alive & bit == ZERO:
                continue
            vital = 0
            for room in range(rooms):
                if fight.vital[room] & bit != ZERO and fight.beside[room] & ~alive == ZERO:
                    vital += 1
            if vital < 2:
                alive &= ~bit
                living &= ~fight.chains[chain]
                for at in range(fight.marked_count):
                    if fight.marked[at] & living == ZERO:
                        return False
                is_changed = True
    return True
