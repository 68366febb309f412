"""What a move of EXCHANGE does to a record, given the die."""

from __future__ import annotations

from playmill.core.jit import kernel
from playmill.games.exchange.board import (
    BASE_DAMAGE,
    COOLDOWN,
    DECREE_ACTIONS,
    DECREE_BONUS,
    EMPTY,
    FLIP,
    KING,
    MAX_HP,
    OVEREXTEND_COST,
    PAWN,
    PROMOTED,
    QUEEN,
    ROOK,
    SIDE_OF,
    TYPE_OF,
    WHITE,
)
from playmill.games.exchange.moves import (
    ADVANCE,
    ATTACK,
    CONSECRATION,
    DECREE,
    JUMP,
    MOVE,
    OVEREXTEND,
    PASS,
    SKIRMISH,
    first_piece,
    is_ready,
)
from playmill.games.exchange.repetition import note_position


@kernel
def rolls(action):
    """Whether the move throws the die."""
    kind = action & 7
    return action != PASS and (ATTACK <= kind <= CONSECRATION)


@kernel
def apply(state, action, die):
    """Play a legal move whose die, if it throws one, shows `die`."""
    side, kind = state.mover, action & 7
    start, end, target = action >> 15, action >> 9 & 63, action >> 3 & 63
    is_quiet = action == PASS or (kind == MOVE and TYPE_OF[state.piece[start]] != PAWN)
    is_quiet &= state.decree[0] == 0 and state.decree[1] == 0
    bonus = DECREE_BONUS if state.decree[side] > 0 else 0
    if action != PASS:
        act(state, side, start, end, target, kind, die + bonus)
    if action != PASS and kind == DECREE:
        state.decree[side] = DECREE_ACTIONS
    elif state.decree[side] > 0:
        state.decree[side] -= 1
    was_cooling = tick(state, side)
    state.mover = 1 - side
    state.turn += 1
    state.calm = 0 if ATTACK <= kind <= SKIRMISH and action != PASS else state.calm + 1
    if is_quiet and not was_cooling:
        note_position(state, 0 if action == PASS else 64 * start + end)
    else:
        state.trail[: state.quiet] = 0
        state.quiet = 0
        state.repeats = 1


@kernel
def act(state, side, start, end, target, kind, roll):
    """The piece's own doing; `roll` is the die with Royal Decree's bonus."""
    mine = TYPE_OF[state.piece[start]]
    if kind == SKIRMISH:
        strike(state, target, BASE_DAMAGE[mine] + roll)
    if end != start:
        shift(state, start, end)
    if kind in (ATTACK, JUMP, OVEREXTEND):
        strike(state, target, BASE_DAMAGE[mine] + roll)
    elif kind == CONSECRATION:
        most = MAX_HP[TYPE_OF[state.piece[target]]]
        state.hp[target] = min(most, state.hp[target] + roll)
    if kind in (OVEREXTEND, SKIRMISH, CONSECRATION):
        state.cooldown[end] = COOLDOWN[mine]
    elif kind == ADVANCE:
        # This turn's tick takes one off, and the next own turn is to be without.
        state.cooldown[end] = COOLDOWN[PAWN] + 1
    if kind in (SKIRMISH, CONSECRATION, DECREE):
        state.charges[end] -= 1
    if kind == OVEREXTEND:
        hurt(state, end, OVEREXTEND_COST)
    if mine == PAWN and end // 8 == (7 if side == WHITE else 0):
        promote(state, side, end)


@kernel
def shift(state, start, end):
    """Move all that a square holds to an empty one."""
    state.piece[end] = state.piece[start]
    state.hp[end] = state.hp[start]
    state.cooldown[end] = state.cooldown[start]
    state.charges[end] = state.charges[start]
    clear(state, start)
    if TYPE_OF[state.piece[end]] == KING:
        state.king[SIDE_OF[state.piece[end]]] = end


@kernel
def clear(state, square):
    state.piece[square] = EMPTY
    state.hp[square] = 0
    state.cooldown[square] = 0
    state.charges[square] = 0


@kernel
def promote(state, side, square):
    """A pawn becomes a queen with its share of HP, and nothing to wait for."""
    state.piece[square] = PROMOTED + side
    state.hp[square] = max(1, MAX_HP[QUEEN] * state.hp[square] // MAX_HP[PAWN])
    state.cooldown[square] = 0


@kernel
def strike(state, target, damage):
    """Attack damage, of which a rook that interposes takes the larger half."""
    rook = interposer(state, target)
    if rook < 0:
        hurt(state, target, damage)
        return
    state.cooldown[rook] = COOLDOWN[ROOK]
    state.charges[rook] -= 1
    hurt(state, target, damage // 2)
    hurt(state, rook, damage - damage // 2)


@kernel
def hurt(state, square, damage):
    if state.hp[square] > damage:
        state.hp[square] -= damage
        return
    code = state.piece[square]
    state.alive[SIDE_OF[code]] -= 1
    if TYPE_OF[code] == KING:
        state.king[SIDE_OF[code]] = -1
    clear(state, square)


@kernel
def interposer(state, target):
    """The square of the rook that steps in for the piece on `target`, or -1.

    Of two rooks it is the first in the order of squares as their owner sees them, rank by rank from the own side.
    """
    owner = SIDE_OF[state.piece[target]]
    best, found = 64, -1
    for direction in range(0, 8, 2):
        square, distance = first_piece(state, target, direction)
        if distance == 0 or SIDE_OF[state.piece[square]] != owner or TYPE_OF[state.piece[square]] != ROOK:
            continue
        seen = square if owner == WHITE else square ^ FLIP
        if is_ready(state, square, True) and seen < best:
            best, found = seen, square
    return found


@kernel
def tick(state, side):
    """Let the side's cooldowns tick; return whether any piece of either side had one before."""
    was_cooling = False
    for square in range(64):
        if state.cooldown[square] > 0:
            was_cooling = True
            if SIDE_OF[state.piece[square]] == side:
                state.cooldown[square] -= 1
    return was_cooling
