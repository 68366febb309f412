"""Problems drawn in tests: X and O are stones, # and @ marked ones of Black and White, small letters name empty points."""

from __future__ import annotations

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.board_text import read_board, read_point
from playmill.puzzles.solution_tree import PASS, Branch, SolutionTree
from playmill.puzzles.solver.problem import make_problem

SIDES = {"black": BLACK, "white": WHITE}


def drawn(drawing, side):
    """The problem of a drawing, which has the lowest rows of its board, for this side; and the cells of its letters."""
    rows = [row.split() for row in drawing.strip().splitlines()]
    size = len(rows[0])
    rows = [["."] * size] * (size - len(rows)) + rows
    plain = "\n".join(" ".join(rows_of) for rows_of in rows).replace("#", "X").replace("@", "O")
    boards, names = read_board(plain)
    stones = {colour: [cell for cell, found in enumerate(boards[0].colour.tolist()) if found == colour] for colour in (1, 2)}
    marks = [
        read_point(size, "ABCDEFGHJKLMNOPQRST"[column] + str(size - row))
        for row, line in enumerate(rows)
        for column, mark in enumerate(line)
        if mark in "#@"
    ]
    return make_problem(size, stones, marks, SIDES[side], "drawing"), names


def line(problem, names, moves):
    """A branch that is one line: letters of the drawing, points such as c1, or pass."""
    cells = [PASS if move == "pass" else names.get(move) or read_point(problem.size, move) for move in moves.split()]
    branch = None
    for cell in reversed(cells):
        branch = Branch(cell, (branch,) if branch else ())
    return branch


def tree(problem, names, right, *wrong):
    """The solution tree of these lines."""
    return SolutionTree(problem.to_play, line(problem, names, right), tuple(line(problem, names, moves) for moves in wrong))
