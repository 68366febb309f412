"""Planes of EXCHANGE that tell about one piece where it stands."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.exchange.board import (
    CHARGES,
    COOLDOWN,
    EMPTY,
    FLIP,
    KING,
    MAX_HP,
    PAWN,
    PROMOTED,
    ROOK,
    SIDE_OF,
    TYPE_OF,
    WHITE,
)
from playmill.games.exchange.moves import first_piece, is_ready


@kernel
def fill_piece(state, own, square, place, planes):
    """All planes that this piece has a number in; `place` is its square as the side to move sees it."""
    code = np.int64(state.piece[square])
    side, kind = SIDE_OF[code], TYPE_OF[code]
    is_theirs = 0 if side == own else 1
    planes[64 * (6 * is_theirs + kind) + place] = 1
    planes[64 * (12 + kind) + place] = state.hp[square] / MAX_HP[kind]
    fill_ability(state, kind, is_theirs, square, place, planes)
    if code >= PROMOTED:
        planes[64 * 61 + place] = 1
    if kind == PAWN:
        fill_pawn(state, side, is_theirs, square, place, planes)
    if kind == ROOK:
        fill_rook(state, own, side, is_theirs, square, place, planes)
    king = np.int64(state.king[1 - own])
    if is_theirs == 0 and king >= 0:
        planes[64 * 72 + place] = (8 - steps_between(square, king)) / 7


@kernel
def steps_between(square, other):
    """King's steps from one square to another."""
    return max(abs(square % 8 - other % 8), abs(square // 8 - other // 8))


@kernel
def fill_ability(state, kind, is_theirs, square, place, planes):
    """18 to 23: how far the ability is from being ready; 58 and 74: charges left; 71: the enemy's that are ready."""
    limit = CHARGES[kind]
    left = state.charges[square] / limit if limit > 0 else 1.0
    waits = state.cooldown[square] / COOLDOWN[kind] if kind != KING else 0.0
    planes[64 * (18 + kind) + place] = 1.0 if left == 0 else waits
    planes[64 * 58 + place] = left
    if is_theirs:
        planes[64 * 74 + place] = left
        if is_ready(state, square, limit > 0):
            planes[64 * 71 + place] = 1


@kernel
def fill_pawn(state, side, is_theirs, square, place, planes):
    """39 and 40: how far it has come; 54 and 55: whether it is passed; 69: how near the last rank is."""
    rank = square // 8 if side == WHITE else 7 - square // 8
    planes[64 * (39 + is_theirs) + place] = rank / 7
    planes[64 * 69 + place] = rank / 7
    if is_passed(state, side, square):
        planes[64 * (54 + is_theirs) + place] = 1


@kernel
def is_passed(state, side, square):
    """Whether no enemy pawn stands ahead of a pawn on its own file or a neighbouring one."""
    for file in range(max(0, square % 8 - 1), min(7, square % 8 + 1) + 1):
        rank = square // 8
        while 0 < rank < 7:
            rank += 1 if side == WHITE else -1
            code = state.piece[8 * rank + file]
            if code != EMPTY and TYPE_OF[code] == PAWN and SIDE_OF[code] != side:
                return False
    return True


@kernel
def fill_rook(state, own, side, is_theirs, square, place, planes):
    """25: a rook that can interpose; 64 and 65: the pieces that it would do so for."""
    if not is_ready(state, square, True):
        return
    planes[64 * 25 + place] = 1
    for direction in range(0, 8, 2):
        found, distance = first_piece(state, square, direction)
        if distance > 0 and SIDE_OF[state.piece[found]] == side:
            planes[64 * (64 + is_theirs) + (found ^ (FLIP * own))] = 1
