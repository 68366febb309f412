"""The 75 planes that a network sees of EXCHANGE, listed one by one in `docs/games/exchange.md`.

Seen by the side to move: its own side is "White" in the planes' names, and a square's place is 8 * rank + file counted from
its own first rank. Black's board is flipped, so the planes of a position and of its mirror image with the colours exchanged
differ only in 26 and 27, which tell the real colour. Files are not mirrored.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.exchange.attacks import map_attacks
from playmill.games.exchange.board import (
    DECREE_ACTIONS,
    EMPTY,
    FLIP,
    MAX_REPEATS,
    MAX_TURNS,
    PAWN,
    RAYS,
    SIDE_OF,
    TYPE_OF,
)
from playmill.games.exchange.piece_planes import fill_piece
from playmill.games.exchange.tactics import fill_tactics

PLANES = 75
CALM_SCALE = 30
MATERIAL = np.array([0, 9, 5, 3, 3, 1])
ZONE_SCALE = 8


@kernel
def fill_planes(state, planes):
    """Fill the zeroed row `planes` [75 * 64]."""
    own, flip = np.int64(state.mover), FLIP * np.int64(state.mover)
    counts, damage = np.zeros((2, 64), np.int64), np.zeros((2, 64))
    zone_attackers = np.zeros(2, np.int64)
    map_attacks(state, counts, damage, zone_attackers)
    for square in range(64):
        if state.piece[square] != EMPTY:
            fill_piece(state, own, square, square ^ flip, planes)
    fill_board(state, own, planes)
    fill_zones(state, own, flip, zone_attackers, planes)
    fill_files(state, planes)
    fill_tactics(state, own, flip, counts, damage, planes)


@kernel
def fill_all(planes, plane, value):
    """One number for the whole board."""
    planes[64 * plane : 64 * plane + 64] = value


@kernel
def fill_board(state, own, planes):
    """24, 26 to 33, 59 and 70: what is true of the whole position."""
    fill_all(planes, 24, 1 if state.decree[own] > 0 else 0)
    fill_all(planes, 26, 1 - own)
    fill_all(planes, 27, 1 - own)
    fill_all(planes, 28, min(1.0, state.turn / MAX_TURNS))
    fill_all(planes, 29, min(1.0, state.calm / CALM_SCALE))
    fill_all(planes, 30, min(1.0, state.repeats / MAX_REPEATS))
    fill_all(planes, 59, state.decree[own] / DECREE_ACTIONS)
    fill_all(planes, 70, state.decree[1 - own] / DECREE_ACTIONS)
    hp, pieces, material = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    for square in range(64):
        code = state.piece[square]
        if code != EMPTY:
            side = SIDE_OF[code]
            hp[side] += state.hp[square]
            pieces[side] += 1
            material[side] += MATERIAL[TYPE_OF[code]]
    fill_all(planes, 31, hp[own] / (hp[0] + hp[1]))
    fill_all(planes, 32, pieces[own] / (pieces[0] + pieces[1]))
    fill_all(planes, 33, material[own] / (material[0] + material[1]) if material[0] + material[1] > 0 else 0.5)


@kernel
def fill_zones(state, own, flip, zone_attackers, planes):
    """37 and 38: the squares around the kings; 50 and 51: how many enemies attack there."""
    for i in range(2):
        side = own if i == 0 else 1 - own
        king = np.int64(state.king[side])
        if king < 0:
            continue
        planes[64 * (37 + i) + (king ^ flip)] = 1
        for direction in range(8):
            near = RAYS[king, direction, 0]
            if near >= 0:
                planes[64 * (37 + i) + (near ^ flip)] = 1
        fill_all(planes, 50 + i, min(1.0, zone_attackers[side] / ZONE_SCALE))


@kernel
def fill_files(state, planes):
    """56: files without a pawn of either side."""
    for file in range(8):
        is_open = True
        for rank in range(8):
            code = state.piece[8 * rank + file]
            is_open &= code == EMPTY or TYPE_OF[code] != PAWN
        if is_open:
            for rank in range(8):
                planes[64 * 56 + 8 * rank + file] = 1
