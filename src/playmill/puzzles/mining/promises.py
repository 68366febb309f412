"""What a published puzzle promises besides its right move: the id of its position, lines that can be played, refutations."""

from __future__ import annotations

from collections.abc import Iterator

from playmill.games.go.board_text import name_cell
from playmill.puzzles.duplicates import canonical_id
from playmill.puzzles.mining.reading import is_legal_line
from playmill.puzzles.mining.solution import NEEDED_WRONG
from playmill.puzzles.position import position_of
from playmill.puzzles.puzzle import Puzzle
from playmill.puzzles.solution_tree import Branch, SolutionTree
from playmill.puzzles.solver.ground import Ground
from playmill.puzzles.solver.problem import Tsumego


def broken_promise(puzzle: Puzzle, problem: Tsumego, tree: SolutionTree, ground: Ground | None) -> str | None:
    """What is wrong with a puzzle as it is published, in a line, or None. Without a ground refutations are not counted.

    The id is that of the position, so that two lines with different ids are two problems. Every line of the tree can be played.
    At least three wrong first moves are shown, or as many as there are, and each has what refutes it.
    """
    found = canonical_id(problem)
    if found != puzzle.metadata.puzzle_id:
        return f"its id: expected {found}, which its position has, got {puzzle.metadata.puzzle_id}"
    for first in tree.first_moves:
        for line in _lines(first):
            if not is_legal_line(problem, line):
                return f"the line {' '.join(name_cell(problem.size, cell) for cell in line)} can't be played"
    bare = [branch.move for branch in tree.wrong if not branch.replies]
    if bare:
        return f"nothing refutes {name_cell(problem.size, bare[0])}"
    needed = 0 if ground is None else min(NEEDED_WRONG, _first_moves(problem, ground) - 1)
    if len(tree.wrong) < needed:
        return f"refutations: expected those of {needed} wrong moves at least, got {len(tree.wrong)}"
    return None


def _lines(branch: Branch, before: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """The whole lines of a branch, each as its moves."""
    moves = (*before, branch.move)
    if not branch.replies:
        yield moves
    for reply in branch.replies:
        yield from _lines(reply, moves)


def _first_moves(problem: Tsumego, ground: Ground) -> int:
    """How many first moves there are."""
    position = position_of(problem)
    return sum(position.may_play(cell, problem.to_play) for cell in ground.cells)
