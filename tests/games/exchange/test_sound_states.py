"""Random games of EXCHANGE in compiled code: no state that the rules forbid, and every move its own number and logits."""

import numpy as np
import pytest

from playmill.core.jit import kernel
from playmill.core.seeds import below_word, mix_word
from playmill.games.exchange.board import CHARGES, EMPTY, MAX_HP, SEEN_COOLDOWN, SIDE_OF, TYPE_OF
from playmill.games.exchange.rules import EXCHANGE, legal, logit_ids, outcome, play

KING, PAWN = 0, 5
MOST_COOLDOWN = np.array(SEEN_COOLDOWN)
SOUND, BAD_PIECE, BAD_COUNT, BAD_TURN, BAD_MOVES, BAD_LOGITS = range(6)


@kernel
def judge(state):
    """SOUND, or what is wrong with a record."""
    alive, kings = np.zeros(2, np.int64), np.full(2, -1)
    for square in range(64):
        code = state.piece[square]
        if code == EMPTY:
            if state.hp[square] != 0 or state.cooldown[square] != 0 or state.charges[square] != 0:
                return BAD_PIECE
            continue
        side, kind = SIDE_OF[code], TYPE_OF[code]
        alive[side] += 1
        if kind == KING:
            kings[side] = square
        if not (
            1 <= state.hp[square] <= MAX_HP[kind]
            and 0 <= state.cooldown[square] <= MOST_COOLDOWN[kind]
            and 0 <= state.charges[square] <= CHARGES[kind]
            and (kind != PAWN or 8 <= square < 56)
        ):
            return BAD_PIECE
    for side in range(2):
        if alive[side] != state.alive[side] or kings[side] != state.king[side] or not 0 <= state.decree[side] <= 2:
            return BAD_COUNT
    is_in_range = state.turn <= 300 and state.quiet <= state.calm <= state.turn and 1 <= state.repeats <= 3
    return SOUND if is_in_range and state.mover == state.turn % 2 else BAD_TURN


@kernel
def judge_moves(state, actions, count, seen):
    """Whether numbers ascend and logits are in range and shared by no two moves; `seen` is [4608 * 513] of old marks."""
    for i in range(count):
        if i > 0 and actions[i] <= actions[i - 1]:
            return BAD_MOVES
        first, second = logit_ids(state, np.int64(actions[i]))
        if not (0 <= first < 4096 and (second == -1 or 4096 <= second < 4608)):
            return BAD_LOGITS
        pair = first * 513 + (0 if second == -1 else second - 4095)
        if seen[pair] == state.turn + 1:
            return BAD_LOGITS
        seen[pair] = state.turn + 1
    return SOUND


@kernel
def walk(record, seed, actions, scores, seen):
    """Play one random game; return its plies and the first fault."""
    seen[:] = 0
    while not outcome(record, scores):
        count = legal(record, actions)
        fault = max(judge(record), judge_moves(record, actions, count, seen))
        if fault != SOUND:
            return record.turn, fault
        word = mix_word(seed, np.uint64(record.turn))
        play(record, np.int64(actions[below_word(word, count)]), mix_word(word, np.uint64(1)))
    return record.turn, judge(record)


def check(games):
    actions, scores = np.empty(EXCHANGE.max_legal, np.int32), np.zeros(2)
    seen, positions = np.zeros(4096 * 513, np.int16), 0
    for number in range(games):
        records = np.array([EXCHANGE.new(number).record], EXCHANGE.state)
        plies, fault = walk(records[0], np.uint64(number), actions, scores, seen)
        assert fault == SOUND, f"fault {fault} after {plies} plies of game {number}"
        positions += int(plies)
    return positions


@pytest.mark.jit
def test_random_games_have_only_sound_states_and_moves_with_numbers_and_logits_of_their_own():
    assert check(400) > 100_000


@pytest.mark.jit
@pytest.mark.slow
def test_ten_thousand_random_games_have_only_sound_states():
    assert check(10_000) > 2_000_000


@pytest.mark.jit
@pytest.mark.parametrize(
    ("field", "place", "value", "fault"),
    [("hp", 0, 14, BAD_PIECE), ("hp", 30, 1, BAD_PIECE), ("charges", 4, 4, BAD_PIECE), ("alive", 0, 15, BAD_COUNT),
     ("king", 0, 5, BAD_COUNT), ("piece", 60, 0, BAD_PIECE), ("decree", 1, 3, BAD_COUNT)],
)  # fmt: skip
def test_the_judge_sees_faults(field, place, value, fault):
    record = np.array([EXCHANGE.new(0).record], EXCHANGE.state)[0]
    assert judge(record) == SOUND
    record[field][place] = value
    assert judge(record) == fault
