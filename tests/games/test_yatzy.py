"""Swedish Yatzy by the specification: keeps, marks, the bonus, the end, the features, the dice."""

from __future__ import annotations

from collections import Counter
from math import factorial, prod

import numpy as np
import pytest

from naive.yatzy import five_values
from playmill.core.errors import IllegalAction
from playmill.core.seeds import START, mix
from playmill.games.golden import random_action
from playmill.games.state import State
from playmill.games.yatzy.hands import CATEGORIES, HANDS, score
from playmill.games.yatzy.rules import ALL_OPEN, FIRST_MARK, KEEP_ALL, YATZY

REROLL_ALL = 0


def at(dice, seed=0, **fields):
    """A state with these dice; other fields as at the start unless given."""
    records = YATZY.records(1)
    record = records[0]
    record.avail[:] = fields.pop("avail", (ALL_OPEN, ALL_OPEN))
    record.rerolls = fields.pop("rerolls", 2)
    record.dice[:] = dice
    for name, value in fields.items():
        records[name][0] = value
    return State(YATZY, records, seed, 0)


def mark(category):
    return FIRST_MARK + CATEGORIES.index(category)


def board(state, player):
    record = state.record
    return int(record.upper[player]), int(record.total[player])


def dice_of(state):
    return state.record.dice.tolist()


# ------------------------------------------------------------------ keeps


@pytest.mark.parametrize(
    ("keep", "kept"),
    [("10000", [1]), ("00001", [6]), ("10001", [1, 6]), ("01100", [2, 3]), ("11110", [1, 2, 3, 4]), ("00000", [])],
)
def test_mask_bits_keep_the_sorted_dice_from_left_to_right(keep, kept):
    state = at([1, 2, 3, 4, 6], seed=5)
    after = state.apply(int(keep, 2))
    fresh = five_values(mix(mix(5, 0), 1))[: 5 - len(kept)]
    assert dice_of(after) == sorted(kept + fresh)
    assert after.record.rerolls == 1
    assert after.to_move == 0


@pytest.mark.parametrize("mask", range(KEEP_ALL))
def test_rerolling_k_dice_takes_the_first_k_values(mask):
    after = at([2, 2, 3, 5, 6], seed=9).apply(mask)
    kept = [die for i, die in enumerate([2, 2, 3, 5, 6]) if mask & (0b10000 >> i)]
    all_new = dice_of(at([1, 1, 1, 1, 1], seed=9).apply(REROLL_ALL))
    values = five_values(mix(mix(9, 0), 1))
    assert sorted(values) == all_new
    assert dice_of(after) == sorted(kept + values[: 5 - len(kept)])


def test_keeping_all_dice_is_illegal():
    with pytest.raises(IllegalAction, match="yatzy: action 31 is illegal"):
        at([1, 2, 3, 4, 6]).apply(KEEP_ALL)


def test_with_rerolls_left_all_keeps_and_open_marks_are_legal():
    only_ones_and_yatzy = 0b100000000000001
    state = at([1, 2, 3, 4, 6], avail=(only_ones_and_yatzy, 0))
    assert state.legal_actions == (*range(31), mark("ones"), mark("yatzy"))


def test_without_rerolls_only_open_marks_are_legal():
    everything_but_house = ALL_OPEN ^ (1 << (14 - CATEGORIES.index("house")))
    state = at([1, 2, 3, 4, 6], rerolls=0, avail=(everything_but_house, ALL_OPEN))
    assert state.legal_actions == tuple(a for a in range(32, 47) if a != mark("house"))


# ------------------------------------------------------------------ marks


def test_a_mark_may_be_made_at_once_and_passes_the_turn():
    after = at([2, 2, 5, 5, 5]).apply(mark("house"))
    assert board(after, 0) == (0, 19)
    assert after.record.avail[0] == ALL_OPEN ^ 0b100
    assert (after.to_move, int(after.record.rerolls), int(after.record.turn)) == (1, 2, 1)


@pytest.mark.parametrize(
    ("dice", "category", "points"),
    [
        ([1, 1, 3, 3, 6], "pair", 6),
        ([1, 1, 3, 3, 6], "two_pairs", 8),
        ([4, 4, 4, 4, 6], "two_pairs", 0),
        ([4, 4, 4, 4, 6], "pair", 8),
        ([4, 4, 4, 4, 6], "three_kind", 12),
        ([4, 4, 4, 4, 6], "four_kind", 16),
        ([5, 5, 5, 5, 5], "four_kind", 20),
        ([5, 5, 5, 5, 5], "house", 0),
        ([3, 3, 5, 5, 5], "house", 21),
        ([1, 2, 3, 4, 5], "small_straight", 15),
        ([2, 3, 4, 5, 6], "small_straight", 0),
        ([2, 3, 4, 5, 6], "large_straight", 20),
        ([1, 2, 3, 4, 6], "large_straight", 0),
        ([1, 2, 3, 4, 6], "chance", 16),
        ([6, 6, 6, 6, 6], "yatzy", 50),
        ([6, 6, 6, 6, 5], "yatzy", 0),
        ([1, 6, 6, 6, 5], "sixes", 18),
        ([1, 1, 6, 6, 6], "twos", 0),
    ],
)
def test_categories_score_as_printed_on_the_sheet(dice, category, points):
    assert score(tuple(dice), CATEGORIES.index(category)) == points
    assert board(at(sorted(dice)).apply(mark(category)), 0)[1] == points


@pytest.mark.parametrize(
    ("before", "dice", "category", "after"),
    [
        ((60, 100), [1, 1, 2, 5, 6], "ones", (62, 102)),  # 62: one short
        ((60, 100), [1, 1, 1, 5, 6], "ones", (63, 153)),  # 63: the bonus
        ((62, 100), [1, 2, 3, 5, 6], "ones", (63, 151)),
        ((50, 100), [6, 6, 6, 6, 6], "sixes", (63, 180)),  # 80 stops at 63
        ((63, 200), [6, 6, 6, 6, 6], "sixes", (63, 230)),  # never a second bonus
        ((63, 200), [1, 2, 3, 4, 5], "sixes", (63, 200)),
        ((62, 100), [6, 6, 6, 6, 6], "chance", (62, 130)),  # the lower half doesn't count
        ((0, 0), [1, 2, 3, 4, 5], "sixes", (0, 0)),
    ],
)
def test_the_bonus_comes_once_when_the_upper_half_reaches_63(before, dice, category, after):
    state = at(dice, upper=(before[0], 0), total=(before[1], 0)).apply(mark(category))
    assert board(state, 0) == after
    assert board(state, 1) == (0, 0)


# ------------------------------------------------------------------ the end


@pytest.mark.parametrize("seed", range(20))
def test_a_game_ends_after_thirty_marks(seed):
    state = YATZY.new(seed)
    marks = Counter()
    while not state.is_over:
        action = random_action(state)
        marks[state.to_move] += action >= FIRST_MARK
        assert dice_of(state) == sorted(dice_of(state))
        state = state.apply(action)
    assert marks == {0: 15, 1: 15}
    assert state.record.avail.tolist() == [0, 0]
    assert dice_of(state) == [0] * 5
    assert state.legal_actions == ()


@pytest.mark.parametrize(("total", "returns"), [((200, 199), (1, -1)), ((0, 1), (-1, 1)), ((250, 250), (0, 0))])
def test_the_higher_total_wins_and_equal_totals_draw(total, returns):
    finished = at([0] * 5, rerolls=0, avail=(0, 0), total=total, turn=30)
    assert finished.returns == returns


# ------------------------------------------------------------------ features


def test_the_45_features_of_a_hand_made_state():
    mine, theirs = 0b010000000000001, 0b111111000000000
    state = at([2, 2, 2, 5, 6], rerolls=1, mover=1, turn=21, avail=(theirs, mine), upper=(0, 42), total=(90, 180))
    expected = [
        *(0, 1, 0, 0, 0, 0), *(0, 0, 0, 0, 0, 0, 0, 0, 1), 42 / 63, 180 / 400, 13 / 15,
        *(1, 1, 1, 1, 1, 1), *(0, 0, 0, 0, 0, 0, 0, 0, 0), 0, 90 / 400, 9 / 15,
        *(0, 3 / 5, 0, 0, 1 / 5, 1 / 5),
        *(0, 1, 0),
    ]  # fmt: skip
    assert state.features().dtype == np.float32
    assert state.features().tolist() == np.array(expected, np.float32).tolist()
    assert state.swapped().features().tolist() == state.features().tolist()


# ------------------------------------------------------------------ dice


def first_rolls(seed, choose):
    """The first roll of every turn of an episode played by `choose`."""
    state, rolls, turn = YATZY.new(seed), [], -1
    while not state.is_over:
        if state.record.turn > turn:
            turn = int(state.record.turn)
            rolls.append(dice_of(state))
        state = state.apply(choose(state))
    return rolls


def test_first_rolls_belong_to_player_and_round_whatever_the_path():
    at_once = first_rolls(3, lambda state: next(a for a in state.legal_actions if a >= FIRST_MARK))
    late = first_rolls(3, lambda state: state.legal_actions[0])
    by_chance = first_rolls(3, random_action)
    assert len(at_once) == 30
    assert at_once == late == by_chance
    assert first_rolls(4, random_action) != by_chance


def test_rerolls_belong_to_player_round_and_roll_whatever_was_kept():
    first = at([1, 1, 1, 1, 1], seed=8, turn=4)
    second = at([3, 4, 5, 6, 6], seed=8, turn=4, total=(77, 5))
    assert dice_of(first.apply(REROLL_ALL)) == dice_of(second.apply(REROLL_ALL))
    after_keeping, after_nothing = first.apply(0b11000), first.apply(REROLL_ALL)
    assert dice_of(after_keeping.apply(REROLL_ALL)) == dice_of(after_nothing.apply(REROLL_ALL))
    assert dice_of(after_nothing.apply(REROLL_ALL)) != dice_of(after_nothing)


def test_the_three_rolls_of_every_turn_come_from_words_of_their_own():
    words = {mix(mix(0, START), 0), *(mix(mix(0, turn), roll) for turn in range(30) for roll in range(3))}
    assert len(words) == 1 + 30 * 3


def chi_square(counts, expected):
    return sum((counts[name] - expected[name]) ** 2 / expected[name] for name in expected)


def test_dice_are_uniform():
    rolls = 20_000
    hands = Counter(tuple(dice_of(YATZY.new(mix(2024, i)))) for i in range(rolls))
    faces = Counter(face for hand, times in hands.items() for face in hand * times)
    assert chi_square(faces, dict.fromkeys(range(1, 7), rolls * 5 / 6)) < 20.5  # 1 in 1000 with 5 degrees of freedom
    ways = {hand: factorial(5) / prod(factorial(n) for n in Counter(hand).values()) for hand in HANDS}
    expected = {hand: rolls * ways[hand] / 6**5 for hand in HANDS}
    assert chi_square(hands, expected) < 326  # 1 in 1000 with 251


def test_rerolled_dice_are_uniform_too():
    start = at([1, 2, 3, 4, 5])
    faces = Counter()
    for i in range(4000):
        once = start.reseeded(mix(7, i)).apply(REROLL_ALL)
        faces.update(dice_of(once) + dice_of(once.apply(REROLL_ALL)))
    assert chi_square(faces, dict.fromkeys(range(1, 7), 40_000 / 6)) < 20.5


def test_the_board_is_a_score_card():
    state = YATZY.new(3)
    marked = state.apply(FIRST_MARK)
    record = state.record
    lines = str(marked).splitlines()
    assert [line.split()[0] for line in lines[1:7]] == list(CATEGORIES[:6])
    assert lines[0].split() == ["player", "0", "player", "1", "now"]
    assert lines[1].split()[:3] == ["ones", "done", "open"]
    assert lines[7].split() == ["upper", str(sum(record.dice == 1)), "of", "63", "0", "of", "63"]
    dice = tuple(int(die) for die in marked.record.dice)
    assert [line.split()[-1] for line in lines[8:17]] == [str(score(dice, category)) for category in range(6, 15)]
    assert lines[-1] == f"dice {' '.join(map(str, dice))}, 2 rerolls left, player 1 to move"
    assert max(map(len, lines)) <= 60


def test_a_finished_card_says_who_has_won():
    state = YATZY.new(3)
    while not state.is_over:
        state = state.apply(next(action for action in state.legal_actions if action >= FIRST_MARK))
    first, second = state.record.total
    assert str(state).splitlines()[-1] == f"over: player {int(second > first)} has won"
    assert "now" not in str(state)
