"""How often a position has been there: exactly, by taking quiet moves back.

A position can come again only through moves that change nothing but squares. Damage and heals lower HP or charges for good,
pawns don't go back, and a cooldown or Royal Decree runs down with every turn of its side. So positions are looked for only
among those since the last such event, and the moves since then (`trail`) tell them all.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.exchange.board import EMPTY

SHORTEST = 4  # quiet moves after which a position can be there again: both sides go and come back


@kernel
def note_position(state, move):
    """Add a quiet move to the trail, and count how often the position it led to has been there."""
    state.trail[state.quiet] = move
    state.quiet += 1
    state.repeats = 1
    if state.quiet >= SHORTEST:
        state.repeats += earlier(state)


@kernel
def earlier(state):
    """In how many positions of the trail everything stood as it does now, with the same side to move.

    `source[s]` is the square where what stood on s, so many moves ago, stands now; -1 if s was empty.
    """
    source = np.arange(64)
    for square in range(64):
        if state.piece[square] == EMPTY:
            source[square] = -1
    different, found = 0, 0
    for back in range(1, state.quiet + 1):
        move = state.trail[state.quiet - back]
        start, end = move >> 6, move & 63
        if start != end:
            different -= differs(state, source, start) + differs(state, source, end)
            source[start] = source[end]
            source[end] = -1
            different += differs(state, source, start) + differs(state, source, end)
        if back % 2 == 0 and different == 0:
            found += 1
    return found


@kernel
def differs(state, source, square):
    """1 if the square held something else than it does now; pieces of one kind that are in the same state are the same."""
    old = source[square]
    if old < 0:
        return 1 if state.piece[square] != EMPTY else 0
    same = (
        state.piece[old] == state.piece[square]
        and state.hp[old] == state.hp[square]
        and state.charges[old] == state.charges[square]
    )
    return 0 if same else 1
