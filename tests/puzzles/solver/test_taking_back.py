"""A marked chain that is captured is lost only if the defender can't come back to one of its points."""

import pytest

from playmill.games.go.board import BLACK, WHITE
from playmill.puzzles.solver.checker import check_proof
from playmill.puzzles.solver.proof_file import proof_text
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import solve
from puzzles.solver.drawings import drawn

pytestmark = pytest.mark.jit
SETTINGS = SolverSettings(table_mib=1, wall_liberties=0)
KO = """
    O O O O O . .
    X X X X O . .
    . X . X O O .
    X X X . # O ."""
SNAPBACK = """
    O O O O O . .
    X X X X O . .
    . X . X O . .
    X X X X O O .
    X O O X O . .
    X . # O O . ."""
TWO_STONES = """
    O O O O O O .
    X X X X O O .
    . X . X O O .
    X X X . # # O"""
NO_WAY_BACK = """
    O O O O O . .
    X X X X O . .
    . X . X O O .
    X X X X . # O"""
UNDER_THE_STONES = """
    O O O O O O .
    # # # # O O .
    . # . # O O .
    # # # . X X O"""


def answer(drawing, to_play, settings=SETTINGS):
    """The status and the moves, their proof checked."""
    problem = drawn(drawing, to_play)
    solution = solve(problem, settings, with_proof=True)
    checked = check_proof(proof_text(problem, solution, settings))
    assert (checked.status, checked.moves) == (solution.status, solution.moves)
    return solution.status, solution.moves


def test_a_stone_that_can_be_taken_back_in_a_ko_is_a_ko():
    assert answer(KO, WHITE) == ("ko", ("d1",))
    assert answer(KO, BLACK) == ("alive", ("d1",))


@pytest.mark.parametrize(("winner", "status"), [("attacker", "dead"), ("defender", "alive")])
def test_who_wins_the_ko_has_the_stone(winner, status):
    assert answer(KO, WHITE, SETTINGS.model_copy(update={"ko": winner}))[0] == status


def test_a_stone_that_is_captured_into_a_snapback_lives():
    assert answer(SNAPBACK, WHITE) == ("alive", ())


def test_two_stones_of_which_one_is_won_back_live():
    assert answer(TWO_STONES, WHITE) == ("alive", ())


def test_a_stone_without_a_way_back_is_dead():
    assert answer(NO_WAY_BACK, WHITE)[0] == "dead"


def test_stones_without_marks_may_be_given_up():
    assert answer(UNDER_THE_STONES, WHITE) == ("alive", ())
