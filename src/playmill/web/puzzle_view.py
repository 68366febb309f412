"""A puzzle as a page draws it: stones and moves as numbers of points, counted by rows from the top left; -1 is a pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.errors import UsageError
from playmill.games.go.board import BLACK, WHITE, is_legal, place
from playmill.games.go.board_text import name_cell
from playmill.games.go.geometry import place_of
from playmill.puzzles.puzzle import Puzzle
from playmill.puzzles.solution_tree import PASS, Branch, read_solution
from playmill.puzzles.solver.problem import Tsumego
from playmill.puzzles.solver.sgf_problem import parse_problem


def view_puzzle(puzzle: Puzzle) -> dict[str, Any]:
    """The puzzle's position, its tree (`right`, then `wrong`) and its facts, or one line on what is wrong with its SGF."""
    problem = parse_problem(puzzle.initial_state_sgf.encode(), f"{puzzle.name}: initial_state_sgf")
    where = f"{puzzle.name}: solution_sgf"
    tree, size = read_solution(puzzle.solution_sgf, where)
    if (tree.side, size) != (problem.to_play, problem.size):
        raise UsageError(f"{where}: expected moves that begin with {problem.side}'s on {problem.size} lines")
    for branch in tree.first_moves:
        _require_legal(problem.boards, branch, tree.side, where)
    return {
        "name": puzzle.name,
        "position": _position(problem),
        "right": _branch(tree.right, size),
        "wrong": [_branch(branch, size) for branch in tree.wrong],
        "difficulty": puzzle.difficulty,
        "tags": puzzle.tags,
        "facts": puzzle.metadata.model_dump(),
        "sgf": puzzle.initial_state_sgf,
    }


def _position(problem: Tsumego) -> dict[str, Any]:
    board, size = problem.boards[0], problem.size

    def points(cells: Any) -> list[int]:
        return [_point(size, int(cell)) for cell in sorted(cells)]

    stones = {colour: np.flatnonzero((board.colour == colour) & (board.head > 0)) for colour in (BLACK, WHITE)}
    heads = {int(board.head[cell]) for cell in problem.marked}
    return {
        "size": size,
        "black": points(stones[BLACK]),
        "white": points(stones[WHITE]),
        "marked": points(heads),
        "side": problem.to_play,
        "ko": _point(size, problem.ko) if problem.ko else None,
    }


def _require_legal(boards: Any, branch: Branch, colour: int, where: str) -> None:
    """Refuse a tree with a move that can't be played; a ko may be taken back, as after a threat elsewhere."""
    after = boards.copy()
    board = after[0]
    board.ko = 0
    if branch.move != PASS:
        if not is_legal(board, branch.move, colour):
            raise UsageError(f"{where}: expected legal moves, got {name_cell(int(board.width), branch.move)} in a variation")
        place(board, branch.move, colour, np.zeros((2, board.empty.size), np.uint64))
    for reply in branch.replies:
        _require_legal(after, reply, 3 - colour, where)


def _branch(branch: Branch, size: int) -> list[Any]:
    """A move and its replies, as lists in lists."""
    return [_point(size, branch.move), [_branch(reply, size) for reply in branch.replies]]


def _point(size: int, cell: int) -> int:
    if cell == PASS:
        return -1
    row, column = place_of(size, cell)
    return row * size + column
