"""Moves, unconditional life and verdicts on sets of vertices, beside plain twins on the board."""

import numpy as np
import pytest

from naive.go_reading import alive_points
from naive.tsumego import Fight, TooLarge
from playmill.core.errors import UsageError
from playmill.games.go.geometry import cell_of
from playmill.puzzles.solver.classics import CLASSICS
from playmill.puzzles.solver.eyes import is_alive
from playmill.puzzles.solver.fight import ATTACKER, DEFENDER, fight_of
from playmill.puzzles.solver.ground import find_ground
from playmill.puzzles.solver.moves import put
from playmill.puzzles.solver.problem import make_problem
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import solve

MARKS = ".XO"


def plain(problem):
    """The twin's board of a problem, and the number of each of its points by cell."""
    size, board = problem.size, problem.boards[0]
    cells = {cell_of(size, *divmod(at, size)): at for at in range(size**2)}
    return [MARKS[board.colour[cell]] for cell in cells], cells


def points_of(ground, problem):
    """The twin's point of each vertex."""
    _, cells = plain(problem)
    return [cells[cell] for cell in ground.cells]


@pytest.mark.parametrize("classic", CLASSICS, ids=lambda classic: classic.name)
def test_random_moves_agree_with_the_plain_board(classic):
    problem = classic.problem(1)
    ground = find_ground(problem, 24, 0)
    fights, points = fight_of(ground), points_of(ground, problem)
    rng = np.random.default_rng(len(classic.drawing))
    for _ in range(6):
        stones = [np.uint64(ground.defender), np.uint64(ground.attacker)]
        board = tuple(plain(problem)[0])
        twin = Fight(board, problem.size, [points[v] for v in range(len(points)) if sum(ground.marked) >> v & 1], [], 0)
        for ply in range(20):
            role = ply % 2
            legal = {}
            for vertex, at in enumerate(points):
                if board[at] != ".":
                    continue
                after, ko = twin.placed(board, at, "XO"[role])
                ok, own, other, taken, ban = put(fights[0], stones[role], stones[1 - role], vertex, role == ATTACKER)
                assert ok == (after is not None), (ply, vertex)
                if ok:
                    assert (None if ban < 0 else points[ban]) == ko
                    legal[vertex] = (own, other, after, int(taken) & sum(ground.marked))
            alive = twin.marked <= alive_points(twin.twin(board), "X")[0]
            assert is_alive(fights[0], stones[DEFENDER], stones[ATTACKER]) == alive
            legal = {vertex: found for vertex, found in legal.items() if not found[3]}
            if not legal:
                break
            own, other, board, _ = legal[int(rng.choice(sorted(legal)))]
            stones[role], stones[1 - role] = np.uint64(own), np.uint64(other)


def random_problem(seed, to_play):
    """A small closed corner with some stones in it, or None if a chain has no liberty there."""
    rng = np.random.default_rng(seed)
    rows = ["O O O O O", "X X X X O", ". . . X O", ". . . X O"]
    stones = {1: [], 2: []}
    for row, text in enumerate(rows, start=1):
        for column, mark in enumerate(text.split()):
            if mark == ".":
                mark = ".XO"[rng.choice(3, p=[0.5, 0.2, 0.3])]
            if mark != ".":
                stones["XO".index(mark) + 1].append(cell_of(5, row, column))
    try:
        return make_problem(5, stones, [cell_of(5, 2, 0)], to_play, "random")
    except UsageError:
        return None


@pytest.mark.jit
@pytest.mark.parametrize("seed", range(40))
def test_verdicts_agree_with_a_search_of_all_positions(seed):
    to_play = seed % 2 + 1
    problem = random_problem(seed, to_play)
    if problem is None:
        pytest.skip("no position of Go")
    ground = find_ground(problem, 24, 0)
    board, cells = plain(problem)
    twin = Fight(board, 5, [cells[cell] for cell in problem.marked], points_of(ground, problem), threats=1)
    mark = "XO"[to_play - 1]
    if twin.winner((tuple(board), mark, None, 1)) is not None:
        pytest.skip("over before it begins")
    mover, other = ("defender", "attacker") if to_play == 1 else ("attacker", "defender")
    success = {"defender": "alive", "attacker": "dead"}
    try:
        expected = success[mover] if twin.forced(mover, mark) else success[other] if twin.forced(other, mark) else "ko"
    except TooLarge:
        pytest.skip("too many positions")
    settings = SolverSettings(ko_threats=1, wall_liberties=0, table_mib=1)
    assert solve(problem, settings).status in ((expected, "unknown") if expected == "ko" else (expected,))
