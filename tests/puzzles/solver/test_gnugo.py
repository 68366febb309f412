"""GNU Go's regression suites: questions about enclosed groups, asked with the settings that the command has by default.

Only the budget is smaller, which makes more answers unknown and none different. A group is enclosed if its walls hold, or hold
once those that don't have joined the ground. Every difference is listed with its reason.
"""

import pytest

from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import solve
from puzzles.solver.gnugo_suites import ATTACK, DEFEND, FIGHTS, LIFE, cases, suites

pytestmark = pytest.mark.jit
SETTINGS = SolverSettings(max_nodes=50_000)
RESULTS = {("dead", ATTACK): 1, ("alive", ATTACK): 0, ("alive", DEFEND): 1, ("dead", DEFEND): 0}
SHARE, MOST_EMPTY = 0.9, 12
A_KO = "dead without ko threats, as they say; with threats the defender makes a ko of it"
ALIVE = "they ask about the race with the stones inside; by its own eyes the group lives whatever comes of that"
LIFE_REASONS = dict.fromkeys(["ld_owl 323 defend", "owl1 393 attack"], A_KO)
FIGHT_REASONS = {
    **dict.fromkeys(["semeai 67 defend", "semeai 68 attack", "semeai 140 attack"], A_KO),
    **dict.fromkeys(["semeai 64 attack", "semeai 65 defend", "semeai 66 attack"], A_KO),  # bent four in the corner
    **dict.fromkeys([f"STS-RV_e {number} defend" for number in (94, 96, 98, 106, 110)], ALIVE),
    "STS-RV_e 117 attack": ALIVE,
    "semeai 140 defend": "a ko; without threats White wins the race, as they say, but this stone falls on the way",
    "semeai 91 attack": "s19 connects and threatens t18; t16, q17 and q19 are answered by t18, and Black is a liberty short",
}


def ask(questions):
    """(case, solution) of all that have a ground."""
    try:
        folder = suites()
    except OSError as error:
        pytest.skip(f"GNU Go's suites can't be had from Debian: {error}")
    problems = ((case, case.problem()) for case in cases(folder, questions))
    solved = [(case, answer(problem)) for case, problem in problems if problem is not None]
    return [(case, solution) for case, solution in solved if solution.ground is not None]


def answer(problem):
    """The command's answer: with all its nodes only for small grounds, and only where few don't do."""
    solution = solve(problem, SETTINGS)
    is_short = solution.reason.startswith("not decided") and solution.empty_points <= MOST_EMPTY
    return solve(problem, SolverSettings()) if is_short else solution


@pytest.fixture(scope="module")
def life():
    return ask(LIFE)


def agrees(case, solution):
    """The same result, a ko of whatever kind being a ko; where both have right moves, one of theirs is ours or undecided."""
    if solution.status == "ko":
        return bool(case.results & {2, 3})
    is_same = RESULTS.get((solution.status, case.first)) in case.results
    return is_same and (not (case.moves and solution.moves) or bool(case.moves & {*solution.moves, *solution.undecided}))


def differing(answers):
    return {case.name for case, solution in answers if solution.proved and not agrees(case, solution)}


def test_of_small_enclosed_groups_nearly_all_agree(life):
    enclosed = [one for one in life if one[1].ground.walls_hold and one[1].empty_points <= MOST_EMPTY]
    assert len(enclosed) >= 45
    assert sum(solution.proved and agrees(case, solution) for case, solution in enclosed) >= SHARE * len(enclosed)


def test_every_difference_has_its_reason(life):
    assert differing(life) == set(LIFE_REASONS)
    assert sum(solution.proved for _, solution in life) >= 70


@pytest.mark.parametrize("name", LIFE_REASONS)
def test_without_ko_threats_the_answer_is_theirs(life, name):
    case = next(case for case, _ in life if case.name == name)
    solution = solve(case.problem(), SETTINGS.model_copy(update={"ko_threats": 0}))
    assert RESULTS[solution.status, case.first] in case.results
    assert not case.moves or case.moves == set(solution.moves)


@pytest.mark.slow
def test_races_and_single_chains_differ_for_a_reason_only():
    found = ask(FIGHTS)
    assert differing(found) == set(FIGHT_REASONS)
    assert sum(solution.proved for _, solution in found) >= 500
    for case, solution in found:
        if FIGHT_REASONS.get(case.name) == A_KO:
            without = solve(case.problem(), SETTINGS.model_copy(update={"ko_threats": 0}))
            assert (solution.status, RESULTS[without.status, case.first] in case.results) == ("ko", True), case.name
