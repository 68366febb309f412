"""EXCHANGE: chess pieces with hit points; a hit throws a die, abilities cool down, and the dead king's side has lost.

The record is that of `board.py`, the actions are the moves of `moves.py`. A draw is worth -0.5 to both sides.

The policy has 4608 logits, squares as the side to move sees them: 64 * to + from for the two squares of a move (the target
stands for `to` where the piece stays), and 4096 + 64 * direction + square, for the moves that also aim: from the landing
square of a knight's jump with a hit and of Overextend, from the knight's own in Skirmish.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import below_word, mix_word
from playmill.games.exchange.board import (
    CHARGES,
    DIE,
    FIRST_RANKS,
    FLIP,
    MAX_HP,
    MAX_REPEATS,
    MAX_TURNS,
    PAWN,
    STATE,
    WHITE,
)
from playmill.games.exchange.effects import apply, rolls
from playmill.games.exchange.move_text import LEGEND as MOVE_LEGEND
from playmill.games.exchange.move_text import move_text, piece_text, read_move
from playmill.games.exchange.moves import (
    ACTIONS,
    ATTACK,
    CONSECRATION,
    JUMP,
    MAX_LEGAL,
    OVEREXTEND,
    PASS,
    SKIRMISH,
    generate,
)
from playmill.games.exchange.picture import draw_board, mark_move
from playmill.games.exchange.planes import PLANES, fill_planes
from playmill.games.exchange.position_text import position_text
from playmill.games.exchange.table import LEGEND as BOARD_LEGEND
from playmill.games.exchange.table import draw_table
from playmill.games.exchange.telling import tell_move
from playmill.games.game import Game
from playmill.games.state import State

PAIRS = 64 * 64
LOGITS = PAIRS + 64 * 8
DRAW = -0.5
BACK_RANKS = np.array(FIRST_RANKS)

EXCHANGE = Game(
    "exchange",
    state=STATE,
    players=2,
    logits=LOGITS,
    actions=ACTIONS,
    max_legal=MAX_LEGAL,
    max_outcomes=DIE,
    features=(PLANES, 8, 8),
    title="chess pieces with hit points, dice and abilities",
    legend={**BOARD_LEGEND, **MOVE_LEGEND},
    zero_sum=False,
    draw_utility=DRAW,
)


@EXCHANGE.kernel
def start(state, chance):
    for file in range(8):
        put(state, file, WHITE, BACK_RANKS[file])
        put(state, 8 + file, WHITE, PAWN)
        put(state, 48 + file, 1, PAWN)
        put(state, 56 + file, 1, BACK_RANKS[file])
    state.king[0], state.king[1] = 4, 60
    state.alive[:] = 16
    state.repeats = 1


@kernel
def put(state, square, side, kind):
    """A fresh piece on an empty square."""
    state.piece[square] = 6 * side + kind + 1
    state.hp[square] = MAX_HP[kind]
    state.charges[square] = CHARGES[kind]


@EXCHANGE.kernel
def legal(state, actions):
    return generate(state, state.mover, actions)


@EXCHANGE.kernel
def play(state, action, chance):
    apply(state, action, below_word(chance, DIE) + 1)


@EXCHANGE.kernel
def outcome(state, scores):
    if state.king[0] >= 0 and state.king[1] >= 0:
        only_kings = state.alive[0] == 1 and state.alive[1] == 1
        if not only_kings and state.repeats < MAX_REPEATS and state.turn < MAX_TURNS:
            return False
        scores[0] = DRAW
        scores[1] = DRAW
        return True
    winner = 0 if state.king[1] < 0 else 1
    scores[winner] = 1.0
    scores[1 - winner] = -1.0
    return True


@EXCHANGE.kernel
def chance_key(state):
    return np.uint64(state.turn)


@EXCHANGE.kernel
def meets_chance(state, action):
    return rolls(action)


@EXCHANGE.kernel
def outcomes(state, action, records, probabilities):
    """A state for each face; faces that kill alike, or heal up to the maximum alike, are one."""
    count = 0
    for die in range(1, DIE + 1):
        records[count] = state
        apply(records[count], action, die)
        if count > 0 and is_same(records[count - 1], records[count]):
            probabilities[count - 1] += 1 / DIE
        else:
            probabilities[count] = 1 / DIE
            count += 1
    return count


@kernel
def is_same(one, other):
    """Whether two faces made the same of one state. More damage never gives back HP, so equal ones are neighbours."""
    same = True
    for square in range(64):
        same &= one.piece[square] == other.piece[square] and one.hp[square] == other.hp[square]
    return same


@EXCHANGE.kernel
def logit_ids(state, action):
    if action == PASS:
        return 0, -1
    flip = 0 if state.mover == WHITE else FLIP
    kind = action & 7
    start, end, target = action >> 15 ^ flip, (action >> 9 & 63) ^ flip, (action >> 3 & 63) ^ flip
    pair = 64 * (target if kind in (ATTACK, CONSECRATION) else end) + start
    if kind in (JUMP, OVEREXTEND):
        return pair, PAIRS + 64 * direction_of(end, target) + end
    if kind == SKIRMISH:
        return pair, PAIRS + 64 * direction_of(start, target) + start
    return pair, -1


@kernel
def direction_of(start, target):
    """Which of the eight directions leads from one square to another on its line; numbered as in `board.py`."""
    x, y = target % 8 - start % 8, target // 8 - start // 8
    if x == 0:
        return 0 if y > 0 else 4
    if y == 0:
        return 2 if x > 0 else 6
    if x > 0:
        return 1 if y > 0 else 3
    return 7 if y > 0 else 5


@kernel
def position_word(state):
    """A hash of all that a repetition repeats, and of the turn and the calm plies."""
    word = np.uint64(state.turn) << np.uint64(32) | np.uint64(state.calm) << np.uint64(16) | np.uint64(state.repeats)
    word = mix_word(word, np.uint64(4 * state.decree[0] + state.decree[1]))
    for square in range(64):
        code = np.int64(state.piece[square])
        if code:
            cell = square << 32 | code << 24 | np.int64(state.hp[square]) << 16
            cell |= np.int64(state.cooldown[square]) << 8 | np.int64(state.charges[square])
            word = mix_word(word, np.uint64(cell))
    return word


@EXCHANGE.kernel
def key(state):
    word = mix_word(position_word(state), np.uint64(state.quiet))
    for i in range(state.quiet):
        word = mix_word(word, np.uint64(state.trail[i]))
    return word


@EXCHANGE.kernel
def eval_key(state):
    """A network sees how often a position has been there, not what led to it; the turn says who moves."""
    return position_word(state)


@EXCHANGE.kernel
def encode(state, planes):
    fill_planes(state, planes)


EXCHANGE.draw(draw_table)
EXCHANGE.picture(draw_board)
EXCHANGE.read_action(read_move)
EXCHANGE.group_action(piece_text)
EXCHANGE.tell_move(tell_move)
EXCHANGE.mark_move(mark_move)


@EXCHANGE.show
def show(state) -> str:
    return position_text(state)


@EXCHANGE.read_state
def read_state(text: str, seed: int) -> State:
    from playmill.games.exchange.notation import read_position

    records = read_position(text)
    return State(EXCHANGE, records, seed, int(records[0].turn))


@EXCHANGE.name_action
def name_action(state, action: int) -> str:
    return move_text(action)
