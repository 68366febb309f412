"""Puzzles to test with: the classics that have one right first move, really solved, graded and tagged."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache

from playmill.core.files import temporary_folder
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.board_text import read_point
from playmill.games.go.sgf.points import write_point
from playmill.puzzles.duplicates import canonical_id
from playmill.puzzles.grading import Evidence, grade
from playmill.puzzles.puzzle import Puzzle
from playmill.puzzles.solution_tree import PASS, Branch, SolutionTree, write_solution
from playmill.puzzles.solver.classics import CLASSICS
from playmill.puzzles.solver.fight import PASS as PASSED
from playmill.puzzles.solver.proof_file import write_proof
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import solve
from playmill.puzzles.tags import tags_of

SETTINGS = SolverSettings(wall_liberties=0, max_nodes=500_000)
WANTED = {"live": "alive", "kill": "dead"}
MAX_PLIES, MAX_REPLIES = 9, 2


@dataclass(frozen=True)
class Solved:
    """A classic for one side: its name, the puzzle, what it was graded by, and the text of its proof."""

    name: str
    puzzle: Puzzle
    evidence: Evidence
    proof: str


@cache
def solved_classics() -> tuple[Solved, ...]:
    """All classics and sides with one right first move, in their order."""
    found = (_solved(classic, side) for classic in CLASSICS for side in (BLACK, WHITE))
    return tuple(one for one in found if one is not None)


def _solved(classic, side):
    problem = classic.problem(side)
    solution = solve(problem, SETTINGS, with_proof=True)
    if (
        solution.status != WANTED[solution.goal]
        or len(solution.moves) != 1
        or solution.undecided
        or solution.moves[0] == "pass"
    ):
        return None
    tree = _tree(problem, solution)
    evidence = Evidence(len(tree.right.main_line), sum(branch.nodes for branch in tree.first_moves), len(solution.claims),
                        len(tree.wrong), solution.nodes)  # fmt: skip
    name = f"{classic.name}, {solution.to_play} first"
    return Solved(name, _puzzle(name, problem, solution, tree, evidence), evidence, _proof(problem, solution))


def _proof(problem, solution):
    with temporary_folder("proof") as folder:
        write_proof(folder / "proof", problem, solution, SETTINGS)
        return (folder / "proof").read_text()


def _puzzle(name, problem, solution, tree, evidence):
    graded, identity = grade(evidence), canonical_id(problem)
    facts = {
        "puzzle_id": identity, "side": solution.to_play, "goal": solution.goal,
        "marked": [write_point(problem.size, min(problem.marked))], "verification": "proved", "proof": f"{identity}.proof",
        "engine": "solver", "budget": SETTINGS.max_nodes, "generator": "0.1.0", "source": f"{name}.sgf",
        "source_sgf_hash": hashlib.sha256(name.encode()).hexdigest(), "original_move_number": 0,
        "difficulty_score": graded.score, "difficulty_parts": graded.parts,
    }  # fmt: skip
    row = {"difficulty": graded.rank, "initial_state_sgf": position_sgf(problem, solution.goal),
           "solution_sgf": write_solution(tree, problem.size), "tags": tags_of(problem, tree), "metadata": facts}  # fmt: skip
    return Puzzle.model_validate(row)


def position_sgf(problem, goal):
    size, board = problem.size, problem.boards[0]
    stones = {
        c: sorted(write_point(size, cell) for cell, found in enumerate(board.colour) if found == c) for c in (BLACK, WHITE)
    }
    marks = sorted({write_point(size, int(board.head[cell])) for cell in problem.marked})
    listed = "".join(
        f"{name}[{']['.join(points)}]" for name, points in (("AB", stones[BLACK]), ("AW", stones[WHITE]), ("MA", marks))
    )
    side = "BW"[problem.to_play - 1]
    return f"(;GM[1]FF[4]SZ[{size}]{listed}PL[{side}]C[{problem.side} to play and {goal}.])"


def _tree(problem, solution):
    """The right move's proof and the wrong ones' refutations, cut to a few replies and plies."""
    cells = solution.ground.cells
    right = read_point(problem.size, solution.moves[0])
    branches = {
        cells[c.after]: _shown(cells, c, PASS if c.after == PASSED else cells[c.after])
        for c in solution.claims
        if c.after != PASSED
    }
    wrong = sorted(
        (branch for cell, branch in branches.items() if cell != right), key=lambda branch: (-branch.nodes, branch.move)
    )
    return SolutionTree(problem.to_play, branches[right], tuple(wrong[:4]))


def _shown(cells, claim, first):
    return Branch(first, _replies(cells, claim.lines, 0, 1) if claim.lines else ())


def _replies(cells, lines, at, plies):
    if plies >= MAX_PLIES:
        return ()
    found = [Branch(PASS if move == PASSED else cells[move], _replies(cells, lines, end, plies + 1) if end >= 0 else ())
             for move, end in lines[at]]  # fmt: skip
    return tuple(sorted(found, key=lambda branch: (-len(branch.main_line), branch.move))[:MAX_REPLIES])
