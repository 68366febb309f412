"""Book problems in the lower left corner of 19x19, where there is room for a frame. Black's stones are marked.

They are drawn here and not taken from the solver's, as the engine's answers on file are about exactly these stones.
"""

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import cell_of
from playmill.puzzles.solver.problem import make_problem

SIZE = 19
DRAWINGS = {
    "straight three": """
        O O O O O O O
        O X X X X X O
        O X . . . X O""",
    "bent three in the corner": """
        O O O .
        X X O O
        . X X O
        . . X O""",
    "straight four": """
        O O O O O O O O
        O X X X X X X O
        O X . . . . X O""",
    "square four": """
        O O O O O O
        O X X X X O
        O X . . X O
        O X . . X O""",
    "bulky five": """
        O O O O O O .
        O X X X X O O
        O X . . X X O
        O X . . . X O""",
    "six in the corner": """
        O . . . .
        . O O O O
        X X X X O
        . . . X O
        . . . X O""",
    "seki around three": """
        O O O O O O O O O
        O X X X X X X X O
        O X . O O O . X O""",
    "two eyes in the corner": """
        O O O O O O
        X X X X X O
        . X . X . O""",
}


def on_19(name, to_play):
    """The problem of this name on a large board."""
    rows = [row.split() for row in DRAWINGS[name].strip().splitlines()]
    stones = {BLACK: [], WHITE: []}
    for row, marks in enumerate(rows, SIZE - len(rows)):
        for column, mark in enumerate(marks):
            if mark != ".":
                stones[BLACK if mark == "X" else WHITE].append(cell_of(SIZE, row, column))
    return make_problem(SIZE, stones, stones[BLACK], to_play, name)
