"""Solution trees out of proofs."""

import pytest

from playmill.puzzles.mining import solution
from playmill.puzzles.mining.judged import Rejection
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
# A wrong move of White's takes a ko, and the proof's answer takes it back after a threat: no line may show that.
WITH_A_KO_TO_TAKE = """
. . X O . O . .
. . . # O O . .
. . # # O . . .
X X . O O . . .
O X X O . . . .
O O O . . . . .
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


@pytest.mark.parametrize(("drawing", "side"), [(WITH_A_KO, "black"), (WITH_A_KO_TO_TAKE, "white")])
def test_every_line_can_be_played_without_ko_threats(drawing, side):
    problem, _ = drawn(in_the_top_left(drawing), side)
    settings = MiningSettings()
    proved = validate(problem, settings)
    assert isinstance(proved, Proved)
    tree = show(proved, settings).tree
    lines = [moves for first in tree.first_moves for moves in lines_of(first)]
    assert len(lines) > 10
    assert all(is_legal_line(problem, moves) for moves in lines)
    assert all(branch.replies for branch in tree.wrong)


def test_a_wrong_move_whose_answer_can_not_be_played_makes_it_no_puzzle(monkeypatch):
    """As if each wrong move took a ko that can only be taken back after a threat elsewhere."""
    problem, _ = drawn(in_the_top_left(WITH_A_KO), "black")
    settings = MiningSettings()
    proved = validate(problem, settings)
    monkeypatch.setattr(solution, "is_legal_line", lambda problem, moves: len(moves) != 2)
    assert show(proved, settings) == Rejection("unrefuted", "a wrong first move has no answer that could be shown")
