"""GNU Go's regression suites: questions about enclosed groups with at most 12 empty points within reach.

A group counts as enclosed if the chains around it have at least three liberties outside, or are alive by themselves: the suites
have many problems that are about capturing just those chains. Cases on which we differ are listed with the reason.
"""

import pytest

from playmill.puzzles.solver.ground import Ground, find_ground
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import solve
from puzzles.solver.gnugo_suites import ATTACK, DEFEND, cases, suites

pytestmark = pytest.mark.jit
SETTINGS = SolverSettings(max_empty=12, wall_liberties=3, max_nodes=1_000_000)
RESULTS = {("dead", ATTACK): 1, ("alive", ATTACK): 0, ("alive", DEFEND): 1, ("dead", DEFEND): 0}
SHARE = 0.9
REASONS = {
    "ld_owl 323 defend": "a ko: dead without ko threats, as they say, but one threat makes n11 a ko",
    "owl 139 attack": "a ko: dead without ko threats, by their moves, but with one threat the defender holds out",
    "seki 2050 attack": "White j9 and j7 capture the three stones, which have no other liberty and no eye",
}


@pytest.fixture(scope="module")
def enclosed():
    try:
        folder = suites()
    except OSError as error:
        pytest.skip(f"GNU Go's suites can't be had from Debian: {error}")
    found = []
    for case in cases(folder):
        problem = case.problem()
        if problem is not None and isinstance(find_ground(problem, SETTINGS.max_empty, SETTINGS.wall_liberties), Ground):
            found.append((case, solve(problem, SETTINGS)))
    return found


def agrees(case, solution):
    """The same result, a ko of whatever kind being a ko, and a right move of theirs among ours if both sides have some."""
    if solution.status == "ko":
        return bool(case.results & {2, 3})
    is_same = RESULTS.get((solution.status, case.first)) in case.results
    return is_same and (not (case.moves and solution.moves) or bool(case.moves & set(solution.moves)))


def test_there_are_many_cases(enclosed):
    assert len(enclosed) >= 40


def test_nine_in_ten_agree(enclosed):
    assert sum(agrees(case, solution) for case, solution in enclosed) >= SHARE * len(enclosed)


def test_every_difference_has_its_reason(enclosed):
    differing = {case.name for case, solution in enclosed if solution.proved and not agrees(case, solution)}
    assert differing == set(REASONS)
