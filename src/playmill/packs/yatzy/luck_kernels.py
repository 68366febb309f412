"""Every decision of recorded Yatzy games against the solved solitaire game: what the roll gave, what the choice cost.

A roll leads from a keep (the empty one at a turn's beginning) to one of the hands that contain it, with known chances. So
what it was worth on average is a sum over hands, exactly, and what it gave beyond that is luck. Two worths are followed:
the expected points of the mover's own board, and a guess of the probability that player 0 wins. Luck has mean zero under
any guess, since the dice don't know it; a good guess only makes what is left smaller.
"""

from __future__ import annotations

import math

import numpy as np

from playmill.core.jit import kernel
from playmill.games.yatzy.hands import CATEGORY_COUNT
from playmill.games.yatzy.rules import FIRST_MARK, KEEP_ALL, REROLLS
from playmill.games.yatzy.turn import (
    CANONICAL,
    END_COUNT,
    END_OF,
    EVERY_CATEGORY,
    FIRST_HAND,
    HAND_COUNT,
    KEEP_COUNT,
    KEEP_OF,
    LANES,
    ONE_MORE,
    best_marks,
    board_ends,
    choose,
    expect,
    hand_of,
)

KEEP_2, KEEP_1, MARK, EARLY_MARK = 0, 1, 2, 3
KINDS = ("keep_2", "keep_1", "mark", "early_mark")

APPRAISAL = np.dtype(
    [
        ("player", "i1"),
        ("kind", "i1"),  # an index into KINDS
        ("is_best", "?"),  # the oracle's own choice, or a mask that means the same
        ("expected", "<f8"),  # points to come before the roll
        ("best", "<f8"),  # after it
        ("chosen", "<f8"),  # after the choice, the points of a mark with them
        ("win_expected", "<f8"),  # the same for the guess that player 0 wins, before the roll
        ("win", "<f8"),  # and after it
    ]
)

# Variance in points that a roll brings, by its number in the turn; measured over 8,000 games of best play. It only sets how
# sure the guess of the winner is. With it the variance of a pair of good players falls four- to fivefold.
ROLL_VARIANCE = np.array([15.0, 32.0, 52.0])


def _chances():
    """chances[keep, hand]: how likely the missing dice make that hand of the keep."""
    chances = np.zeros((KEEP_COUNT, HAND_COUNT))
    chances[FIRST_HAND:] = np.eye(HAND_COUNT)
    for keep in range(FIRST_HAND - 1, -1, -1):
        chances[keep] = chances[ONE_MORE[keep]].mean(axis=0)
    chances.setflags(write=False)
    return chances


CHANCES = _chances()


@kernel
def appraise(table, records, actions, out):
    """Fill out[i], APPRAISAL, for the decision actions[i] in records[i]; whole games, decisions in order."""
    avail, upper = np.empty(records.size, np.int64), np.empty(records.size, np.int64)
    hands, rolled = np.empty(records.size, np.int64), np.empty(records.size, np.int64)
    for i in range(records.size):
        state = records[i]
        avail[i], upper[i] = state.avail[state.mover], state.upper[state.mover]
        hands[i] = hand_of(state.dice)
        # The keep that was rolled from: what the choice before left, or nothing at a turn's beginning.
        rolled[i] = 0 if state.rerolls == REROLLS else KEEP_OF[hands[i - 1], actions[i - 1]]
    for first in range(0, records.size, LANES):
        some = slice(first, min(first + LANES, records.size))
        _appraise_lanes(table, records[some], actions[some], avail[some], upper[some], hands[some], rolled[some], out[some])


@kernel
def _appraise_lanes(table, records, actions, avail, upper, hands, rolled, out):
    """The oracle's turn for some positions at once, stopping at each stage for those that stand there."""
    ends, values = np.empty((END_COUNT, avail.size)), np.empty((KEEP_COUNT, avail.size))
    board_ends(table, avail, upper, ends)
    best_marks(ends, EVERY_CATEGORY, values)
    for left in range(REROLLS + 1):
        if left > 0:
            expect(values)
        for lane in range(avail.size):
            if records[lane].rerolls == left:
                _see_choice(ends, values, lane, hands[lane], left, actions[lane], out[lane])
        if left > 0:
            choose(values)
        for lane in range(avail.size):
            if records[lane].rerolls == left:
                _see_roll(table, records[lane], values, lane, hands[lane], rolled[lane], out[lane])


@kernel
def _see_choice(ends, values, lane, hand, left, action, row):
    """Note the best value and the chosen one; `values` hold each keep's worth with `left` rerolls."""
    best, best_value = -1, -np.inf
    if left > 0:
        for mask in range(KEEP_ALL):
            value = values[KEEP_OF[hand, mask], lane]
            if value > best_value:
                best, best_value = mask, value
    for category in range(CATEGORY_COUNT):
        value = ends[END_OF[hand, category], lane]
        if value > best_value:
            best, best_value = FIRST_MARK + category, value
    row.best = best_value
    if action < FIRST_MARK:
        row.kind = KEEP_2 if left == REROLLS else KEEP_1
        row.chosen = values[KEEP_OF[hand, action], lane]
        row.is_best = CANONICAL[hand, action] == best
    else:
        row.kind = EARLY_MARK if left > 0 else MARK
        row.chosen = ends[END_OF[hand, action - FIRST_MARK], lane]
        row.is_best = action == best


@kernel
def _see_roll(table, state, values, lane, hand, rolled, row):
    """Note what the roll from the keep `rolled` was worth on average, and what it gave; `values` hold each hand's worth."""
    mover = state.mover
    other = 1 - mover
    lead = np.float64(state.total[mover]) - state.total[other] - table[state.avail[other], state.upper[other]]
    spread = _spread(state)
    points, wins = 0.0, 0.0
    for h in range(HAND_COUNT):
        chance = CHANCES[rolled, h]
        if chance > 0:
            value = values[FIRST_HAND + h, lane]
            points += chance * value
            wins += chance * _win(lead + value, spread)
    win = _win(lead + values[FIRST_HAND + hand, lane], spread)
    row.player = mover
    row.expected = points
    row.win_expected = wins if mover == 0 else 1 - wins
    row.win = win if mover == 0 else 1 - win


@kernel
def _spread(state):
    """The standard deviation of the final score difference that all rolls to come bring."""
    variance = 0.0
    for roll in range(REROLLS + 1 - state.rerolls, REROLLS + 1):
        variance += ROLL_VARIANCE[roll]
    turns_to_come = 2 * CATEGORY_COUNT - 1 - np.int64(state.turn)
    return math.sqrt(variance + turns_to_come * ROLL_VARIANCE.sum())


@kernel
def _win(lead, spread):
    """How likely a lead is to last: a normal guess, and certainty where nothing more is rolled."""
    if spread == 0:
        return 0.5 + 0.5 * np.sign(lead)
    return 0.5 * math.erfc(-lead / (spread * math.sqrt(2.0)))
