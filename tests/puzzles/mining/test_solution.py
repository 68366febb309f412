"""Solution trees out of proofs."""

import pytest

from playmill.puzzles.mining.reading import is_legal_line
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.mining.solution import show
from playmill.puzzles.mining.validate import Proved, validate
from puzzle_drawings import drawn

pytestmark = pytest.mark.jit

# Whoever has a threat may take back the ko on A18: this problem's certificate holds such moves, its solution shows none.
WITH_A_KO = """
. . . . . O X X
. . O . @ O O X
. . O O X X O X
X O O X X X X .
X X O X . . . .
. X X . . . . .
"""
SIZE = 19


def in_the_top_left(drawing):
    rows = [row.split() for row in drawing.strip().splitlines()]
    rows = [row + ["."] * (SIZE - len(row)) for row in rows] + [["."] * SIZE] * (SIZE - len(rows))
    return "\n".join(" ".join(row) for row in rows)


def lines_of(branch, before=()):
    """All lines of a branch, each as its moves."""
    moves = (*before, branch.move)
    yield moves
    for reply in branch.replies:
        yield from lines_of(reply, moves)


def test_every_line_can_be_played_without_ko_threats():
    problem, _ = drawn(in_the_top_left(WITH_A_KO), "black")
    settings = MiningSettings()
    proved = validate(problem, settings)
    assert isinstance(proved, Proved)
    tree = show(proved, settings).tree
    lines = [moves for first in tree.first_moves for moves in lines_of(first)]
    assert len(lines) > 10
    assert all(is_legal_line(problem, moves) for moves in lines)
