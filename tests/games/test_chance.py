"""Chance in the contract: which actions meet it, what it can make of them, and states that look alike."""

import math
from collections import Counter
from itertools import product

import pytest

from dice_game import GOAL, HOLD, PIG, ROLL
from history_game import PLAIN_TRAIL, TRAIL
from playmill.core.errors import IllegalAction, UsageError
from playmill.games import one
from playmill.games.conformance import check_game
from playmill.games.game import Game
from playmill.games.registry import get_game
from playmill.sim import PlayoutOptions, Simulator, uniform_random

OWN_PROMISES = ["quiet actions meet no chance", "outcomes are what chance does", "states of one eval_key look alike"]


@pytest.mark.parametrize("game", [PIG, TRAIL, PLAIN_TRAIL], ids=lambda game: game.name)
def test_small_games_keep_the_promises_about_chance(game):
    report = check_game(game, games=20, promises=["kernels compile", "chance is an argument", *OWN_PROMISES])
    assert "kernels compile" in report.promises


def test_pig_lists_its_dice_and_holding_meets_no_chance():
    state = PIG.new(1)
    assert [(round(p, 9), s.record.pot, s.to_move) for p, s in state.chance_outcomes(ROLL)] == [
        (round(1 / 6, 9), 0, 1), *((round(1 / 6, 9), die, 0) for die in range(2, 7))
    ]  # fmt: skip
    assert state.chance_outcomes(HOLD) == [(1.0, state.apply(HOLD))]


def test_outcomes_that_are_the_same_are_listed_once():
    state = PIG.new(1)
    while state.record.pot < GOAL - 3:
        pot = int(state.record.pot)
        state = next(after for _, after in state.chance_outcomes(ROLL) if pot < after.record.pot <= pot + 3)
    chances = {int(after.record.pot): p for p, after in state.chance_outcomes(ROLL)}
    assert chances[GOAL] == pytest.approx(4 / 6 if state.record.pot == GOAL - 3 else 5 / 6)


@pytest.mark.parametrize("keep", ["", "3", "36", "233", "2336", "26"])
def test_yatzy_lists_every_hand_that_a_reroll_can_make(keep):
    state = get_game("yatzy").new(3)  # 2 3 3 6 6
    dice = state.record.dice.tolist()
    assert dice == [2, 3, 3, 6, 6]
    action = next(a for a in range(31) if state.action_text(a) == (f"keep {keep}" if keep else "reroll all"))
    kept = [int(die) for die in keep]
    rolls = product(range(1, 7), repeat=5 - len(kept))
    counts = Counter(tuple(sorted([*kept, *roll])) for roll in rolls)
    listed = {tuple(after.record.dice.tolist()): p for p, after in state.chance_outcomes(action)}
    assert listed == pytest.approx({hand: count / 6 ** (5 - len(kept)) for hand, count in counts.items()})
    assert all(after.record.rerolls == 1 and after.to_move == state.to_move for _, after in state.chance_outcomes(action))


def test_a_mark_is_followed_by_the_opponents_roll_but_the_last_one_by_nothing():
    game = get_game("yatzy")
    state = game.new(3)
    after = state.chance_outcomes(34)
    assert (len(after), after[0][1].to_move, after[0][1].record.total.tolist()) == (252, 1, [6, 0])
    assert math.fsum(p for p, _ in after) == pytest.approx(1)
    while state.record.turn < 29:
        state = state.apply(state.legal_actions[-1])
    last = state.legal_actions[-1]
    assert state.chance_outcomes(last) == [(1.0, state.apply(last))]
    assert state.chance_outcomes(last)[0][1].is_over
    assert [bool(one.meets_chance_one(game, state._records, a)) for a in (0, last)] == [True, False]


def test_without_chance_there_is_one_outcome():
    state = get_game("connect_four").new()
    assert state.chance_outcomes(3) == [(1.0, state.apply(3))]


def test_illegal_actions_and_games_that_do_not_list_are_refused():
    with pytest.raises(IllegalAction, match="action 99 is illegal"):
        PIG.new().chance_outcomes(99)
    mute = Game("mute", state=PIG.state, players=2, logits=2)
    mute.kernels |= {name: found for name, found in PIG.kernels.items() if name != "outcomes"}
    with pytest.raises(UsageError, match="mute: the game does not list its outcomes; it has no 'outcomes' kernel"):
        mute.new().chance_outcomes(ROLL)
    assert len(mute.new().chance_outcomes(HOLD)) == 1


def test_two_ways_to_one_square_share_their_eval_key_and_not_their_key():
    finals = [Simulator(uniform_random, PlayoutOptions(max_events=4)).playout(TRAIL.new(seed)).final for seed in range(40)]
    keys = {(state.key, one.eval_key_one(TRAIL, state._records)) for state in finals}
    assert len({eval_key for _, eval_key in keys}) < len(keys)
