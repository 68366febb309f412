"""Puzzles to look at: positions of every book on life and death, really solved, with trees out of their proofs."""

from __future__ import annotations

import hashlib
import math
from functools import cache
from pathlib import Path

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.sgf.points import write_point
from playmill.puzzles.puzzle import Puzzle, rank_of
from playmill.puzzles.solution_tree import PASS, Branch, SolutionTree, write_solution
from playmill.puzzles.solver import fight
from playmill.puzzles.solver.classics import CLASSICS, Classic
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import solve

SIZE = 19
MOST_REPLIES, MOST_WRONG, LONGEST = 3, 5, 8
NAMES = {BLACK: "black", WHITE: "white"}
LEFT_OUT = ("six on", "eight on", "one liberty", "two liberties", "seki")  # no single right move, or seconds to prove


@cache
def sample_puzzles(size: int = SIZE) -> tuple[Puzzle, ...]:
    """A puzzle for each classic position that has exactly one right first move, for Black or for White."""
    chosen = [classic for classic in CLASSICS if not any(part in classic.name for part in LEFT_OUT)]
    puzzles = (_puzzle(_on_board(classic, size), to_play) for classic in chosen for to_play in (BLACK, WHITE))
    return tuple(puzzle for puzzle in puzzles if puzzle is not None)


def many_puzzles(count: int) -> list[Puzzle]:
    """So many puzzles, the samples over and over, each with an id and a difficulty of its own."""
    samples = sample_puzzles()
    return [_another(samples[number % len(samples)], number) for number in range(count)]


def write_puzzles(path: Path, puzzles: list[Puzzle] | tuple[Puzzle, ...]) -> Path:
    path.write_text("".join(puzzle.line() + "\n" for puzzle in puzzles))
    return path


def _another(puzzle: Puzzle, number: int) -> Puzzle:
    score = round(number * 61.803398875 % 100, 1)
    name = hashlib.sha256(f"puzzle {number}".encode()).hexdigest()[:16]
    changes = {"puzzle_id": name, "difficulty_score": score, "original_move_number": number % 300}
    facts = puzzle.metadata.model_copy(update=changes)
    return puzzle.model_copy(update={"metadata": facts, "difficulty": rank_of(score)})


def _on_board(classic: Classic, size: int) -> Classic:
    """The same in the corner of a larger board."""
    rows = [row.split() for row in classic.drawing.strip().splitlines()]
    drawing = "\n".join(" ".join(row + ["."] * (size - len(row))) for row in rows)
    return Classic(classic.name, classic.black_first, classic.white_first, drawing, classic.vital)


def _puzzle(classic: Classic, to_play: int) -> Puzzle | None:
    problem, settings = classic.problem(to_play), SolverSettings()
    solution = solve(problem, settings, with_proof=True)
    if solution.status != {"live": "alive", "kill": "dead"}[solution.goal] or len(solution.moves) != 1:
        return None
    tree = _tree(solution, to_play)
    score = round(min(99.0, 9 * math.log(solution.nodes + 1)), 1)
    parts = {"depth": min(1.0, len(tree.right.main_line) / 15), "breadth": min(1.0, len(solution.claims) / 12)}
    facts = {
        "puzzle_id": hashlib.sha256(f"{classic.name} {to_play}".encode()).hexdigest()[:16], "side": NAMES[to_play],
        "goal": solution.goal, "marked": [_first_mark(problem)], "verification": "proved", "engine": "solver",
        "budget": settings.max_nodes, "generator": "0.1.0", "source": f"classics/{classic.name.replace(' ', '_')}.sgf",
        "source_sgf_hash": hashlib.sha256(classic.drawing.encode()).hexdigest(), "original_move_number": 40 + len(tree.wrong),
        "difficulty_score": score, "difficulty_parts": parts,
    }  # fmt: skip
    tags = ["life" if solution.goal == "live" else "death", "corner" if "corner" in classic.name else "side"]
    row = {"difficulty": rank_of(score), "initial_state_sgf": _position(problem), "tags": tags, "metadata": facts}
    return Puzzle.model_validate({**row, "solution_sgf": write_solution(tree, problem.size)})


def _first_mark(problem) -> str:
    return write_point(problem.size, min(problem.marked))


def _position(problem) -> str:
    board, size = problem.boards[0], problem.size
    stones = {
        name: sorted(
            write_point(size, cell) for cell in range(1, board.colour.size) if board.head[cell] and board.colour[cell] == c
        )
        for name, c in (("AB", BLACK), ("AW", WHITE))
    }
    points = "".join(name + "".join(f"[{point}]" for point in places) for name, places in stones.items())
    goal = "live" if problem.to_play == problem.defender else "kill"
    letter = "B" if problem.to_play == BLACK else "W"
    return f"(;GM[1]FF[4]SZ[{size}]{points}MA[{_first_mark(problem)}]PL[{letter}]C[{problem.side} to play and {goal}.])"


# ------------------------------------------------------------------ trees out of certificates


def _tree(solution, side: int) -> SolutionTree:
    claims = {claim.after: claim for claim in solution.claims if claim.after != fight.PASS}
    right = next(_grown(solution, claim) for claim in claims.values() if claim.is_forced)
    wrong = [_grown(solution, claim) for claim in claims.values() if not claim.is_forced and claim.lines]
    return SolutionTree(side, right, tuple(sorted(wrong, key=lambda branch: -branch.nodes)[:MOST_WRONG]))


def _grown(solution, claim) -> Branch:
    """The first move of a claim with what its certificate answers. The opponent is next; whose one move it is depends."""
    cells = solution.ground.cells
    replies = _replies(claim, 0, LONGEST, cells, is_opponent=True) if claim.lines else ()
    return Branch(cells[claim.after], replies)


def _replies(claim, state: int, left: int, cells, is_opponent: bool) -> tuple[Branch, ...]:
    if state < 0 or not left:
        return ()
    edges = claim.lines[state]
    moves = [edge for edge in edges if edge[0] != fight.PASS] or ([] if is_opponent else list(edges))
    grown = [
        Branch(PASS if move == fight.PASS else cells[move], _replies(claim, end, left - 1, cells, not is_opponent))
        for move, end in moves
    ]
    return tuple(sorted(grown, key=lambda branch: (-len(branch.main_line), branch.move))[: MOST_REPLIES if is_opponent else 1])
