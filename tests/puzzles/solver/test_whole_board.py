"""Random positions on tiny boards against a search of the whole board, where walls can be captured and nothing is assumed."""

import numpy as np
import pytest

from naive.whole_board import TooLarge, WholeBoard
from playmill.core.errors import UsageError
from playmill.games.go.geometry import cell_of, name_point
from playmill.puzzles.solver.problem import make_problem
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import solve
from playmill.puzzles.solver.workspace import Workspace

pytestmark = pytest.mark.jit
SETTINGS = SolverSettings(ko_threats=1, table_mib=1, max_nodes=200_000)
STATUS = ("alive", "dead")


EYED = [". O . O O", "O O O O O"]  # an attacker that lives, at the top of the board; rows below it are drawn at random


def random_position(rng, size, top):
    """Stones of both colours on most points below the top rows: the problem that one chain makes, the stones as bits, and the
    bits of the eyes; None if it is no position."""
    marks = [mark for row in top for mark in row.split()]
    count = size**2 - len(marks)
    drawn = np.where(rng.random(count) < rng.choice([0.35, 0.5, 0.65]), "X", "O")
    drawn[rng.permutation(count)[: rng.integers(3, 8)]] = "."
    marks += drawn.tolist()
    bits = {mark: sum(1 << at for at in range(size**2) if marks[at] == mark) for mark in "XO."}
    stones = {
        colour: [cell_of(size, *divmod(at, size)) for at in range(size**2) if marks[at] == mark]
        for colour, mark in ((1, "X"), (2, "O"))
    }
    marked = [cell for colour, cell in ((c, x) for c in (1, 2) for x in stones[c]) if colour == 1 or not top]
    if not marked:
        return None
    try:
        problem = make_problem(size, stones, [marked[rng.integers(len(marked))]], int(rng.integers(1, 3)), "random")
    except UsageError:
        return None
    return problem, bits, bits["."] & ((1 << size * len(top)) - 1)


def compare(seed, size, most, top=()):
    """Solve a random position in both ways; return the status, or None if there is nothing to compare. Raise if they differ."""
    rng = np.random.default_rng(seed)
    found = random_position(rng, size, top)
    if found is None:
        return None
    problem, bits, eyes = found
    solution = solve(problem, SETTINGS, workspace=WORKSPACE)
    if not solution.proved or solution.walls != "shown":
        return None
    defender, mover = problem.defender, int(problem.to_play != problem.defender)
    names = {name_point(size, *divmod(at, size)).lower(): at for at in range(size**2)} | {"pass": -1}
    marked = sum(1 << at for at in range(size**2) if cell_of(size, *divmod(at, size)) in problem.marked)
    whole = WholeBoard(size, marked, most, eyes)
    start = (bits["XO"[defender - 1]], bits["XO"[2 - defender]], mover, -1, SETTINGS.ko_threats, 0)
    try:
        expect(whole, start, mover, solution, names)
    except TooLarge:
        return None
    return solution.status


def expect(whole, start, mover, solution, names):
    forced = [whole.wins(start, prover) for prover in (0, 1)]
    if solution.status == "ko":
        assert forced == [False, False]
        return
    assert forced[STATUS.index(solution.status)], "the status is wrong"
    if solution.status != STATUS[mover]:
        return
    for at, after in whole.moves(start, mover).items():
        name = next(name for name, number in names.items() if number == at)
        after = (*after[:5], 0)  # to play elsewhere first is no offer to end the game
        if name in solution.moves:
            assert whole.wins(after, mover), f"{name} is not right"
        elif name not in solution.undecided and name in inside(solution):
            assert not whole.wins(after, mover), f"{name} is right, too"


def inside(solution):
    return {solution.ground.name(vertex) for vertex in range(len(solution.ground.cells))} | {"pass"}


WORKSPACE = Workspace(1)


def compare_many(seeds, size, most, top=()):
    found = [compare(seed, size, most, top) for seed in seeds]
    return {status: found.count(status) for status in ("alive", "dead", "ko")}


def test_four_by_four_agrees_with_the_whole_board():
    # Few are left that live: the fight goes on after captures, and most have more positions than are looked at.
    assert compare_many(range(1200), 4, 4000)["alive"] > 5


def test_a_corner_under_an_attacker_that_lives_agrees_with_the_whole_board():
    found = compare_many(range(700), 5, 1500, EYED)
    assert found["dead"] > 40
    assert found["alive"] >= 2


@pytest.mark.slow
def test_thousands_agree():
    found = compare_many(range(10_000, 16_000), 5, 8000, EYED)
    assert found["dead"] > 300
    found = compare_many(range(10_000, 15_000), 4, 5000)
    assert found["alive"] > 20  # 25 of them live, since a fight goes on after captures
