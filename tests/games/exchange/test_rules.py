"""Every sentence of EXCHANGE's rules, on boards that show it."""

import pytest

from exchange_positions import START, at, board, hp, moves, number, play
from playmill.games.exchange.rules import EXCHANGE

SIX = tuple(range(1, 7))


# ------------------------------------------------------------------ board and pieces


def test_the_start_is_that_of_chess_with_kings_on_e_and_white_moves_first():
    state = EXCHANGE.new(0)
    assert state.line == START
    assert state.to_move == 0
    assert moves(state) == {
        *(f"{f}2{f}{r}" for f in "abcdefgh" for r in (3, 4)), "b1a3", "b1c3", "g1f3", "g1h3", "e1*"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("square", "points", "charges"), [("e1", 25, 3), ("d1", 10, 0), ("a1", 13, 5), ("c1", 10, 3), ("b1", 11, 5), ("a2", 7, 0)]
)
def test_fresh_pieces_have_the_tables_hp_and_charges(square, points, charges):
    record = EXCHANGE.new(0).record
    assert (record.hp[number(square)], record.charges[number(square)], record.cooldown[number(square)]) == (points, charges, 0)


def test_there_is_no_castling_no_en_passant_and_no_check():
    assert not {"e1g1", "e1c1"} & moves(at("r3k2r/8/8/8/8/8/8/R3K2R"))
    assert moves(play(at("4k3/3p4/8/4P3/8/8/8/4K3 b"), "d7d5"), "e5") == {"e5e6", "e5e7^"}
    assert "e1e2" in moves(at("4k3/8/8/8/8/3q4/8/4K3"))  # into the queen's reach


def test_a_king_that_can_only_be_hit_is_no_stalemate():
    assert not at("7k/8/6Q1/8/8/8/8/4K3 b").is_over


@pytest.mark.parametrize("die", SIX)
@pytest.mark.parametrize(
    ("text", "move", "target", "base"),
    [
        ("4k3/8/8/8/8/8/4r3/4K3", "e1xe2", "e2", 1),
        ("4k3/8/8/8/4Q2r/8/8/4K3", "e4xh4", "h4", 3),
        ("4k3/8/8/8/4R1r1/8/8/4K3", "e4xg4", "g4", 2),
        ("4k3/8/8/8/4B3/8/6r1/4K3", "e4xg2", "g2", 2),
        ("4k3/8/8/8/4r3/8/2N5/4K3", "c2d4xe4", "e4", 2),
        ("4k3/8/8/3r4/4P3/8/8/4K3", "e4xd5", "d5", 1),
    ],
)
def test_damage_is_the_base_and_the_die(text, move, target, base, die):
    state = at(text)
    assert hp(state, target) - hp(play(state, move, die=die), target) == base + die


# ------------------------------------------------------------------ moves


def test_a_king_goes_one_step():
    assert moves(at("4k3/8/8/8/3K4/3P4/8/8"), "d4") == {"d4d5", "d4c5", "d4e5", "d4c4", "d4e4", "d4c3", "d4e3", "d4*"}


def test_queen_rook_and_bishop_slide_until_a_piece_blocks_them():
    rook = {"d4d5", "d4d6", "d4c4", "d4b4", "d4a4", "d4e4", "d4f4", "d4g4", "d4h4", "d4d3"}
    bishop = {"d4c5", "d4e5", "d4f6", "d4g7", "d4h8", "d4c3", "d4b2", "d4e3", "d4f2", "d4g1"}
    text = "4k3/3p4/1p6/8/3{}4/8/3P4/R3K3"
    for letter, expected in (("R", rook), ("B", bishop), ("Q", rook | bishop)):
        found = moves(at(text.format(letter)), "d4")
        assert {move for move in found if "x" not in move} == expected


def test_a_knight_jumps_over_pieces_to_empty_squares():
    assert moves(at("4k3/8/8/2PPP3/2PNP3/2PPP3/8/4K3"), "d4") == {
        "d4b5",
        "d4b3",
        "d4c6",
        "d4e6",
        "d4f5",
        "d4f3",
        "d4c2",
        "d4e2",
    }
    assert "d4e6" not in moves(at("4k3/8/4p3/8/3N4/8/8/4K3"))


def test_a_pawn_goes_one_forward_or_two_from_its_start_rank_over_an_empty_square():
    assert moves(at("4k3/8/8/8/8/8/4P3/4K3"), "e2") == {"e2e3", "e2e4"}
    assert moves(at("4k3/8/8/8/4p3/8/4P3/4K3"), "e2") == {"e2e3"}
    assert moves(at("4k3/8/8/8/8/4p3/4P3/4K3"), "e2") == set()
    assert moves(at("4k3/4p3/8/8/8/8/8/4K3 b"), "e7") == {"e7e6", "e7e5"}


# ------------------------------------------------------------------ attacks


def test_the_attacker_stays_where_it_is_even_on_a_kill():
    assert board(play(at("4k3/8/8/8/4Q2r(4)/8/8/4K3"), "e4xh4")) == "4k3/8/8/8/4Q3/8/8/4K3"
    assert board(play(at("4k3/8/8/8/4Q2r(5)/8/8/4K3"), "e4xh4")) == "4k3/8/8/8/4Q2r(1)/8/8/4K3"
    assert board(play(at("4k3/8/8/8/4Q2r(1)/8/8/4K3"), "e4xh4")) == "4k3/8/8/8/4Q3/8/8/4K3"  # less than 0


@pytest.mark.parametrize(
    ("text", "square", "hit"),
    [
        ("4k3/8/8/2ppp3/2pKp3/2ppp3/8/8", "d4", {"c5", "d5", "e5", "c4", "e4", "c3", "d3", "e3"}),  # 8 neighbours
        ("4k3/8/8/3p4/3K4/8/3p4/8", "d4", {"d5"}),  # and no farther
        (
            "4k3/3q+4/1q+3q+2/8/q+2Q2q+1/8/1q+3q+2/3q+3K",
            "d4",
            {"d7", "b6", "f6", "a4", "g4", "b2", "f2", "d1"},
        ),  # 1 to 3 on 8 lines
        ("3q+k3/8/8/7q+/q+2Q3q+/8/8/4K1q+1", "d4", {"a4", "g1"}),  # no farther, no knight's jumps
        ("4k3/3n4/3p4/8/3Q4/8/8/4K3", "d4", {"d6"}),  # the first piece blocks
        ("4k3/3n4/3P4/8/3Q4/8/8/4K3", "d4", set()),
        ("4k3/8/8/2ppp3/2pRp3/2ppp3/8/4K3", "d4", {"c5", "d5", "e5", "c4", "e4", "c3", "d3", "e3"}),
        (
            "4k3/8/1q+1q+1q+2/8/1q+1R1q+2/8/1q+1q+1q+2/4K3",
            "d4",
            {"d6", "b4", "f4", "d2"},
        ),  # 2 away orthogonally, not diagonally
        ("4k3/3q+4/3q+4/3P4/q+2R1q+1q+/8/8/4K3", "d4", {"f4"}),  # over an empty square, not farther
        ("4k3/8/1q+3q+2/2q+1q+3/3B4/4q+3/1q+6/4K1q+1", "d4", {"b2"}),  # adjacent ones are not hit and block
        ("4k3/6q+1/1q+6/8/3B4/8/8/q+3K1q+1", "d4", {"b6", "g7", "a1", "g1"}),  # diagonals at 2 and 3
        ("4k2n/8/8/8/3B4/8/8/4K3", "d4", set()),  # not at 4
        ("4k3/8/8/2q+q+q+3/2q+Pq+3/2q+q+q+3/8/4K3", "d4", {"c5", "e5"}),
    ],
)
def test_what_a_piece_reaches(text, square, hit):
    assert {m[3:] for m in moves(at(text), square) if m[2] == "x"} == hit


def test_blacks_pawns_hit_downwards():
    assert {m for m in moves(at("4k3/8/8/2Q+Q+Q+3/2Q+pQ+3/2Q+1Q+3/8/4K3 b"), "d4") if "x" in m} == {"d4xc3", "d4xe3"}


def test_a_knight_cant_attack_without_moving_unless_it_skirmishes():
    state = at("4k3/8/8/3p4/3N(*0)4/8/8/4K3")
    assert not any(m[2] == "x" for m in moves(state, "d4"))


def test_a_knight_jumps_and_hits_one_of_four_neighbours_and_the_plain_jump_is_legal_too():
    state = at("4k3/8/8/3p1p2/4p3/3p1p2/8/3N3K")
    assert {m for m in moves(state, "d1") if m[2:4] == "e3"} == {"d1e3", "d1e3xe4", "d1e3xd3", "d1e3xf3"}
    assert board(play(state, "d1e3xe4")) == "4k3/8/8/3p1p2/4p(4)3/3pNp2/8/7K"


def test_a_jump_hits_straight_neighbours_of_the_new_square_only():
    state = at("4k3/8/8/8/3p1p2/8/3p1p2/3N3K")
    assert {m for m in moves(state, "d1") if m[2:4] == "e3"} == {"d1e3"}


def test_a_jump_with_a_hit_has_no_cooldown_and_needs_no_charge():
    state = at("4k3/8/8/8/4r3/8/8/3N(~2*0)3K")
    after = play(state, "d1e3xe4")
    assert "N(~1*0)" in board(after)


# ------------------------------------------------------------------ Royal Decree


def test_decree_helps_the_next_two_own_actions_and_is_shown_as_2_1_0():
    state = play(at("4k3/8/8/8/4r2R/8/8/4K3"), "e1*")
    assert board(state).endswith("4K(*2)3")
    turns = [int(state.record.decree[0])]
    state = play(state, "e8f8", "h4h5", "f8e8")
    turns.append(int(state.record.decree[0]))
    state = play(state, "h5h6", "e8f8")
    turns.append(int(state.record.decree[0]))
    assert turns == [2, 1, 0]


@pytest.mark.parametrize(("decree", "damage"), [("20", 3 + 1 + 2), ("10", 3 + 1 + 2), ("00", 3 + 1), ("02", 3 + 1)])
def test_decree_adds_2_to_own_damage_only_while_it_is_active(decree, damage):
    state = at(f"4k(*1)3/8/8/8/4Q2r/8/8/4K(*1)3 w {decree} 100 0 -")
    assert 13 - hp(play(state, "e4xh4"), "h4") == damage


@pytest.mark.parametrize(
    ("text", "move", "base"),
    [
        ("7k/8/8/8/8/8/4r3/4K(*2)3", "e1xe2", 1),
        ("7k/8/8/8/4Q2r/8/8/4K(*2)3", "e4xh4", 3),
        ("7k/8/8/8/4R1r1/8/8/4K(*2)3", "e4xg4", 2),
        ("7k/8/8/8/4B3/8/6r1/4K(*2)3", "e4xg2", 2),
        ("7k/8/8/3r4/4P3/8/8/4K(*2)3", "e4xd5", 1),
        ("7k/8/8/8/4r3/8/2N5/4K(*2)3", "c2d4xe4", 2),
        ("7k/8/8/8/4r3/4N3/8/4K(*2)3", "e3xe4!d3", 2),
        ("7k/8/8/8/8/6r1/8/3QK(*2)3", "d1d3!xg3", 3),
    ],
)
def test_decree_adds_2_to_every_kind_of_attack(text, move, base):
    target = move.split("x")[1][:2]
    after = play(at(f"{text} w 10 100 0 -"), move, die=3)
    assert 13 - hp(after, target) == base + 3 + 2


def test_decree_is_cast_three_times_and_recasting_resets_it():
    state = at("4k3/8/8/8/4r3/8/8/4K3")
    for cast in range(3):
        assert "e1*" in moves(state)
        state = play(state, "e1*", "e8f8" if cast % 2 == 0 else "f8e8")
        assert state.record.decree[0] == 2
    assert "e1*" not in moves(state)


def test_recasting_starts_anew_with_one_turn_left():
    state = at("4k3/8/8/8/8/8/8/R3K(*2)3 w 10 100 0 -")
    assert play(state, "e1*").record.decree[0] == 2
    assert play(state, "a1a2").record.decree[0] == 0


def test_decree_helps_heals():
    state = at("4k3/8/8/8/3P(1)4/2B5/8/4K(*2)3 w 10 100 0 -")
    assert hp(play(state, "c3+d4", die=2), "d4") == 1 + 2 + 2


# ------------------------------------------------------------------ Overextend


def test_overextend_slides_hits_and_costs_2_hp_and_three_turns():
    state = at("4k3/8/8/8/8/6r1/8/3QK3")
    after = play(state, "d1d3!xg3", die=4)
    assert board(after) == "4k3/8/8/8/8/3Q(8~2)2r(6)1/8/4K3"


def test_overextend_needs_a_target_within_3_of_where_it_ends():
    state = at("4k3/8/8/8/8/7r/8/3QK3")
    found = {m for m in moves(state, "d1") if "!" in m}
    assert "d1d2!xh3" not in found
    assert "d1h5!xh3" in found
    assert all("x" in m for m in found)


def test_overextend_may_hit_through_the_square_that_the_queen_left():
    assert "d4d5!xd3" in moves(at("4k3/8/8/8/3Q4/3r4/8/4K3"))


def test_a_queen_may_die_of_overextending():
    assert board(play(at("4k3/8/8/8/8/6r1/8/3Q(2)K3"), "d1d3!xg3")) == "4k3/8/8/8/8/6r(9)1/8/4K3"


def test_overextend_waits_for_its_cooldown():
    state, seen = play(at("4k3/8/8/8/8/6r1/8/3QK3"), "d1d3!xg3"), []
    for there, back in (("e8f8", "e1f1"), ("f8e8", "f1e1"), ("e8f8", "e1f1"), ("f8e8", None)):
        state = play(state, there)
        seen.append(any("!" in m for m in moves(state, "d3")))
        state = play(state, back) if back else state
    assert seen == [False, False, True, True]


# ------------------------------------------------------------------ Interpose


@pytest.mark.parametrize("die", SIX)
def test_a_rook_takes_the_larger_half_for_an_ally(die):
    after = play(at("r2n3k/8/8/8/3Q4/8/8/4K3"), "d4d5!xd8", die=die)
    damage = 3 + die
    assert hp(after, "d8") == 11 - damage // 2
    assert hp(after, "a8") == 13 - (damage - damage // 2)
    assert (after.record.charges[56], after.record.cooldown[56]) == (4, 3)


@pytest.mark.parametrize(
    ("text", "interposes"),
    [
        ("4k3/8/8/n2r4/n2Q4/8/8/4K3", False),  # not in line with a4
        ("4k3/8/8/r7/n2Q4/8/8/4K3", True),
        ("4k3/8/r7/8/n2Q4/8/8/4K3", True),
        ("4k3/r7/8/8/n2Q4/8/8/4K3", True),
        ("r3k3/8/8/8/n2Q4/8/8/4K3", False),  # distance 4
        ("4k3/8/r7/p7/n2Q4/8/8/4K3", False),  # something between
        ("4k3/8/r(~1)7/8/n2Q4/8/8/4K3", False),
        ("4k3/8/r(*0)7/8/n2Q4/8/8/4K3", False),
        ("4k3/8/8/1r6/n2Q4/8/8/4K3", False),  # diagonal
        ("4k3/8/R7/8/n2Q4/8/8/4K3", False),  # the enemy's
    ],
)
def test_when_a_rook_interposes(text, interposes):
    assert (hp(play(at(text), "d4xa4"), "a4") == 11 - 2) == interposes


@pytest.mark.parametrize(
    ("text", "move", "rooks"),
    [
        ("4k3/r7/8/p7/1K6/8/8/8", "b4xa5", 1),
        ("4k3/r7/8/p7/1P6/8/8/4K3", "b4xa5", 1),
        ("4k3/r7/8/p7/8/R7/8/4K3", "a3xa5", 2),
        ("4k3/r7/8/p7/8/2B5/8/4K3", "c3xa5", 2),
        ("4k3/r7/8/p7/8/2N5/8/4K3", "c3a4xa5", 2),
        ("4k3/r7/8/pN6/8/8/8/4K3", "b5xa5!b6", 2),
    ],
)
def test_a_rook_steps_in_whoever_attacks(text, move, rooks):
    after = play(at(text), move)
    assert (hp(after, "a5"), hp(after, "a7")) == (7 - 1, 13 - rooks)


def test_a_rook_that_stepped_in_waits_three_own_turns():
    state, seen = play(at("4k3/8/r7/8/n2Q4/8/8/4K3"), "d4xa4"), []
    for there in ("e8f8", "e1f1", "f8e8", "f1e1", "e8f8"):
        state = play(state, there)
        seen.append(int(state.record.cooldown[number("a6")]))
    assert seen == [2, 2, 1, 1, 0]
    assert hp(play(state, "d4xa4"), "a6") == 13 - 2 - 2


def test_only_the_first_rook_in_the_order_of_its_owners_squares_interposes():
    after = play(at("4k3/8/r7/8/n2Q4/8/r7/4K3"), "d4xa4")
    assert (hp(after, "a6"), hp(after, "a2"), hp(after, "a4")) == (13 - 2, 13, 11 - 2)
    after = play(at("4k3/8/R7/8/N2q4/8/R7/4K3 b"), "d4xa4")
    assert (hp(after, "a6"), hp(after, "a2"), hp(after, "a4")) == (13, 13 - 2, 11 - 2)


def test_a_rook_does_not_interpose_for_itself_but_for_the_other_rook():
    assert hp(play(at("4k3/8/8/8/r2Q4/8/8/4K3"), "d4xa4"), "a4") == 13 - 4
    after = play(at("4k3/8/r7/8/r2Q4/8/8/4K3"), "d4xa4")
    assert (hp(after, "a4"), hp(after, "a6")) == (11, 11)


def test_the_king_may_be_protected_and_the_rook_may_die_of_it():
    after = play(at("8/8/r(2)7/8/k2Q4/8/8/4K3"), "d4xa4")
    assert board(after) == "8/8/8/8/k(23)2Q4/8/8/4K3"


def test_self_damage_is_not_shared():
    assert hp(play(at("4k3/8/8/8/R2q2n1/8/8/3QK3"), "d1d3!xd4", die=1), "d3") == 8


# ------------------------------------------------------------------ Consecration, Skirmish, Advance


def test_consecration_heals_the_first_piece_on_a_diagonal_if_it_is_a_damaged_ally():
    state = at("4k3/8/5R(5)2/2P5/3B4/4n(3)3/1N(2)6/4K3")
    assert {m for m in moves(state, "d4") if "+" in m} == {"d4+f6", "d4+b2"}
    after = play(state, "d4+f6", die=3)
    assert hp(after, "f6") == 8
    assert "B(~2*2)" in board(after)
    assert not any("+" in m for m in moves(at("4k3/8/8/8/3B(~1)4/2P(3)5/8/4K3")))
    assert not any("+" in m for m in moves(at("4k3/8/8/8/3B(*0)4/2P(3)5/8/4K3")))
    assert "d4+g7" in moves(at("4k3/6R(3)1/8/8/3B4/8/8/4K3"))  # distance 3
    assert not any("+" in m for m in moves(at("4k2R(3)/8/8/8/3B4/8/8/4K3")))  # distance 4


def test_only_the_first_piece_on_a_diagonal_can_be_healed():
    assert not any("+" in m for m in moves(at("4k3/8/5R(5)2/4P3/3B4/8/8/4K3")))  # behind a piece that lacks nothing
    assert not any("+" in m for m in moves(at("4k3/8/5R(5)2/4p3/3B4/8/8/4K3")))
    assert not any("+" in m for m in moves(at("4k3/8/3R(5)4/8/3B1R(5)2/8/8/4K3")))  # nor on a rank or a file


def test_heals_stop_at_the_maximum():
    state = at("4k3/8/8/8/3B4/2P(5)5/8/4K3")
    assert {hp(play(state, "d4+c3", die=die), "c3") for die in SIX} == {6, 7}


def test_skirmish_hits_a_neighbour_and_steps_to_a_square_that_was_empty_before():
    state = at("4k3/8/8/3p(3)4/2pNP3/8/8/4K3")
    found = {m for m in moves(state, "d4") if "!" in m}
    steps = {"c5", "e5", "c3", "d3", "e3"}
    assert found == {f"d4x{hit}!{step}" for hit in ("d5", "c4") for step in steps}
    after = play(state, "d4xd5!e5")
    assert board(after) == "4k3/8/8/4N(~2*4)3/2p1P3/8/8/4K3"
    assert not any("!" in m for m in moves(at("4k3/8/8/3p4/3N(*0)4/8/8/4K3")))
    assert not any("!" in m for m in moves(at("4k3/8/8/3p4/3N(~1)4/8/8/4K3")))


def test_skirmish_hits_straight_neighbours_only_and_needs_a_square_to_step_to():
    assert not any("!" in m for m in moves(at("4k3/8/8/2p1p3/3N4/2p1p3/8/4K3")))
    assert not any("!" in m for m in moves(at("4k3/8/8/2PpP3/2PNP3/2PPP3/8/4K3")))


def test_advance_goes_two_ahead_from_any_rank_but_the_start_rank():
    assert "e3e5^" in moves(at("4k3/8/8/8/8/4P3/8/4K3"))
    assert "e3e5^" not in moves(at("4k3/8/8/4p3/8/4P3/8/4K3"))
    assert "e3e5^" not in moves(at("4k3/8/8/8/4p3/4P3/8/4K3"))
    assert "e2e4^" not in moves(at("4k3/8/8/8/8/8/4P3/4K3"))


@pytest.mark.parametrize("rank", range(3, 7))
def test_both_sides_advance_from_every_other_rank(rank):
    ranks = ["8"] * 8
    ranks[0], ranks[7], ranks[8 - rank] = "7k", "7K", "3P4"
    assert f"d{rank}d{rank + 2}^" in moves(at("/".join(ranks)))
    ranks[0], ranks[7], ranks[8 - rank], ranks[rank - 1] = "7k", "7K", "8", "3p4"
    assert f"d{9 - rank}d{7 - rank}^" in moves(at("/".join(ranks) + " b"))


def test_a_pawn_does_not_advance_on_two_consecutive_own_turns():
    state = play(at("4k3/8/8/8/8/4P3/8/4K3"), "e3e5^", "e8d8")
    assert "e5e7^" not in moves(state)
    assert "e5e6" in moves(state)
    assert "e5e7^" in moves(play(state, "e1d1", "d8e8"))


def test_the_first_double_step_is_no_advance():
    assert "e4e6^" in moves(play(at("4k3/8/8/8/8/8/4P3/4K3"), "e2e4", "e8d8"))


def test_another_pawn_may_advance_in_the_next_turn():
    assert "d3d5^" in moves(play(at("4k3/8/8/8/8/3PP3/8/4K3"), "e3e5^", "e8d8"))


# ------------------------------------------------------------------ turns


def test_cooldowns_tick_at_the_end_of_own_turns_only():
    state = at("4k3/8/8/q(~2)7/8/8/8/Q(~2)3K3")
    after = play(state, "e1f1")
    assert (after.record.cooldown[0], after.record.cooldown[32]) == (1, 2)
    after = play(after, "e8f8")
    assert (after.record.cooldown[0], after.record.cooldown[32]) == (1, 1)


@pytest.mark.parametrize(("points", "queen"), [(7, 10), (6, 8), (5, 7), (4, 5), (3, 4), (2, 2), (1, 1)])
def test_a_pawn_on_the_last_rank_becomes_a_queen_with_its_share_of_hp(points, queen):
    inside = "" if points == 7 else f"({points})"
    after = play(at(f"8/4P{inside}3/8/8/8/k7/8/4K3"), "e7e8")
    assert board(after).startswith("4Q+" + ("" if queen == 10 else f"({queen})"))
    after = play(at(f"4k3/8/8/8/8/3p{inside}4/8/7K b"), "d3d1^")
    assert "q+" + ("" if queen == 10 else f"({queen})") + "3K" in board(after)


def test_a_side_with_no_legal_action_passes():
    state = at("4k3/8/8/8/8/r1r5/PBn5/K(*0)Bn5")
    assert moves(state) == {"--"}
    after = play(state, "--")
    assert (board(after), after.to_move, after.is_over) == (board(state), 1, False)
    assert moves(at("4k3/8/8/8/8/r1r5/PBn5/K(*1)Bn5")) == {"a1*"}


# ------------------------------------------------------------------ the end


def test_the_dead_kings_side_has_lost():
    after = play(at("4k(4)3/8/8/8/4Q3/8/8/4K3"), "e4e5!xe8")
    assert after.is_over
    assert after.returns == (1.0, -1.0)
    after = play(at("4k3/8/8/8/4q3/8/4K(4)3/8 b"), "e4xe2")
    assert after.returns == (-1.0, 1.0)


def test_only_kings_left_is_a_draw_worth_minus_a_half_to_both():
    after = play(at("4k3/8/8/8/8/8/4r(2)3/4K3"), "e1xe2")
    assert after.returns == (-0.5, -0.5)
    assert not play(at("4k3/8/8/8/8/8/4r(3)3/4K3"), "e1xe2").is_over


def test_the_third_time_of_a_position_is_a_draw():
    state = EXCHANGE.new(0)
    state = play(state, *["g1f3", "g8f6", "f3g1", "f6g8"] * 2)
    assert state.returns == (-0.5, -0.5)


def test_the_second_time_goes_on():
    state = play(EXCHANGE.new(0), "g1f3", "g8f6", "f3g1", "f6g8")
    assert not state.is_over
    assert state.record.repeats == 2


# What stands on a1 and on c1 changes places: knights by jumps, queens by slides; Black's king goes to and fro.
EXCHANGED = {
    "N": "a1b3 e8f8 c1e2 f8e8 b3c1 e8f8 e2c3 f8e8 c3a2 e8f8 a2b4 f8e8 b4c2 e8f8 c2a1 f8e8",
    "Q": "a1a2 e8f8 c1a1 f8e8 a2c2 e8f8 c2c1 f8e8",
}


@pytest.mark.parametrize(
    ("one", "other", "times"),
    [("N", "N", 2), ("Q+", "Q+", 2), ("N(5)", "N(5)", 2), ("N", "N(5)", 1), ("N", "N(*4)", 1), ("Q", "Q+", 1)],
)
def test_only_twins_that_are_alike_in_all_may_change_places_in_the_same_position(one, other, times):
    state = at(f"4k3/8/8/8/8/8/8/{one}1{other}1K3")
    after = play(state, *EXCHANGED[one[0]].split())
    assert board(after) == f"4k3/8/8/8/8/8/8/{other}1{one}1K3"
    assert after.record.repeats == times


def test_a_position_that_differs_in_a_cooldown_or_decree_is_another():
    quiet = ("e1f1", "e8f8", "f1e1", "f8e8")
    state = at("4k3/8/8/8/8/8/8/Q(~2)3K3")
    assert play(state, *quiet).record.repeats == 1
    assert play(state, *quiet * 2).record.repeats == 2  # since the cooldown is over
    state = play(at("4k3/8/8/8/8/8/8/Q3K3"), "e1*", "e8d8", "a1a2", "d8e8", "a2a1", "e8d8")
    assert state.record.repeats == 1


def test_the_same_squares_with_the_other_side_to_move_are_another_position():
    state = at("4k3/8/8/8/8/8/8/R3K3")
    after = play(state, "e1d2", "e8d8", "d2d1", "d8e8", "d1e1")
    assert (board(after), after.to_move, after.record.repeats) == (board(state), 1, 1)


def test_three_hundred_turns_are_a_draw():
    state = at("4k3/8/8/8/8/8/8/Q3K3 b 00 299 0 -")
    assert not state.is_over
    assert play(state, "e8d8").returns == (-0.5, -0.5)


def test_a_king_that_dies_in_the_last_turn_is_no_draw():
    state = at("4k3/8/8/8/4q3/8/4K(4)3/8 b 00 299 0 -")
    assert play(state, "e4xe2").returns == (-1.0, 1.0)
