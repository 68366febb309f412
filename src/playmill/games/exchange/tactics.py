"""Planes of EXCHANGE that come from attack maps and from what both sides could do if it were their turn."""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.exchange.board import BASE_DAMAGE, DECREE_BONUS, DIE, EMPTY, KING, PAWN, SIDE_OF, TYPE_OF
from playmill.games.exchange.moves import ADVANCE, ATTACK, CONSECRATION, MAX_LEGAL, MOVE, PASS, SKIRMISH, generate

MOBILITY_SCALE, THREAT_SCALE, DAMAGE_SCALE = 32, 4, 20


@kernel
def fill_tactics(state, own, flip, counts, damage, planes):
    """34 to 36, 41 to 49, 52, 53, 57, 60, 62, 63, 66 to 68 and 73."""
    actions = np.empty(MAX_LEGAL, np.int32)
    for is_theirs in range(2):
        side = own if is_theirs == 0 else 1 - own
        for i in range(generate(state, side, actions)):
            if actions[i] != PASS:
                fill_move(state, own, side, is_theirs, flip, np.int64(actions[i]), counts[1 - side], planes)
    for square in range(64):
        fill_square(square ^ flip, counts[own, square], counts[1 - own, square], planes)
        planes[64 * 57 + (square ^ flip)] = balance(damage[own, square] - damage[1 - own, square])
        if state.piece[square] != EMPTY:
            fill_threats(state, own, square, square ^ flip, counts, planes)


@kernel
def balance(difference):
    return max(-1.0, min(1.0, difference / DAMAGE_SCALE))


@kernel
def fill_move(state, own, side, is_theirs, flip, action, enemy_counts, planes):
    """What one possible move adds; moves of the side that isn't to move count as if it were."""
    kind = action & 7
    start, end, target = action >> 15 ^ flip, (action >> 9 & 63) ^ flip, (action >> 3 & 63) ^ flip
    place = 64 * (41 + is_theirs) + start
    planes[place] = min(np.float32(1), planes[place] + np.float32(1 / MOBILITY_SCALE))
    if kind in (MOVE, ADVANCE):
        if enemy_counts[end ^ flip] == 0:
            planes[64 * (52 + is_theirs) + end] = 1
        if is_theirs == 0 and TYPE_OF[state.piece[start ^ flip]] == PAWN and end // 8 == 7:
            planes[64 * 67 + end] = 1
    elif kind == CONSECRATION:
        if is_theirs == 0:
            planes[64 * 66 + target] = 1
    elif ATTACK <= kind <= SKIRMISH:
        planes[64 * (63 - is_theirs) + target] = 1
        if is_theirs == 0:
            fill_attack(state, own, start ^ flip, target ^ flip, flip, planes)


@kernel
def fill_attack(state, own, start, target, flip, planes):
    """67: hits at a king, or that can kill; 60 and 68: those under Royal Decree, who hits and, in 68, whom."""
    bonus = DECREE_BONUS if state.decree[own] > 0 else 0
    most = BASE_DAMAGE[TYPE_OF[state.piece[start]]] + DIE + bonus
    if TYPE_OF[state.piece[target]] == KING or state.hp[target] <= most:
        planes[64 * 67 + (target ^ flip)] = 1
    if bonus:
        planes[64 * 60 + (start ^ flip)] = 1
        planes[64 * 68 + (start ^ flip)] = 1
        planes[64 * 68 + (target ^ flip)] = 1


@kernel
def fill_square(place, ours, theirs, planes):
    """34 to 36 and 73: who attacks a square; 45: who holds it, if it is near the centre."""
    if ours > 0:
        planes[64 * 34 + place] = 1
        planes[64 * (36 if theirs > 0 else 73) + place] = 1
    if theirs > 0:
        planes[64 * 35 + place] = 1
    if ours != theirs:
        planes[64 * 45 + place] = centre_weight(place) if ours > theirs else -centre_weight(place)


@kernel
def centre_weight(place):
    """1 on the four squares in the middle, 0.5 on the twelve around them, else 0."""
    file, rank = place % 8, place // 8
    ring = max(abs(2 * file - 7), abs(2 * rank - 7))
    return 1.0 if ring == 1 else 0.5 if ring == 3 else 0.0


@kernel
def fill_threats(state, own, square, place, counts, planes):
    """43 and 44: how many attack a piece; 46 and 47: attacked and not defended; 48 and 49: defended."""
    side = SIDE_OF[state.piece[square]]
    is_theirs = 0 if side == own else 1
    attackers, defenders = counts[1 - side, square], counts[side, square]
    planes[64 * (43 + is_theirs) + place] = min(1.0, attackers / THREAT_SCALE)
    if attackers > 0 and defenders == 0:
        planes[64 * (46 + is_theirs) + place] = 1
    if defenders > 0:
        planes[64 * (48 + is_theirs) + place] = 1
