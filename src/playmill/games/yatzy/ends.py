"""The ends of a turn as positions: what a network must value so that the turn itself can be solved exactly.

A turn closes in one of at most 120 ways (a category and its points, `turn.py`). After each, the opponent is to move on known
boards with dice not yet rolled. Given a value for those, every keep and mark of the turn follows by exact expectation.
"""

from __future__ import annotations

import numpy as np

from playmill.core.jit import kernel
from playmill.games.heads import POINTS_UNIT
from playmill.games.kernels import encode
from playmill.games.yatzy.hands import CATEGORY_COUNT, UPPER_GOAL
from playmill.games.yatzy.rules import FIRST_MARK, REROLLS, TURNS, distinct
from playmill.games.yatzy.turn import (
    END_CATEGORY,
    END_COUNT,
    END_OF,
    END_POINTS,
    EVERY_CATEGORY,
    KEEP_COUNT,
    KEEP_OF,
    advance,
    best_marks,
    choose,
    expect,
    hand_of,
)

BY_POINTS, BY_WIN = 0, 1


@kernel
def before_roll(state):
    """Turn a state into the same one before its first roll: no dice, all rerolls."""
    state.dice[:] = 0
    state.rerolls = REROLLS


@kernel
def before_rolls(records):
    """`before_roll` for many."""
    for i in range(records.size):
        before_roll(records[i])


@kernel
def close_turn(state, category, points):
    """Mark a category with given points, as `rules.mark` does with the dice's own; the next roll is not made."""
    player = state.mover
    after, gained = advance(np.int64(state.upper[player]), category, points)
    state.avail[player] &= ~(1 << (CATEGORY_COUNT - 1 - category)) & 0x7FFF
    state.upper[player] = min(after, UPPER_GOAL)
    state.total[player] += gained
    state.mover = 1 - player
    state.turn += 1
    before_roll(state)


@kernel
def end_rows(game, records, utility, scratch, features, row_of):
    """Write the features of all ends of the turns that `records` are in; return how many rows were filled.

    row_of[end, lane] is the end's row, or -1 where it needs no network: its category is taken, or nothing comes after it.
    For points, ends that leave the same open categories and upper total share a row: what is still to come is the same.
    `scratch` is one record.
    """
    row = 0
    for lane in range(records.size):
        state = records[lane]
        upper = np.int64(state.upper[state.mover])
        is_last = state.turn + (2 if utility[lane] == BY_POINTS else 1) >= TURNS
        known_category, known_upper = -1, -1
        for end in range(END_COUNT):
            category, points = np.int64(END_CATEGORY[end]), np.int64(END_POINTS[end])
            row_of[end, lane] = -1
            if is_last or not is_open(state, category):
                continue
            after, _ = advance(upper, category, points)
            if utility[lane] == BY_WIN or category != known_category or after != known_upper:
                scratch[0] = state
                close_turn(scratch[0], category, points)
                features[row, :] = 0
                encode(game, scratch[0], features[row])
                row += 1
            known_category, known_upper = category, after
            row_of[end, lane] = row - 1
    return row


@kernel
def is_open(state, category):
    return state.avail[state.mover] >> (CATEGORY_COUNT - 1 - category) & 1 == 1


@kernel
def end_utilities(records, row_of, values, head_win, head_togo, utility, ends):
    """Fill ends[end, lane] with what closing the turn so is worth to its mover; minus infinity where it can't be.

    utility[lane] chooses: BY_POINTS, the points gained now and later (head `head_togo`, the score to go of the side not to
    move); BY_WIN, minus the opponent's chance (head `head_win`).
    """
    for lane in range(records.size):
        state = records[lane]
        me, they = np.int64(state.mover), 1 - np.int64(state.mover)
        lead = np.int64(state.total[me]) - np.int64(state.total[they])
        for end in range(END_COUNT):
            if not is_open(state, END_CATEGORY[end]):
                ends[end, lane] = -np.inf
                continue
            _, gained = advance(np.int64(state.upper[me]), np.int64(END_CATEGORY[end]), np.int64(END_POINTS[end]))
            row = row_of[end, lane]
            if utility[lane] == BY_POINTS:
                ends[end, lane] = gained + (0.0 if row < 0 else POINTS_UNIT * values[row, head_togo])
            elif row < 0:
                ends[end, lane] = np.sign(lead + gained)
            else:
                ends[end, lane] = -values[row, head_win]


@kernel
def solve_turns(ends, work, ends_out, keeps_out, value):
    """Solve all lanes: ends_out[lane, end], keeps_out[lane, left - 1, keep], and value[lane] before the first roll.

    `work` is float64 [KEEP_COUNT, lanes].
    """
    best_marks(ends, EVERY_CATEGORY, work)
    for lane in range(value.size):
        for end in range(END_COUNT):
            ends_out[lane, end] = ends[end, lane]
    for left in range(1, REROLLS + 1):
        expect(work)
        for lane in range(value.size):
            for keep in range(KEEP_COUNT):
                keeps_out[lane, left - 1, keep] = work[keep, lane]
        choose(work)
    expect(work)
    value[:] = work[0]


@kernel
def action_values(state, ends, keeps, actions, values):
    """Fill `actions` with the distinct ones of a state inside a solved turn, and `values` with their worth; return how many."""
    count = distinct(state, actions)
    hand = hand_of(state.dice)
    for i in range(count):
        action = actions[i]
        if action >= FIRST_MARK:
            values[i] = ends[END_OF[hand, action - FIRST_MARK]]
        else:
            values[i] = keeps[state.rerolls - 1, KEEP_OF[hand, action]]
    return count
