"""The 75 planes, each by hand once on a board that has something to show in it."""

import numpy as np
import pytest

from exchange_positions import BUSY, at, number, play, random_states
from playmill.games.exchange.board import FLIP
from playmill.games.exchange.rules import EXCHANGE

# White to move; its Decree is active for one more action, Black's for two.
BOARD = "4k(15*1)3/6P(2)1/2n(8~2*4)5/8/1b(6)1Q(4~1)1p(3)2/2P(5)5/R(9~3*4)3PN2/4K(20*0)2R w 12 60 12 -"


def plane(state, index):
    return state.features()[index].reshape(64)


def seen(state, index):
    """What a plane has where it is not 0, by squares."""
    numbers = plane(state, index)
    return {"abcdefgh"[s % 8] + str(s // 8 + 1): round(float(numbers[s]), 3) for s in np.flatnonzero(numbers)}


def flat(state, index):
    """The one number of a plane that is the same all over the board."""
    numbers = plane(state, index)
    assert (numbers == numbers[0]).all()
    return round(float(numbers[0]), 3)


PIECES = {
    0: {"e1": 1}, 1: {"d4": 1}, 2: {"a2": 1, "h1": 1}, 3: {}, 4: {"f2": 1}, 5: {"c3": 1, "e2": 1, "g7": 1},
    6: {"e8": 1}, 7: {}, 8: {}, 9: {"b4": 1}, 10: {"c6": 1}, 11: {"f4": 1},
    12: {"e1": 0.8, "e8": 0.6}, 13: {"d4": 0.4}, 14: {"a2": 0.692, "h1": 1}, 15: {"b4": 0.6}, 16: {"f2": 1, "c6": 0.727},
    17: {"c3": 0.714, "e2": 1, "g7": 0.286, "f4": 0.429},
    18: {"e1": 1}, 19: {"d4": 0.333}, 20: {"a2": 1}, 21: {}, 22: {"c6": 0.667}, 23: {},
    25: {"h1": 1},
    37: {"e1": 1, "d1": 1, "f1": 1, "d2": 1, "e2": 1, "f2": 1}, 38: {"e8": 1, "d8": 1, "f8": 1, "d7": 1, "e7": 1, "f7": 1},
    39: {"c3": 0.286, "e2": 0.143, "g7": 0.857}, 40: {"f4": 0.571},
    54: {"c3": 1, "g7": 1}, 55: {},
    58: {"e8": 0.333, "g7": 1, "c6": 0.8, "b4": 1, "d4": 1, "f4": 1, "c3": 1, "a2": 0.8, "e2": 1, "f2": 1, "h1": 1},
    61: {},
    69: {"c3": 0.286, "e2": 0.143, "g7": 0.857, "f4": 0.571},
    71: {"e8": 1, "b4": 1, "f4": 1},
    72: {"e1": 0.143, "d4": 0.571, "a2": 0.286, "h1": 0.143, "f2": 0.286, "c3": 0.429, "e2": 0.286, "g7": 0.857},
    74: {"e8": 0.333, "c6": 0.8, "b4": 1, "f4": 1},
}  # fmt: skip
FLAT = {
    24: 1, 26: 1, 27: 1, 28: 0.2, 29: 0.4, 30: 0.333, 59: 0.5, 70: 1,
    31: round((20 + 4 + 9 + 13 + 11 + 5 + 7 + 2) / (71 + 15 + 8 + 6 + 3), 3), 32: round(8 / 12, 3),
    33: round((9 + 10 + 3 + 3) / (25 + 3 + 3 + 1), 3),
}  # fmt: skip


@pytest.mark.parametrize("index", PIECES)
def test_planes_of_pieces(index):
    assert seen(at(BOARD), index) == PIECES[index]


@pytest.mark.parametrize("index", FLAT)
def test_planes_of_the_whole_position(index):
    assert flat(at(BOARD), index) == FLAT[index]


# Has what the first one lacks: a bishop of White's, Black's queen and rook, abilities that cool down, a passed pawn of Black's.
OTHER = "r(5~2*3)3k1q(7)1/8/2b(4~2*1)5/8/p(~1)7/5B(6~1*2)2/7P/4K3 w 00 60 12 -"
OTHERS = {
    3: {"f3": 1}, 7: {"g8": 1}, 8: {"a8": 1},
    13: {"g8": 0.7}, 14: {"a8": 0.385}, 15: {"c6": 0.4, "f3": 0.6},
    20: {"a8": 0.667}, 21: {"c6": 0.667, "f3": 0.333}, 23: {"a4": 1},
    25: {}, 54: {"h2": 1}, 55: {"a4": 1},
    58: {"a8": 0.6, "e8": 1, "g8": 1, "c6": 0.333, "a4": 1, "f3": 0.667, "h2": 1, "e1": 1},
    71: {"e8": 1, "g8": 1},
    74: {"a8": 0.6, "e8": 1, "g8": 1, "c6": 0.333, "a4": 1},
}  # fmt: skip


@pytest.mark.parametrize("index", OTHERS)
def test_planes_of_pieces_that_the_first_board_lacks(index):
    assert seen(at(OTHER), index) == OTHERS[index]


def test_depleted_abilities_count_as_waiting():
    assert seen(at("4k3/8/8/8/8/8/8/R(*0)N(*0)B(*0)1K3"), 20) == {"a1": 1}
    assert seen(at("4k3/8/8/8/8/8/8/R(*0)N(*0)B(*0)1K3"), 22) == {"b1": 1}


def test_promoted_queens():
    assert seen(at("4k3/8/8/8/8/8/8/Q+2QK3"), 61) == {"a1": 1}


def test_a_material_of_none_is_a_half():
    assert flat(at("4k3/8/8/8/8/8/8/4K3"), 33) == 0.5


def squares(text):
    return dict.fromkeys(text.split(), 1)


def test_attack_maps_by_the_real_reach():
    state = at("b3k3/8/8/8/8/8/1P6/4K3")
    assert seen(state, 34) == squares("a3 c3 d1 d2 e2 f1 f2")
    assert seen(state, 35) == squares("c6 d5 d8 f8 d7 e7 f7")
    knight = at("7k/8/8/8/8/8/8/N3K3")
    assert seen(knight, 34) == squares("b4 a3 c3 b2 c1 d2 d1 e2 f1 f2")  # around b3 and c2, and the king's
    rook = at("7k/8/8/8/3R4/8/8/7K")
    assert seen(rook, 34) == squares("c3 c4 c5 d3 d5 e3 e4 e5 d2 d6 b4 f4 g1 g2 h2")
    queen = at("7k/8/3P4/8/3Q4/8/8/7K")
    lines = "d5 d6 e5 f6 g7 e4 f4 g4 e3 f2 g1 d3 d2 d1 c3 b2 a1 c4 b4 a4 c5 b6 a7"  # up to the pawn, which attacks c7, e7
    assert seen(queen, 34) == squares(f"{lines} c7 e7 g2 h2")


def test_contested_and_safe_attack_squares():
    state = at("8/8/8/8/3k4/8/3K4/8")
    assert seen(state, 36) == squares("c3 d3 e3")
    assert seen(state, 73) == squares("c1 d1 e1 c2 e2")


def test_mobility_is_that_of_the_legal_moves_of_both_sides():
    state = at("4k(*0)3/8/8/8/8/8/P7/4K(*0)3")
    assert seen(state, 41) == {"a2": round(2 / 32, 3), "e1": round(5 / 32, 3)}
    assert seen(state, 42) == {"e8": round(5 / 32, 3)}
    many = at("4k3/8/8/2p1p3/3Q4/2p1p3/8/4K3")
    assert seen(many, 41)["d4"] == 1


def test_threats_count_the_attackers():
    state = at("4k3/8/8/8/8/q1b5/1P6/2K5")
    assert seen(state, 43) == {"b2": 0.25}  # the queen; an adjacent bishop doesn't
    assert seen(state, 44) == {"a3": 0.25, "c3": 0.25}


def test_centre_control_is_weighted():
    state = at("4k3/8/8/8/8/3P4/8/4K3")
    assert seen(state, 45) == {"e4": 1, "c4": 0.5}
    assert seen(at("4k3/8/3p4/8/8/8/8/4K3"), 45) == {"e5": -1, "c5": -0.5}


def test_hanging_and_defended_pieces():
    state = at("4k3/8/8/8/8/q7/1P6/2R1K3")
    assert seen(state, 46) == {}
    assert seen(state, 48) == {"b2": 1, "e1": 1}
    lone = at("4k3/8/8/8/8/q7/1P6/4K3")
    assert seen(lone, 46) == {"b2": 1}
    assert seen(lone, 47) == {"a3": 1}
    assert seen(at("4k3/3p4/8/8/8/8/8/4K3"), 49) == {"d7": 1}


def test_attackers_of_the_king_zones():
    state = at("4k3/8/8/8/4q3/8/8/R3K3")
    assert flat(state, 50) == 0.125  # the queen, which reaches two squares there
    assert flat(state, 51) == 0
    assert flat(at("4k3/8/3P4/8/8/8/8/4K3"), 51) == 0.125


def test_safe_squares_can_be_moved_to_and_are_not_attacked():
    state = at("4k3/8/8/8/8/1q6/P7/7K")
    assert seen(state, 52) == squares("g1 g2 h2")  # the queen attacks a3 and a4
    assert "b4" in seen(state, 53)
    assert "b1" in seen(state, 53)
    assert "c3" in seen(state, 53)
    assert "g2" not in seen(at("4k3/8/8/8/8/6q1/P7/7K"), 53)


def test_open_files():
    assert {s[0] for s in seen(at("4k3/1p6/8/8/8/8/P7/4K3"), 56)} == set("cdefgh")


def test_damage_potential_is_the_balance_of_expected_damage():
    state = at("4k3/8/8/8/8/3P4/8/4K3")
    assert seen(state, 57)["e4"] == round((1 + 3.5) / 20, 3)
    assert seen(state, 57)["d7"] == round(-(1 + 3.5) / 20, 3)
    assert seen(at("4k3/8/8/8/8/3P4/8/4K(*2)3 w 10 60 0 -"), 57)["e4"] == round((1 + 3.5 + 2) / 20, 3)


def test_who_can_hit_under_decree():
    state = at("4k3/8/8/4p3/3P4/8/P7/4K(*2)3 w 10 60 0 -")
    assert seen(state, 60) == {"d4": 1}
    assert seen(state, 68) == {"d4": 1, "e5": 1}
    assert seen(at("4k3/8/8/4p3/3P4/8/P7/4K(*2)3"), 60) == {}


def test_pieces_that_can_be_hit_next_turn_by_abilities_too():
    state = at("7k/8/8/8/8/6r1/8/3QK3")
    assert seen(state, 63) == {"g3": 1, "h8": 1}  # by Overextend only
    assert "g3" not in seen(state, 34)
    assert seen(at("3qk3/8/8/8/8/6R1/8/7K"), 62) == {"g3": 1, "h1": 1}


def test_interpose_coverage():
    state = at("4k3/8/8/r2p4/8/N7/8/R3K3")
    assert seen(state, 64) == {"a3": 1}
    assert seen(state, 65) == {"d5": 1}
    assert seen(at("4k3/8/8/8/8/N7/8/R(~1)3K3"), 64) == {}


def test_consecration_targets():
    assert seen(at("4k3/8/8/8/3B4/2P(5)1P3/8/4K3"), 66) == {"c3": 1}


def test_forcing_moves_hit_kings_can_kill_or_promote():
    state = at("8/1P6/8/3r(9)4/3Q(~1)2k1/3n(10)4/8/4K3")
    assert seen(state, 67) == {"b8": 1, "d5": 1, "g4": 1}  # the queen's best die does 9


def mirrored(state):
    """The same position with the colours exchanged and the board flipped."""
    record = state.record.reshape(1).copy()
    flip = np.arange(64) ^ FLIP
    for field in ("piece", "hp", "cooldown", "charges"):
        record[field] = record[field][:, flip]
    codes = np.array([0, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 14, 13])
    record["piece"] = codes[record["piece"]]
    for field in ("decree", "king", "alive"):
        record[field] = record[field][:, ::-1]
    record["king"] = np.where(record["king"] >= 0, record["king"] ^ FLIP, -1)
    record["mover"] = 1 - record["mover"]
    return type(state)(EXCHANGE, record, state.seed, state.ply)


@pytest.mark.jit
def test_both_sides_see_the_same_but_for_the_real_colour():
    for state in [*random_states(4, 1), *map(at, BUSY)]:
        ours, theirs = state.features(), mirrored(state).features()
        assert (ours[26] == 1 - theirs[26]).all()
        assert (ours[27] == 1 - theirs[27]).all()
        np.testing.assert_array_equal(np.delete(ours, (26, 27), axis=0), np.delete(theirs, (26, 27), axis=0))


def test_blacks_board_is_flipped():
    state = play(EXCHANGE.new(0), "e2e4")
    assert seen(state, 0) == {"e1": 1}
    assert "e5" in seen(state, 11)
    assert plane(state, 26).sum() == 0
    assert number("e5") == number("e4") ^ FLIP
