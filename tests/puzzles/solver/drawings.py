"""Problems as they are drawn: X is Black, O White, # and @ their marked stones."""

from playmill.games.go.geometry import cell_of
from playmill.puzzles.solver.problem import make_problem

COLOURS = {"X": 1, "#": 1, "O": 2, "@": 2}


def drawn(text, to_play, size=None):
    """The lowest rows of a board; above them all is empty. Its width is its size unless that is given."""
    rows = [row.split() for row in text.strip().splitlines()]
    size = size or len(rows[0])
    stones, marks = {1: [], 2: []}, []
    for row, line in enumerate(rows, start=size - len(rows)):
        for column, mark in enumerate(line):
            if mark in COLOURS:
                stones[COLOURS[mark]].append(cell_of(size, row, column))
            if mark in "#@":
                marks.append(cell_of(size, row, column))
    return make_problem(size, stones, marks, to_play, "drawn")
