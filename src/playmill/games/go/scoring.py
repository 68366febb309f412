"""Scoring a board: by area, as Tromp and Taylor's rules do, and by territory and prisoners."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.go.board import BLACK, BORDER, EMPTY, WHITE

BOTH = BLACK | WHITE


@kernel
def fill_owners(colours, size, owners):
    """Fill `owners` uint8 [cells]: the colour of a stone or of the only stones around an empty region, 3 for both, else 0.

    `colours` is a board's field, or one like it.
    """
    owners[:] = 0
    waiting, region = np.empty(colours.size, np.int64), np.empty(colours.size, np.int64)
    is_met = np.zeros(colours.size, np.bool_)
    for cell in range(colours.size):
        if colours[cell] == BLACK or colours[cell] == WHITE:
            owners[cell] = colours[cell]
        elif colours[cell] == EMPTY and not is_met[cell]:
            count, touched = flood(colours, size, cell, is_met, waiting, region)
            for i in range(count):
                owners[region[i]] = touched


@kernel
def flood(colours, size, cell, is_met, waiting, region):
    """List in `region` the empty cells that hang together with this one; return how many, and whose stones they touch."""
    stride = size + 1
    count, touched = 0, 0
    waiting[0] = cell
    is_met[cell] = True
    left = 1
    while left > 0:
        left -= 1
        at = waiting[left]
        region[count] = at
        count += 1
        for step in (-stride, -1, 1, stride):
            near = at + step
            stone = np.int64(colours[near])
            if stone == EMPTY and not is_met[near]:
                is_met[near] = True
                waiting[left] = near
                left += 1
            elif stone != BORDER:
                touched |= stone  # an empty one changes nothing
    return count, touched


@kernel
def area_lead(board):
    """Black's stones and territory less White's, all stones taken as alive; no komi."""
    owners = np.empty(board.colour.size, np.uint8)
    fill_owners(board.colour, np.int64(board.width), owners)
    lead = 0
    for cell in range(owners.size):
        lead += np.int64(owners[cell] == BLACK) - np.int64(owners[cell] == WHITE)
    return lead


@kernel
def territory_lead(board, dead, prisoners):
    """Black's territory and prisoners less White's, once the `dead` stones (bool [cells]) are taken off; no komi.

    `prisoners` are those that Black and White took during the game. Every empty region with stones of one colour around it
    is territory, in a seki too.
    """
    colours = board.colour.copy()
    lead = np.int64(prisoners[0]) - np.int64(prisoners[1])
    for cell in range(colours.size):
        if dead[cell] and colours[cell] != EMPTY and colours[cell] != BORDER:
            lead += 1 if colours[cell] == WHITE else -1
            colours[cell] = EMPTY
    owners = np.empty(colours.size, np.uint8)
    fill_owners(colours, np.int64(board.width), owners)
    for cell in range(colours.size):
        if colours[cell] == EMPTY:
            lead += np.int64(owners[cell] == BLACK) - np.int64(owners[cell] == WHITE)
    return lead
