"""Ladders, on drawn boards and beside their plain twin."""

import pytest

from go_positions import boards_of, random_states, twin_of
from naive.go_reading import is_caught as naive_is_caught
from playmill.games.go.board_text import read_board, read_point
from playmill.games.go.geometry import ACTION, FIRST
from playmill.games.go.ladders import is_caught, make_reader

LADDER = """
. . . . . . . . .
. . X X . . . . .
. X O . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""
LONG = "\n".join(
    [". . . . . . . . . . . . . . . . . . ."]
    + [". . X X . . . . . . . . . . . . . . .", ". X O . . . . . . . . . . . . . . . ."]
    + [". . . . . . . . . . . . . . . . . . ."] * 16
)


def put(text, name, mark):
    """The drawing with a stone more."""
    rows = [line.split() for line in text.strip().splitlines()]
    rows[len(rows) - int(name[1:])]["ABCDEFGHJKLMNOPQRST".index(name[0])] = mark
    return "\n".join(" ".join(row) for row in rows)


def caught(text, name, **options):
    boards, _ = read_board(text)
    return is_caught(boards, read_point(int(boards[0].width), name), **options)


def test_a_ladder_runs_to_the_edge_and_catches():
    assert caught(LADDER, "C7")
    assert caught(LONG, "C17")


@pytest.mark.parametrize("breaker", ["G4", "F4", "G3", "H2"])
def test_a_breaker_in_its_way_lets_it_out(breaker):
    assert not caught(put(LADDER, breaker, "O"), "C7")


@pytest.mark.parametrize("elsewhere", ["A1", "H8", "B2"])
def test_a_stone_beside_its_way_does_not(elsewhere):
    assert caught(put(LADDER, elsewhere, "O"), "C7")


def test_a_breaker_at_the_far_end_of_a_large_board():
    assert not caught(put(LONG, "Q4", "O"), "C17")
    assert not caught(put(LONG, "R3", "O"), "C17")
    assert caught(put(LONG, "R10", "O"), "C17")


def test_who_is_in_atari_is_taken_at_once_or_has_a_move():
    atari = put(LADDER, "C6", "X")
    assert caught(atari, "C7")
    assert caught(atari, "C7", attacker_first=False)
    assert not caught(put(atari, "G4", "O"), "C7", attacker_first=False)


def test_three_liberties_are_none_of_a_ladders_business():
    assert not caught(put(LADDER, "B7", "."), "C7")


def test_a_stone_of_the_ladder_that_can_be_taken_ends_it():
    """Black's C8 and D8 have one liberty left, at E8: once in atari, White takes them."""
    text = LADDER.replace(". . . . . . . . .\n. . X X . . . . .", ". . O O . . . . .\n. O X X . . . . .", 1)
    assert not caught(text, "C7")


def test_random_positions_agree_with_the_plain_twin():
    answers = set()
    for state in (state for seed in range(4) for state in random_states("go9", seed, every=9)):
        boards, twin = boards_of(state), twin_of(state.record.board)
        reader = make_reader(boards)
        boards["ko"] = 0
        for head in {int(head) for head in boards[0].head if head}:
            for first in (True, False):
                ours = is_caught(boards, head, reader, attacker_first=first)
                assert ours == naive_is_caught(twin, int(ACTION[FIRST[9] + head]), first)
                answers.add((ours, first))
    assert len(answers) == 4


def test_too_long_is_not_caught():
    boards, _ = read_board(LADDER)
    reader = make_reader(boards)
    assert is_caught(boards, read_point(9, "C7"), reader)
    short = reader[0][:6], reader[1]
    assert not is_caught(boards, read_point(9, "C7"), short)
