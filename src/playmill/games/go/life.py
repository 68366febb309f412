"""Benson's unconditional life: chains that can't be captured even if their side always passes.

D. B. Benson, "Life in the Game of Go", Information Sciences 10 (1976). A region is a part of the board without a stone of the
colour. It is vital to a chain if each of its empty points is a liberty of the chain. Chains with fewer than two vital regions
are struck out, then regions beside such a chain, until nothing changes: what is left is alive.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.go.board import BORDER, EMPTY, beside

STONE, VITAL = 1, 2
NEAR = 4  # chains beside a point, at most: only those beside its first empty point can have a region as vital


@kernel
def mark_alive(board, colour, alive):
    """Fill `alive` uint8 [cells]: 1 for stones of the colour that are unconditionally alive, 2 for their vital regions.

    The other side can't live in a vital region, so all its points are the colour's own. Return how many points are marked.
    """
    cells = board.colour.size
    regions, candidates = np.zeros(cells, np.int64), np.zeros((cells, NEAR), np.int64)
    count = find_regions(board, colour, regions)
    find_candidates(board, colour, regions, candidates)
    is_alive, is_kept = np.ones(cells, np.bool_), np.ones(count + 1, np.bool_)
    while strike_chains(board, colour, candidates, count, is_alive, is_kept):
        strike_regions(board, colour, regions, is_alive, is_kept)
    return fill_alive(board, colour, regions, candidates, is_alive, is_kept, alive)


@kernel
def find_regions(board, colour, regions):
    """Number the regions from 1 in `regions` [cells], 0 elsewhere; return how many there are."""
    stride = np.int64(board.width) + 1
    waiting = np.empty(regions.size, np.int64)
    count = 0
    for cell in range(regions.size):
        if board.colour[cell] == BORDER or board.colour[cell] == colour or regions[cell] > 0:
            continue
        count += 1
        regions[cell] = count
        waiting[0], left = cell, 1
        while left > 0:
            left -= 1
            at = waiting[left]
            for step in (-stride, -1, 1, stride):
                near = at + step
                if board.colour[near] != BORDER and board.colour[near] != colour and regions[near] == 0:
                    regions[near] = count
                    waiting[left] = near
                    left += 1
    return count


@kernel
def find_candidates(board, colour, regions, candidates):
    """Fill candidates[region] with the heads of the chains that have it as vital, 0 for none."""
    stride = np.int64(board.width) + 1
    is_met = np.zeros(regions.size, np.bool_)
    for cell in range(regions.size):
        region = regions[cell]
        if region == 0 or board.colour[cell] != EMPTY:
            continue
        if not is_met[region]:
            is_met[region] = True
            for i, step in enumerate((-stride, -1, 1, stride)):
                is_own = board.colour[cell + step] == colour
                candidates[region, i] = np.int64(board.head[cell + step]) if is_own else 0
                for k in range(i):
                    if candidates[region, k] == candidates[region, i]:
                        candidates[region, i] = 0
        else:
            for i in range(NEAR):
                if candidates[region, i] > 0 and beside(board, candidates[region, i], cell) == 0:
                    candidates[region, i] = 0


@kernel
def strike_chains(board, colour, candidates, count, is_alive, is_kept):
    """Strike out chains with fewer than two vital regions that are left; return whether there was one."""
    vital = np.zeros(is_alive.size, np.int64)
    for region in range(1, count + 1):
        if is_kept[region]:
            for i in range(NEAR):
                vital[candidates[region, i]] += 1
    is_changed = False
    for cell in range(is_alive.size):
        if board.colour[cell] == colour and board.head[cell] == cell and is_alive[cell] and vital[cell] < 2:
            is_alive[cell] = False
            is_changed = True
    return is_changed


@kernel
def strike_regions(board, colour, regions, is_alive, is_kept):
    """Strike out the regions beside a chain that is struck out."""
    stride = np.int64(board.width) + 1
    for cell in range(regions.size):
        if board.colour[cell] == colour and not is_alive[board.head[cell]]:
            for step in (-stride, -1, 1, stride):
                if regions[cell + step] > 0:
                    is_kept[regions[cell + step]] = False


@kernel
def fill_alive(board, colour, regions, candidates, is_alive, is_kept, alive):
    """Fill `alive` from what is left; return how many points are marked."""
    marked = 0
    for cell in range(regions.size):
        alive[cell] = 0
        if board.colour[cell] == colour and is_alive[board.head[cell]]:
            alive[cell] = STONE
        elif regions[cell] > 0 and is_kept[regions[cell]] and candidates[regions[cell]].max() > 0:
            alive[cell] = VITAL
        marked += np.int64(alive[cell] > 0)
    return marked
