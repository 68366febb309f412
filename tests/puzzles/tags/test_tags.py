"""Every tag on drawn problems: where it is true, and near to that where it is not."""

from __future__ import annotations

import pytest

from playmill.games.go.board_text import name_cell
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import solve
from playmill.puzzles.tags import TAGS, tags_of
from puzzle_drawings import drawn, tree

pytestmark = pytest.mark.jit

STRAIGHT_THREE = """
    O O O O O O O . .
    O # # # # # O . .
    O # b a c # O . ."""
THREE_IN_THE_CORNER = """
    O O O . . . . . .
    # # O O . . . . .
    b # # O . . . . .
    a c # O . . . . ."""
THREE_IN_THE_CENTRE = """
    . . O O O O O . .
    . O # # # # # O .
    . O # b a c # O .
    . O # # # # # O .
    . . O O O O O . .
    . . . . . . . . .
    . . . . . . . . ."""
RACE = """
    X X X X O O O O .
    X O O O # # # O .
    X b a c d e f O ."""
STONES_INSIDE = """
    . O O O O O O O .
    . O # # # # # O .
    O O # O O O # O .
    O # # . a . # O .
    O # # # # # # O .
    O O O O O O O O ."""
CONNECT_AND_DIE = """
    . . . . . . . . .
    X X X X X X X . .
    b @ @ c @ @ a . ."""
CONNECT_AND_BREATHE = """
    . . . . . . . . .
    X . X X X X X . .
    b @ @ c @ @ a . ."""
TWO_POINTS = """
    X X X . . . . . .
    @ @ @ X . . . . .
    b a @ X . . . . ."""
TWO_POINTS_AND_A_LIBERTY = """
    X X X . . . . . .
    @ @ @ . X . . . .
    b a @ X . . . . ."""
TWO_STONES_TO_GIVE = """
    X X X X X . . . .
    @ @ @ @ X . . . .
    b X a @ X . . . ."""
TWO_STONES_AND_A_LIBERTY = """
    X X X X X . . . .
    @ @ @ @ . X . . .
    b X a @ X . . . ."""
SEVEN_ON_THE_SECOND_LINE = """
    . . O O O O O O O O O . .
    . . O # # # # # # # O . .
    . O . a . . . . . b . O ."""
CUT_OFF = """
    X X O O O O . . .
    . X O # # O . . .
    . X a # O O . . ."""
ONE_INSIDE = """
    X X X X X . . . .
    X @ @ @ X . . . .
    X @ X a X . . . ."""
TWO_PENNED_IN = """
    . . . O O . . . .
    . . O # # a b . .
    . . . O O . . . .
    . . . . . . . . ."""
KO = """
    . X O . . . . . .
    X @ a O . . . . ."""

CASES = [
    # tag, whether it is true, drawing, side, the right line, wrong lines
    ("corner", True, THREE_IN_THE_CORNER, "white", "a b"),
    ("corner", False, STRAIGHT_THREE, "white", "a b"),
    ("side", True, STRAIGHT_THREE, "white", "a b"),
    ("side", False, THREE_IN_THE_CORNER, "white", "a b"),
    ("side", False, THREE_IN_THE_CENTRE, "white", "a b"),
    ("centre", True, THREE_IN_THE_CENTRE, "white", "a b"),
    ("centre", False, STRAIGHT_THREE, "white", "a b"),
    ("life", True, STRAIGHT_THREE, "black", "a"),
    ("life", False, STRAIGHT_THREE, "white", "a b"),
    ("death", True, STRAIGHT_THREE, "white", "a b"),
    ("death", False, STRAIGHT_THREE, "black", "a"),
    ("capturing-race", True, RACE, "black", "a e b f c"),
    ("capturing-race", False, STRAIGHT_THREE, "white", "a b c"),
    ("capturing-race", False, STONES_INSIDE, "white", "a"),
    ("liberty-shortage", True, CONNECT_AND_DIE, "black", "a c b"),
    ("liberty-shortage", False, CONNECT_AND_BREATHE, "black", "a c b"),
    ("liberty-shortage", False, STRAIGHT_THREE, "white", "a b c"),
    ("throw-in", True, TWO_POINTS, "black", "a b a"),
    ("throw-in", True, TWO_POINTS_AND_A_LIBERTY, "black", "a b"),
    ("throw-in", False, STRAIGHT_THREE, "white", "a b"),
    ("throw-in", False, KO, "black", "a"),
    ("snapback", True, TWO_POINTS, "black", "a b a"),
    ("snapback", True, TWO_POINTS, "black", "a"),
    ("snapback", False, TWO_POINTS_AND_A_LIBERTY, "black", "a b"),
    ("snapback", False, TWO_STONES_TO_GIVE, "black", "a b"),
    ("sacrifice", True, TWO_STONES_TO_GIVE, "black", "a b b1"),
    ("sacrifice", True, TWO_STONES_AND_A_LIBERTY, "black", "a b b1"),
    ("sacrifice", False, TWO_POINTS, "black", "a b a"),
    ("under-the-stones", True, TWO_STONES_TO_GIVE, "black", "a b b1"),
    ("under-the-stones", False, TWO_STONES_TO_GIVE, "black", "a"),
    ("under-the-stones", False, TWO_STONES_AND_A_LIBERTY, "black", "a b b1"),
    ("under-the-stones", False, TWO_POINTS, "black", "a b a"),
    ("eye-stealing", True, STRAIGHT_THREE, "white", "a b"),
    ("eye-stealing", True, THREE_IN_THE_CORNER, "white", "a b"),
    ("eye-stealing", False, STRAIGHT_THREE, "black", "a"),
    ("eye-stealing", False, SEVEN_ON_THE_SECOND_LINE, "white", "a"),
    ("eye-making", True, STRAIGHT_THREE, "black", "a"),
    ("eye-making", False, STRAIGHT_THREE, "white", "a b"),
    ("eye-making", False, CUT_OFF, "black", "a"),
    ("placement", True, STRAIGHT_THREE, "white", "a b"),
    ("placement", False, SEVEN_ON_THE_SECOND_LINE, "white", "a"),
    ("placement", False, STRAIGHT_THREE, "black", "a"),
    ("reduction", True, SEVEN_ON_THE_SECOND_LINE, "white", "a"),
    ("reduction", False, STRAIGHT_THREE, "white", "a b"),
    ("reduction", False, SEVEN_ON_THE_SECOND_LINE, "black", "a"),
    ("connect", True, CUT_OFF, "black", "a"),
    ("connect", True, ONE_INSIDE, "black", "a"),
    ("connect", False, STRAIGHT_THREE, "black", "a"),
    ("connect", False, TWO_POINTS, "black", "a b a"),
    ("escape", True, TWO_PENNED_IN, "black", "a a9 b"),
    ("escape", False, TWO_PENNED_IN, "black", "a"),
    ("escape", False, STRAIGHT_THREE, "black", "a"),
    ("first-line", True, STRAIGHT_THREE, "white", "a b"),
    ("first-line", False, THREE_IN_THE_CENTRE, "white", "a b"),
    ("ko-free", True, STRAIGHT_THREE, "white", "a b"),
    ("ko-free", False, KO, "black", "a"),
]  # fmt: skip


@pytest.mark.parametrize(("tag", "is_true", "drawing", "side", "right"), CASES)
def test_a_tag_is_true_of_what_it_says(tag, is_true, drawing, side, right):
    problem, names = drawn(drawing, side)
    assert (tag in tags_of(problem, tree(problem, names, right))) is is_true


def test_every_tag_has_examples_of_both_kinds():
    shown = {(tag, is_true) for tag, is_true, *_ in CASES}
    assert shown == {(tag.name, is_true) for tag in TAGS for is_true in (True, False)}


ENCLOSED = [STRAIGHT_THREE, THREE_IN_THE_CORNER, THREE_IN_THE_CENTRE, SEVEN_ON_THE_SECOND_LINE, TWO_STONES_TO_GIVE]


@pytest.mark.parametrize("drawing", ENCLOSED)
def test_the_drawn_moves_are_right(drawing):
    """The examples are puzzles: the solver finds the drawn first move right."""
    side = "black" if drawing == TWO_STONES_TO_GIVE else "white"
    problem, names = drawn(drawing, side)
    solution = solve(problem, SolverSettings(wall_liberties=0))
    assert name_cell(problem.size, names["a"]).lower() in solution.moves


def test_a_fight_is_where_its_wrong_moves_are_too():
    problem, names = drawn(STRAIGHT_THREE, "white")
    assert "corner" in tags_of(problem, tree(problem, names, "a b", "a9 c"))


@pytest.mark.parametrize("right", ["a a b", "a pass c b a"])
def test_what_follows_a_pass_of_the_opponent_or_an_illegal_move_is_left_out(right):
    problem, names = drawn(STRAIGHT_THREE, "white")
    assert tags_of(problem, tree(problem, names, right)) == tags_of(problem, tree(problem, names, "a"))
