"""A judged problem as a line of puzzles.jsonl: the position in SGF, its grade, tags and id."""

from __future__ import annotations

from typing import Literal

import playmill
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.sgf.points import write_point
from playmill.puzzles.duplicates import canonical_id
from playmill.puzzles.grading import GradingSettings, grade
from playmill.puzzles.mining.candidate import Candidate
from playmill.puzzles.mining.judged import JudgedProblem
from playmill.puzzles.puzzle import Puzzle, PuzzleFacts
from playmill.puzzles.solution_tree import LETTERS, write_solution
from playmill.puzzles.solver.problem import Tsumego
from playmill.puzzles.tags import tags_of

Goal = Literal["live", "kill"]


def make_puzzle(judged: JudgedProblem, candidate: Candidate, settings: GradingSettings) -> Puzzle:
    """The puzzle; its proof, if there is one, goes by its name."""
    problem, graded = judged.problem, grade(judged.evidence, settings)
    name = canonical_id(problem)
    facts = PuzzleFacts(
        puzzle_id=name, side="black" if problem.to_play == BLACK else "white", goal=goal_of_problem(problem),
        marked=marked_points(problem), verification=judged.verification,
        proof=None if judged.proof is None else f"{name}.proof", engine=judged.engine, network=judged.network,
        budget=judged.budget, generator=playmill.__version__, source=candidate.source.label,
        source_sgf_hash=candidate.source.sha256, original_move_number=candidate.move_number,
        left_out=write_point(problem.size, candidate.left_out) or None, added=added_points(problem, candidate),
        katago_winrate_drop=candidate.winrate_drop, score_loss=candidate.score_loss, difficulty_score=graded.score,
        difficulty_parts=graded.parts,
    )  # fmt: skip
    return Puzzle.model_validate({
        "difficulty": graded.rank, "initial_state_sgf": write_problem(problem),
        "solution_sgf": write_solution(judged.tree, problem.size), "tags": tags_of(problem, judged.tree), "metadata": facts,
    })  # fmt: skip


def added_points(problem: Tsumego, candidate: Candidate) -> list[str]:
    """The stones of the problem that were not on the candidate's board, as SGF points in order."""
    colours = problem.boards[0].colour
    there = {BLACK: set(candidate.black), WHITE: set(candidate.white)}
    new = (cell for colour, cells in there.items() for cell in (colours == colour).nonzero()[0].tolist() if cell not in cells)
    return sorted(write_point(problem.size, cell) for cell in new)


def goal_of_problem(problem: Tsumego) -> Goal:
    """What the side to play has to do."""
    return "live" if problem.to_play == problem.defender else "kill"


def marked_points(problem: Tsumego) -> list[str]:
    """A stone of each marked chain, as SGF points in order."""
    heads = {int(problem.boards[0].head[cell]) for cell in problem.marked}
    return sorted(write_point(problem.size, head) for head in heads)


def write_problem(problem: Tsumego) -> str:
    """The position in SGF as `playmill solve` reads it: points sorted, a mark on one stone of each marked chain."""
    board, size = problem.boards[0], problem.size
    setup = ""
    for colour, name in ((BLACK, "AB"), (WHITE, "AW")):
        points = sorted(write_point(size, cell) for cell, stone in enumerate(board.colour.tolist()) if stone == colour)
        setup += name + "".join(f"[{point}]" for point in points) if points else ""
    marks = "MA" + "".join(f"[{point}]" for point in marked_points(problem))
    sentence = f"{problem.side} to play and {goal_of_problem(problem)}."
    return f"(;GM[1]FF[4]SZ[{size}]{setup}{marks}PL[{LETTERS[problem.to_play]}]C[{sentence}])"
