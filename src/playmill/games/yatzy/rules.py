"""Swedish Yatzy for two: fifteen categories each, three rolls a turn, the higher total wins.

Actions 0..30 keep dice and reroll the rest (bit 4 - i keeps `dice[i]`); 31, keep all, is never legal; 32..46 mark category
a - 32. `avail[p]` has bit 14 - category set while p has it open; `upper[p]` stops at 63; `total[p]` includes the bonus.
`dice` are sorted, and all 0 once the game is over. `turn` counts marks, 0..30.

Dice are keyed by the event, not by the way there. Turn t holds one chance word; from it come the rerolls of turn t (rolls 1
and 2) and the first roll of turn t + 1 (roll 0). Rerolling k dice takes the first k values of the roll.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix_word
from playmill.games.game import Game
from playmill.games.yatzy.card import draw_card
from playmill.games.yatzy.hands import (
    CATEGORIES,
    CATEGORY_COUNT,
    DICE,
    FACES,
    HAND_OF,
    HANDS,
    SCORES,
    UPPER_BONUS,
    UPPER_COUNT,
    UPPER_GOAL,
)
from playmill.games.yatzy.picture import draw_sheet
from playmill.games.yatzy.rolls import HAND_DICE, roll_chance

STATE = np.dtype(
    [
        ("avail", "<u2", 2),
        ("upper", "u1", 2),
        ("total", "<i2", 2),
        ("dice", "i1", DICE),
        ("rerolls", "u1"),
        ("mover", "u1"),
        ("turn", "u1"),
    ]
)
KEEP_ALL = 31  # also how many keeps are legal: 0..30
FIRST_MARK = 32
ACTIONS = FIRST_MARK + CATEGORY_COUNT
ALL_OPEN = (1 << CATEGORY_COUNT) - 1
REROLLS = 2
TURNS = 2 * CATEGORY_COUNT
BOARD_FEATURES = CATEGORY_COUNT + 3
FEATURES = 2 * BOARD_FEATURES + FACES + REROLLS + 1

# A roll is the five leading base-6 digits of its word's top 51 bits as a fraction, so dice are uniform to 1 in 10**11.
# The tables have the first three of them and the other two as dice, four bits each, the first one lowest; one table of all five
# would not stay in the cache beside a search.
FRACTION_BITS = np.uint64(51)
SPARE_BITS = np.uint64(13)
FRACTION = np.uint64((1 << 51) - 1)


def packed_dice(count: int, shift: int) -> np.ndarray[Any, Any]:
    """Int64 [6 ** count]: the base-6 digits of each number as dice."""
    numbers = range(FACES**count)
    return np.array([sum((n // FACES ** (count - 1 - i) % FACES + 1) << 4 * i for i in range(count)) << shift for n in numbers])


FIRST_DICE, LAST_DICE = packed_dice(3, 0), packed_dice(2, 12)
FIRST_COUNT, LAST_COUNT = np.uint64(len(FIRST_DICE)), np.uint64(len(LAST_DICE))

YATZY = Game(
    "yatzy",
    state=STATE,
    players=2,
    logits=ACTIONS,
    max_legal=KEEP_ALL + CATEGORY_COUNT,
    max_outcomes=len(HANDS),
    features=(FEATURES,),
    title="Swedish Yatzy for two; the solitaire game is solved",
    ruleset="swedish_scandinavian_v1",
    action_space="oracle_keepmask_v1",
)


@YATZY.kernel
def start(state, chance):
    for player in range(2):
        state.avail[player] = ALL_OPEN
    state.rerolls = REROLLS
    roll(state.dice, 0, mix_word(chance, np.uint64(0)))


@YATZY.kernel
def legal(state, actions):
    count = 0
    if state.rerolls > 0:
        for mask in range(KEEP_ALL):
            actions[mask] = mask
        count = KEEP_ALL
    return marks(state, actions, count)


@YATZY.kernel
def distinct(state, actions):
    """Like `legal`, with the lowest mask alone of those that keep the same dice: of equal dice, it keeps the last ones."""
    count = 0
    if state.rerolls > 0:
        same = equal_neighbours(state.dice)
        for mask in range(KEEP_ALL):
            actions[count] = mask  # overwritten by the next one if a lower mask keeps the same dice
            count += (mask & ~(mask << 1) & same) == 0
    return marks(state, actions, count)


@kernel
def equal_neighbours(dice):
    """The mask bits of the dice that equal the next one."""
    same = 0
    for i in range(DICE - 1):
        same |= (dice[i] == dice[i + 1]) << (DICE - 1 - i)
    return same


@kernel
def marks(state, actions, count):
    """Put the open categories of the mover behind the first `count` actions; return how many there are now."""
    avail = state.avail[state.mover]
    for category in range(CATEGORY_COUNT):
        actions[count] = FIRST_MARK + category  # overwritten by the next one if this category is taken
        count += avail >> (CATEGORY_COUNT - 1 - category) & 1
    return count


@YATZY.kernel
def decision(state):
    """0: keep or mark; 1: only marks are left."""
    return 0 if state.rerolls > 0 else 1


@YATZY.kernel
def play(state, action, chance):
    if action < KEEP_ALL:
        roll(state.dice, action, mix_word(chance, np.uint64(REROLLS + 1 - state.rerolls)))
        state.rerolls -= 1
        return
    mark(state, action - FIRST_MARK)
    state.mover = 1 - state.mover
    state.turn += 1
    if state.turn == TURNS:
        state.dice[:] = 0
        state.rerolls = 0
    else:
        state.rerolls = REROLLS
        roll(state.dice, 0, mix_word(chance, np.uint64(0)))


@YATZY.kernel
def afterstate(state, action):
    """The dice that are kept, or the marked board before the opponent's first roll: dice to be rolled are 0."""
    if action < KEEP_ALL:
        roll_none(state.dice, action)
        state.rerolls -= 1
        return
    mark(state, action - FIRST_MARK)
    state.mover = 1 - state.mover
    state.turn += 1
    state.dice[:] = 0
    state.rerolls = 0 if state.turn == TURNS else REROLLS


@YATZY.kernel
def meets_chance(state, action):
    """Not the last mark: nobody rolls after it."""
    return action < KEEP_ALL or state.turn + 1 < TURNS


@YATZY.kernel
def outcomes(state, action, records, probabilities):
    """Every hand that the roll after the action can make, in the order of `HANDS`."""
    keep = action if action < KEEP_ALL else 0
    count = 0
    for hand in range(HAND_DICE.shape[0]):
        chance = roll_chance(state.dice, keep, HAND_DICE[hand])
        if chance > 0:
            records[count] = state
            afterstate(records[count], action)
            records[count].dice[:] = HAND_DICE[hand]
            probabilities[count] = chance
            count += 1
    return count


@kernel
def roll_none(dice, keep):
    """Put 0 in the place of the dice that `keep` does not hold, in front of the others, which stay in order."""
    free = DICE
    for i in range(DICE - 1, -1, -1):
        if keep >> (DICE - 1 - i) & 1:
            free -= 1
            dice[free] = dice[i]
    dice[:free] = 0


@kernel
def mark(state, category):
    """Score the dice in a category for the mover."""
    player = state.mover
    points = score_of(state.dice, category)
    state.avail[player] &= ALL_OPEN ^ (1 << (CATEGORY_COUNT - 1 - category))
    if category < UPPER_COUNT:
        before = np.int64(state.upper[player])
        after = min(before + points, UPPER_GOAL)
        state.upper[player] = after
        if before < UPPER_GOAL <= after:
            points += UPPER_BONUS
    state.total[player] += points


@kernel
def score_of(dice, category):
    """What sorted dice score in a category."""
    code = 0
    for i in range(DICE):
        code = FACES * code + np.int64(dice[i]) - 1
    return np.int64(SCORES[HAND_OF[code], category])


@kernel
def roll(dice, keep, word):
    """Replace the dice that `keep` does not hold by the first values of `word`, and sort.

    Which dice are kept, and which is larger, are coin tosses to the processor: everything is computed and selected, nothing
    branches. The five dice stay in registers until they are sorted.
    """
    first = (word >> SPARE_BITS) * FIRST_COUNT
    last = (first & FRACTION) * LAST_COUNT
    left = FIRST_DICE[np.int64(first >> FRACTION_BITS)] | LAST_DICE[np.int64(last >> FRACTION_BITS)]
    a, left = kept_or_next(keep >> 4 & 1, np.int64(dice[0]), left)
    b, left = kept_or_next(keep >> 3 & 1, np.int64(dice[1]), left)
    c, left = kept_or_next(keep >> 2 & 1, np.int64(dice[2]), left)
    d, left = kept_or_next(keep >> 1 & 1, np.int64(dice[3]), left)
    e, left = kept_or_next(keep & 1, np.int64(dice[4]), left)
    dice[0], dice[1], dice[2], dice[3], dice[4] = sort(a, b, c, d, e)


@kernel
def kept_or_next(is_kept, die, left):
    """The die itself if it is kept, else the next of the packed ones; and what is left of those."""
    return (die if is_kept else left & 15), (left if is_kept else left >> 4)


@kernel
def sort(a, b, c, d, e):
    """The five in order: a sorting network of nine exchanges."""
    a, b = ordered(a, b)
    d, e = ordered(d, e)
    c, e = ordered(c, e)
    c, d = ordered(c, d)
    b, e = ordered(b, e)
    a, d = ordered(a, d)
    a, c = ordered(a, c)
    b, d = ordered(b, d)
    b, c = ordered(b, c)
    return a, b, c, d, e


@kernel
def ordered(a, b):
    """The smaller one, then the larger one."""
    low = min(a, b)
    return low, a + b - low


@YATZY.kernel
def outcome(state, scores):
    if state.turn < TURNS:
        return False
    lead = np.int64(state.total[0]) - np.int64(state.total[1])
    scores[0] = np.sign(lead)
    scores[1] = -np.sign(lead)
    return True


@YATZY.kernel
def points(state, out):
    out[0] = state.total[0]
    out[1] = state.total[1]


@YATZY.kernel
def chance_key(state):
    return np.uint64(state.turn)


@YATZY.kernel
def encode(state, planes):
    """Schema 1: the mover's board, the opponent's, face counts, rerolls one-hot."""
    board(state, state.mover, planes[:BOARD_FEATURES])
    board(state, 1 - state.mover, planes[BOARD_FEATURES : 2 * BOARD_FEATURES])
    faces = planes[2 * BOARD_FEATURES : 2 * BOARD_FEATURES + FACES]
    for i in range(DICE):
        if state.dice[i] > 0:
            faces[state.dice[i] - 1] += np.float32(1 / DICE)
    planes[2 * BOARD_FEATURES + FACES + state.rerolls] = 1


@kernel
def board(state, player, row):
    """Fifteen availability flags, upper / 63, total / 400, filled / 15."""
    filled = CATEGORY_COUNT
    for category in range(CATEGORY_COUNT):
        is_open = state.avail[player] >> (CATEGORY_COUNT - 1 - category) & 1
        row[category] = is_open
        filled -= is_open
    row[CATEGORY_COUNT] = state.upper[player] / UPPER_GOAL
    row[CATEGORY_COUNT + 1] = state.total[player] / 400
    row[CATEGORY_COUNT + 2] = filled / CATEGORY_COUNT


@YATZY.kernel
def swap(state):
    exchange(state.avail)
    exchange(state.upper)
    exchange(state.total)
    state.mover = 1 - state.mover


@kernel
def exchange(pair):
    first = pair[0]
    pair[0] = pair[1]
    pair[1] = first


@YATZY.show
def show(state) -> str:
    boards = " | ".join(_board_text(state, player) for player in range(2))
    if state.turn == TURNS:
        return f"{boards} over"
    dice = "".join(str(die) for die in state.dice)
    return f"{boards} dice {dice}, {state.rerolls} rerolls, player {state.mover} to move"


YATZY.draw(draw_card)
YATZY.picture(draw_sheet)


def _board_text(state, player) -> str:
    bits = f"{int(state.avail[player]):015b}"
    return f"{state.total[player]} ({state.upper[player]}/63) {bits}"


@YATZY.name_action
def name_action(state, action: int) -> str:
    if action >= FIRST_MARK:
        return f"mark {CATEGORIES[action - FIRST_MARK]}"
    kept = "".join(str(die) for i, die in enumerate(state.dice) if action >> (DICE - 1 - i) & 1)
    return f"keep {kept}" if kept else "reroll all"


@YATZY.group_action
def group_action(state, action: int) -> str:
    return "mark" if action >= FIRST_MARK else "keep"


@YATZY.tell_move
def tell_move(before, action: int, after) -> str:
    """What a reroll came to, and what a mark scored."""
    if action >= FIRST_MARK:
        gained = int(after.total[before.mover]) - int(before.total[before.mover])
        return f"{gained} points, {after.total[before.mover]} in all"
    return f"{' '.join(str(die) for die in before.dice)} becomes {' '.join(str(die) for die in after.dice)}"
