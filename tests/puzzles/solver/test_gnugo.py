"""GNU Go's regression suites: questions about enclosed groups, asked with the settings that the command has by default.

Only the budget is smaller, which makes more answers unknown and none different. Differences are listed with their reasons; in
both the status is a ko, and without ko threats it is theirs, with their moves.
"""

import pytest

from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import solve
from puzzles.solver.gnugo_suites import ATTACK, DEFEND, cases, suites

pytestmark = pytest.mark.jit
SETTINGS = SolverSettings(max_nodes=50_000)
RESULTS = {("dead", ATTACK): 1, ("alive", ATTACK): 0, ("alive", DEFEND): 1, ("dead", DEFEND): 0}
SHARE = 0.95
REASONS = {
    "ld_owl 323 defend": "a ko: dead without ko threats, as they say, but one threat makes n11 a ko",
    "owl 139 attack": "a ko: dead without ko threats, by their moves, but with one threat the defender holds out",
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
        solution = solve(problem, SETTINGS) if problem is not None else None
        if solution is not None and solution.proved:
            found.append((case, solution))
    return found


def agrees(case, solution):
    """The same result, a ko of whatever kind being a ko; where both have right moves, one of theirs is ours or undecided."""
    if solution.status == "ko":
        return bool(case.results & {2, 3})
    is_same = RESULTS.get((solution.status, case.first)) in case.results
    return is_same and (not (case.moves and solution.moves) or bool(case.moves & {*solution.moves, *solution.undecided}))


def test_there_are_many_cases(enclosed):
    assert len(enclosed) >= 70


def test_nearly_all_agree(enclosed):
    assert sum(agrees(case, solution) for case, solution in enclosed) >= SHARE * len(enclosed)


def test_every_difference_has_its_reason(enclosed):
    differing = {case.name for case, solution in enclosed if not agrees(case, solution)}
    assert differing == set(REASONS)


@pytest.mark.parametrize("name", REASONS)
def test_without_ko_threats_the_answer_is_theirs(enclosed, name):
    case = next(case for case, _ in enclosed if case.name == name)
    solution = solve(case.problem(), SETTINGS.model_copy(update={"ko_threats": 0}))
    assert RESULTS[solution.status, case.first] in case.results
    assert not case.moves or case.moves == set(solution.moves)
