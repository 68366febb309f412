"""One player's turn as an exact decision problem, and the solitaire game as 2**15 x 64 of them.

A *keep* is what a hand leaves on the table: one of the 462 multisets of up to five dice, numbered by size, so that the last
252 are the hands. An *end* is one of the 120 ways a turn can close: a category and the points it gets. `values[keep, lane]`
holds one board a lane; all lanes go through the same steps, so the inner loops are plain loops along memory that LLVM turns
into vector code. A turn is: put the best mark of every hand into its row, then

    expect    what each smaller keep is worth once its missing dice are rolled
    choose    what each hand is worth if any of its keeps may be rerolled

twice, once for each reroll, and `expect` a last time: row 0, the empty keep, is the value of the board before its first roll.
`table[avail, upper]`, float64, holds that value for every board. No lane sees another, and every lane adds in the same order,
so a value has the same bytes whoever computes it.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import START, mix_word
from playmill.games.yatzy.hands import CATEGORY_COUNT, DICE, FACES, HAND_OF, HANDS, SCORES, UPPER_BONUS, UPPER_COUNT, UPPER_GOAL
from playmill.games.yatzy.rules import ALL_OPEN, FIRST_MARK, KEEP_ALL, REROLLS, mark, roll

BOARDS = ALL_OPEN + 1
UPPERS = UPPER_GOAL + 1
LANES = 64  # boards a sweep: 236 KB of values, which the second-level cache holds; with 16 a board took twice as long
GROUP = 3  # rows that one pass over memory compares: it loads and stores the running best once for all of them
SIXTH = 1 / FACES
START_EVENT = np.uint64(START)

KEEPS = [keep for size in range(DICE + 1) for keep in combinations_with_replacement(range(1, FACES + 1), size)]
KEEP_COUNT, HAND_COUNT = len(KEEPS), len(HANDS)
FIRST_HAND = KEEP_COUNT - HAND_COUNT
_INDEX = {keep: index for index, keep in enumerate(KEEPS)}


# ------------------------------------------------------------------ tables


def _in_groups(items):
    """The items in rows of GROUP, the last one repeated to fill its row: a maximum does not mind."""
    padded = [*items, *items[-1:] * (-len(items) % GROUP)]
    return [padded[i : i + GROUP] for i in range(0, len(padded), GROUP)]


def _one_less(keep):
    """The keeps with one die of `keep` taken away."""
    return sorted({_INDEX[keep[:i] + keep[i + 1 :]] for i in range(len(keep))})


def _kept(hand, mask):
    """The keep that a mask makes of a hand."""
    return _INDEX[tuple(die for i, die in enumerate(hand) if mask >> (DICE - 1 - i) & 1)]


def _frozen(rows):
    array = np.array(rows, np.int16)
    array.setflags(write=False)
    return array


ONE_MORE = _frozen([[_INDEX[tuple(sorted((*keep, face)))] for face in range(1, FACES + 1)] for keep in KEEPS[:FIRST_HAND]])
# Rows of (keep, GROUP keeps that have one die less), small keeps first.
ONE_LESS = _frozen([[_INDEX[keep], *group] for keep in KEEPS for group in _in_groups(_one_less(keep))])
KEEP_OF = _frozen([[_kept(hand, mask) for mask in range(1 << DICE)] for hand in HANDS])
CANONICAL = _frozen([[list(row).index(keep) for keep in row] for row in KEEP_OF.tolist()])

_ENDS = sorted({(category, int(row[category])) for row in SCORES for category in range(CATEGORY_COUNT)})
END_COUNT = len(_ENDS)
END_CATEGORY = _frozen([category for category, _ in _ENDS])
END_POINTS = _frozen([points for _, points in _ENDS])
END_OF = _frozen([[_ENDS.index((c, int(row[c]))) for c in range(CATEGORY_COUNT)] for row in SCORES])
EVERY_CATEGORY = _frozen(range(CATEGORY_COUNT))


# ------------------------------------------------------------------ the turn, all lanes at once


@kernel
def best_marks(ends, categories, values):
    """Put the best mark of each hand into its row; `categories` come in whole groups."""
    for hand in range(HAND_COUNT):
        row, end_of = values[FIRST_HAND + hand], END_OF[hand]
        row[:] = -np.inf
        for i in range(0, categories.size, GROUP):
            a, b, c = ends[end_of[categories[i]]], ends[end_of[categories[i + 1]]], ends[end_of[categories[i + 2]]]
            for lane in range(row.size):
                best = row[lane]
                best = a[lane] if a[lane] > best else best  # max() looks after NaN, and so is no vector instruction
                best = b[lane] if b[lane] > best else best
                best = c[lane] if c[lane] > best else best
                row[lane] = best


@kernel
def expect(values):
    """Fill the keeps below five dice, the largest first, with the mean of the six keeps that one more die makes."""
    for keep in range(FIRST_HAND - 1, -1, -1):
        more = ONE_MORE[keep]
        a, b, c = values[more[0]], values[more[1]], values[more[2]]
        d, e, f = values[more[3]], values[more[4]], values[more[5]]
        row = values[keep]
        for lane in range(row.size):
            row[lane] = (a[lane] + b[lane] + c[lane] + d[lane] + e[lane] + f[lane]) * SIXTH


@kernel
def choose(values):
    """Raise every keep to the best of the keeps inside it; a hand then has its value with one more reroll."""
    for i in range(ONE_LESS.shape[0]):
        less = ONE_LESS[i]
        row, a, b, c = values[less[0]], values[less[1]], values[less[2]], values[less[3]]
        for lane in range(row.size):
            best = row[lane]
            best = a[lane] if a[lane] > best else best
            best = b[lane] if b[lane] > best else best
            best = c[lane] if c[lane] > best else best
            row[lane] = best


# ------------------------------------------------------------------ boards


@kernel
def advance(upper, category, points):
    """Return the upper total after a mark, and the points with the bonus where it is earned."""
    if category >= UPPER_COUNT:
        return upper, points
    after = min(upper + points, UPPER_GOAL)
    return after, points + UPPER_BONUS if upper < UPPER_GOAL <= after else points


@kernel
def open_categories(avail, categories):
    """Fill `categories` with the open ones, the last one repeated; return how many make whole groups."""
    count = 0
    for category in range(CATEGORY_COUNT):
        if avail >> (CATEGORY_COUNT - 1 - category) & 1:
            categories[count:] = category
            count += 1
    return (count + GROUP - 1) // GROUP * GROUP


@kernel
def mask_ends(table, avail, ends):
    """Fill ends[end, upper] with what closing the turn so is worth; ends of taken categories are left as they are."""
    for end in range(END_COUNT):
        category, points = np.int64(END_CATEGORY[end]), np.int64(END_POINTS[end])
        bit = 1 << (CATEGORY_COUNT - 1 - category)
        if avail & bit:
            later, row = table[avail ^ bit], ends[end]
            for upper in range(UPPERS):
                after, gained = advance(upper, category, points)
                row[upper] = gained + later[after]


@kernel
def board_ends(table, avail, upper, ends):
    """Fill ends[end, lane] for the boards avail[lane], upper[lane]; minus infinity where the category is taken."""
    for end in range(END_COUNT):
        category, points = np.int64(END_CATEGORY[end]), np.int64(END_POINTS[end])
        bit = 1 << (CATEGORY_COUNT - 1 - category)
        for lane in range(avail.size):
            after, gained = advance(upper[lane], category, points)
            ends[end, lane] = gained + table[avail[lane] ^ bit, after] if avail[lane] & bit else -np.inf


@kernel
def solve_masks(table, masks, out):
    """Fill out[i, upper], the row of masks[i]; those of the table with one category less must be there already."""
    ends, values = np.empty((END_COUNT, UPPERS)), np.empty((KEEP_COUNT, UPPERS))
    categories = np.empty(CATEGORY_COUNT, np.int64)
    for i in range(masks.size):
        mask = masks[i]
        mask_ends(table, mask, ends)
        best_marks(ends, categories[: open_categories(mask, categories)], values)
        for _ in range(REROLLS):
            expect(values)
            choose(values)
        expect(values)
        out[i] = values[0]


# ------------------------------------------------------------------ the actions of many positions


@kernel
def turn_values(table, avail, upper, hands, rerolls, out):
    """Fill out[i, action], float64 [n, 47]: the points to come, those of the action with them; NaN where it is illegal.

    Position i is the board avail[i], upper[i] (int64) with the dice of hands[i] and rerolls[i] left.
    """
    for first in range(0, avail.size, LANES):
        some = slice(first, min(first + LANES, avail.size))
        _block_values(table, avail[some], upper[some], hands[some], rerolls[some], out[some])


@kernel
def _block_values(table, avail, upper, hands, rerolls, out):
    ends, values = np.empty((END_COUNT, avail.size)), np.empty((KEEP_COUNT, avail.size))
    board_ends(table, avail, upper, ends)
    best_marks(ends, EVERY_CATEGORY, values)
    out[:] = np.nan
    for lane in range(avail.size):
        for category in range(CATEGORY_COUNT):
            value = ends[END_OF[hands[lane], category], lane]
            out[lane, FIRST_MARK + category] = value if value > -np.inf else np.nan
    for left in range(1, REROLLS + 1):
        expect(values)
        for lane in range(avail.size):
            if rerolls[lane] == left:
                for mask in range(KEEP_ALL):
                    out[lane, mask] = values[KEEP_OF[hands[lane], mask], lane]
        choose(values)


# ------------------------------------------------------------------ solitaire games


@kernel
def play_round(table, games, number, seed, episodes):
    """Play round `number` of all games, best action each time; games of one mask in a row share its turn.

    `games` are records of the two-player game in which player 0 has all the turns. Game i is episode mix(seed, episodes[i]),
    with the dice that player 0 sees in it.
    """
    ends, keeps = np.empty((END_COUNT, UPPERS)), np.empty((REROLLS, KEEP_COUNT, UPPERS))
    categories = np.empty(CATEGORY_COUNT, np.int64)
    avail, count = 0, 0
    for i in range(games.size):
        if games[i].avail[0] != avail:
            avail = np.int64(games[i].avail[0])
            count = open_categories(avail, categories)
            _mask_turn(table, avail, categories[:count], ends, keeps)
        _play_turn(games[i], mix_word(seed, np.uint64(episodes[i])), number, categories[:count], ends, keeps)


@kernel
def _mask_turn(table, avail, categories, ends, keeps):
    """Fill the ends of a mask, and keeps[left - 1] with what each keep is worth when `left` rerolls are left."""
    mask_ends(table, avail, ends)
    best_marks(ends, categories, keeps[0])
    expect(keeps[0])
    for left in range(1, REROLLS):
        keeps[left] = keeps[left - 1]
        choose(keeps[left])
        expect(keeps[left])


@kernel
def _play_turn(game, episode, number, categories, ends, keeps):
    turn = np.uint64(2 * number)  # player 1 has the odd ones
    before = START_EVENT if number == 0 else turn - np.uint64(1)
    roll(game.dice, 0, mix_word(mix_word(episode, before), np.uint64(0)))
    left = REROLLS
    action = _best_action(game, left, categories, ends, keeps)
    while action < FIRST_MARK:
        roll(game.dice, action, mix_word(mix_word(episode, turn), np.uint64(REROLLS + 1 - left)))
        left -= 1
        action = _best_action(game, left, categories, ends, keeps)
    mark(game, action - FIRST_MARK)


@kernel
def _best_action(game, left, categories, ends, keeps):
    """Return the best action; a tie goes to the lowest."""
    hand, upper = hand_of(game.dice), game.upper[0]
    best, best_value = -1, -np.inf
    if left > 0:
        for mask in range(KEEP_ALL):
            value = keeps[left - 1, KEEP_OF[hand, mask], upper]
            if value > best_value:
                best, best_value = mask, value
    for category in categories:
        value = ends[END_OF[hand, category], upper]
        if value > best_value:
            best, best_value = FIRST_MARK + category, value
    return best


@kernel
def hand_of(dice):
    """Return the index of sorted dice."""
    code = 0
    for i in range(DICE):
        code = FACES * code + np.int64(dice[i]) - 1
    return np.int64(HAND_OF[code])
