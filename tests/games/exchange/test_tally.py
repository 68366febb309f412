"""What is counted of EXCHANGE's sides: against a plain twin over whole games, and each counter by hand."""

import numpy as np
import pytest

from exchange_positions import at, play, random_moves
from naive.exchange_tally import tally_plainly
from playmill.games.exchange.counters import COUNTERS
from playmill.games.exchange.move_text import read_move
from playmill.games.exchange.rules import EXCHANGE
from playmill.games.exchange.tally import count_threats, tally_end, tally_games, tally_move
from playmill.packs.exchange.greedy import pick_greedily


def greedy_game(seed):
    state, actions, scratch = EXCHANGE.new(seed), [], np.empty(EXCHANGE.max_legal, np.int32)
    while not state.is_over:
        out = np.empty(1, np.int32)
        pick_greedily(EXCHANGE, state.record.reshape(1), np.array([seed * 1000 + len(actions)], np.uint64), scratch, out)
        actions.append(int(out[0]))
        state = state.apply(actions[-1])
    return seed, actions


def random_game(seed):
    moves = list(random_moves(seed, 1))
    return moves[0][0].seed, [action for _, action in moves if action is not None]


def tallied(games):
    seeds = np.array([seed for seed, _ in games], np.uint64)
    offsets = np.concatenate([[0], np.cumsum([len(actions) for _, actions in games])])
    actions = np.concatenate([actions for _, actions in games]).astype(np.int32)
    found = np.zeros((len(games), 2), np.dtype((np.record, COUNTERS)))
    tally_games(EXCHANGE, seeds, offsets, actions, EXCHANGE.records(3), found)
    return found


@pytest.mark.parametrize("make", [random_game, greedy_game])
def test_the_counts_are_those_of_the_plain_twin(make):
    games = [make(seed) for seed in range(5)]
    found = tallied(games)
    for (seed, actions), own in zip(games, found, strict=True):
        plain = tally_plainly(seed, actions)
        for side in range(2):
            expected = [plain[side][name] for name in COUNTERS.names]
            assert list(own[side].tolist()) == pytest.approx(expected), side
    assert all(
        (found[name] != 0).any() for name in COUNTERS.names if name not in ("early_win", "pawn_promotions", "advance_uses")
    )


def test_a_game_counts_the_same_whichever_games_are_beside_it():
    games = [random_game(seed) for seed in range(3)]
    together = tallied(games)
    assert together[1:2].tobytes() == tallied(games[1:2]).tobytes()


# ------------------------------------------------------------------ by hand


def after(text, *moves, die=1, ended=False):
    """The counts of White and Black after these moves from a position."""
    state, found = at(text), np.zeros((1, 2), np.dtype((np.record, COUNTERS)))
    memory = [np.zeros(2, np.int64) for _ in range(3)]
    count_threats(state.record, memory[2])
    for text_of_move in moves:
        then = play(state, text_of_move, die=die)
        tally_move(state.record, then.record, np.int64(read_move(state, text_of_move)), *memory, found[0])
        state = then
    if ended:
        tally_end(state.record, found[0])
    return found[0]


def nonzero(tally):
    return {name: value for name, value in zip(COUNTERS.names, tally.tolist(), strict=True) if value and name != "actions"}


QUIET = {"shuffling": 0.02}


def test_a_hit_counts_the_hp_it_took_and_more_as_the_game_goes_on():
    white, _ = after("7k/8/8/3r4/3Q(~1)4/8/8/4K3 w 00 50 0 -", "d4xd5", die=2)
    assert nonzero(white) == {"attacks": 1, "damage_dealt": 5, "damage_weighted": 7.5}
    white, _ = after("7k/8/8/3r4/3Q(~1)4/8/8/4K3 w 00 150 0 -", "d4xd5", die=2)
    assert white.damage_weighted == 10  # at most twice


def test_more_damage_than_there_was_hp_counts_as_the_hp():
    white, _ = after("7k/8/8/3r(1)4/3Q(~1)4/8/8/4K3", "d4xd5", die=6)
    assert white.damage_dealt == 1


def test_attacks_under_royal_decree_are_combos_and_none_at_all_is_a_waste():
    text = "7k/8/8/3r4/3Q(~1)4/8/8/4K3"
    white, _ = after(text, "e1*", "h8g8", "d4xd5", "g8h8", "e1e2")
    assert (white.rd_activations, white.rd_combo_attacks, white.rd_wasted) == (1, 1, 0)
    white, _ = after(text, "e1*", "h8g8", "e1e2", "g8h8", "e2e1")
    assert (white.rd_activations, white.rd_combo_attacks, white.rd_wasted) == (1, 0, 1)


def test_a_third_attack_comes_too_late_for_the_decree():
    white, black = after("6rk/8/8/3r4/3Q(~1)4/8/8/4K3", "e1*", "h8h7", "d4xd5", "h7h8", "d4xd5", "h8h7", "d4xd5")
    assert white.rd_combo_attacks == 2
    assert black.rd_wasted == 0


def test_a_decree_cast_anew_before_any_attack_is_wasted_and_one_still_active_at_the_end_is_not():
    white, _ = after("7k/8/8/8/8/8/8/R3K3", "e1*", "h8g8", "e1*")
    assert (white.rd_activations, white.rd_wasted) == (2, 1)


def test_what_a_rook_takes_for_another_is_its_sides_and_the_attackers_damage():
    white, black = after("4k3/8/8/3pr3/3Q(~1)4/8/8/4K3", "d4xd5", die=2)  # 5: the pawn takes 2, the rook 3
    assert (black.interpose_triggers, black.interpose_damage_blocked) == (1, 3)
    assert white.damage_dealt == 5
    assert white.interpose_triggers == 0


def test_a_rook_that_dies_for_another_counts_the_hp_it_had():
    _, black = after("4k3/8/8/3pr(2*1)3/3Q(~1)4/8/8/4K3", "d4xd5", die=6)
    assert (black.interpose_triggers, black.interpose_damage_blocked) == (1, 2)


def test_a_rook_that_is_hit_itself_has_not_stepped_in():
    _, black = after("4k3/8/8/3r4/3Q(~1)4/8/8/4K3", "d4xd5", die=2)
    assert black.interpose_triggers == 0


def test_a_heal_counts_its_share_of_what_was_missing():
    white, _ = after("7k/8/8/8/3R(5)4/8/1B6/4K3", "b2+d4", die=4)  # 4 of the missing 8
    assert nonzero(white) == {"consecration_uses": 1, "consecration_hp_healed": 4, "consecration_efficiency": 0.5, **QUIET}


def test_overextend_counts_what_it_took_less_what_it_cost():
    white, _ = after("7k/8/8/3r4/8/8/8/3QK3", "d1d4!xd5", die=2)
    assert (white.overextend_uses, white.overextend_net_damage, white.damage_dealt) == (1, 3, 5)
    assert white.king_proximity_delta == 7 - 4


def test_skirmish_is_an_attack_too():
    white, _ = after("7k/8/8/3r4/3N4/8/8/4K3", "d4xd5!c3", die=1)
    assert (white.skirmish_uses, white.attacks, white.damage_dealt) == (1, 1, 3)
    assert white.king_proximity_delta == -1


def test_pawns_count_their_moves_the_ability_apart_and_new_queens():
    white, _ = after("7k/8/8/8/8/P7/8/4K3", "a3a5^", "h8g8", "a5a6")
    assert (white.pawn_advances, white.advance_uses, white.pawn_promotions) == (2, 1, 0)
    white, _ = after("7k/P7/8/8/8/8/8/4K3", "a7a8")
    assert (white.pawn_advances, white.pawn_promotions) == (1, 1)


def test_coming_closer_to_the_enemy_king_counts_and_going_back_takes_it_off():
    text = "7k/p7/8/8/8/8/8/3RK3"
    white, black = after(text, "d1d7", "a7a6")
    assert (white.king_proximity_delta, black.king_proximity_delta) == (3, 1)  # 7 steps to h8 become 4, 6 to e1 become 5
    white, _ = after(text, "d1d7", "a7a6", "d7d1")
    assert white.king_proximity_delta == 0


def test_an_opportunity_counts_when_it_begins_not_as_long_as_it_lasts():
    white, black = after("7k/8/8/8/8/8/8/R3K3", "a1a7", "h8g8", "a7f7", "g8h8", "f7f8", "h8h7", "f8f7")
    assert white.king_attack_opportunities == 3  # f7 beside g8, f8 two squares from h8, f7 two squares from h7
    assert black.king_attack_opportunities == 0
    white, _ = after("6k1/p4R2/8/8/8/8/8/4K3", "e1e2", "a7a6", "e2e1", "a6a5", "e1e2")
    assert white.king_attack_opportunities == 0  # the rook has attacked the king all the time


def test_a_knight_attacks_the_king_by_its_jumps_with_a_hit():
    white, _ = after("7k/8/8/8/4N3/8/8/4K3", "e4f6")
    assert white.king_attack_opportunities == 1  # f6-h7 or f6-g8, then h8


def test_moves_in_a_row_without_damage_cost_twice_as_much_each_time_and_the_mean_of_all_counts():
    quiet = ("e1e2", "h8g8", "e2e1", "g8h8", "e1d1", "h8g8", "d1e1", "g8h7")
    white, black = after("7k/8/8/3r4/3Q(~1)4/8/8/4K3", *quiet, ended=True)
    assert white.shuffling == pytest.approx((0.02 + 0.04 + 0.08 + 0.16) / 4)
    assert black.shuffling == white.shuffling
    white, _ = after("7k/8/8/3r4/3Q(~1)4/8/8/4K3", *quiet, "d4xd5", "h7h8", "e1e2", ended=True)
    assert white.shuffling == pytest.approx((0.02 + 0.04 + 0.08 + 0.16 + 0 + 0.02) / 6)


def test_the_penalty_of_a_move_is_never_above_one():
    rook = ("a1a2", "a2a3", "a3a4", "a4a5", "a5a6", "a6a5", "a5a4", "a4a3", "a3a2")
    king = ("h8g8", "g8h8") * 4
    moves = [move for pair in zip(rook, king, strict=False) for move in pair]
    white, _ = after("7k/8/8/8/8/8/8/R3K3 w 00 0 0 -", *moves, rook[-1], ended=True)
    assert white.actions == 9
    assert white.shuffling == pytest.approx((0.02 + 0.04 + 0.08 + 0.16 + 0.32 + 0.64 + 1 + 1 + 1) / 9)


def test_a_win_before_turn_50_is_early_for_the_winner_alone():
    white, black = after("6k(1)1/6Q(~1)1/8/8/8/8/8/4K3 w 00 10 0 -", "g7xg8", ended=True)
    assert (white.early_win, black.early_win) == (pytest.approx(1 - 11 / 50), 0)
    white, _ = after("6k(1)1/6Q(~1)1/8/8/8/8/8/4K3 w 00 60 0 -", "g7xg8", ended=True)
    assert white.early_win == 0
