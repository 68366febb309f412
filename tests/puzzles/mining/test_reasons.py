"""Every reason for a rejection, reached by a drawn position."""

import pytest

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import cell_of
from playmill.puzzles.mining.candidate import Candidate, SourceFacts
from playmill.puzzles.mining.judge_solver import judge
from playmill.puzzles.mining.judged import Rejection
from playmill.puzzles.mining.settings import MiningSettings

pytestmark = pytest.mark.jit
FIVE = """
    O O O O O O . . .
    O X X X X O O . .
    O X . . X X O . .
    O X . . . X O . ."""
CASES = {
    "open": (WHITE, {}, """
        O O O . . . . . .
        O X X X X . . . .
        O X . . X X O . ."""),
    "too_deep": (WHITE, {"nodes": 3}, FIVE),
    "settled": (BLACK, {}, """
        O O O O O O O O .
        O X X X X X X O .
        O X . . . . X O ."""),
    "ko": (WHITE, {}, """
        O O O O O O . . .
        . O O O O . . . .
        X X X X O . . . .
        . . . X O . . . .
        . . . X O . . . ."""),
    "ambiguous": (BLACK, {}, """
        O O O O O O O . .
        X X X X X O O . .
        . . . . . . O . ."""),
    "trivial": (WHITE, {}, """
        O O O O O . . . .
        O X X X O . . . .
        O X . X O . . . ."""),
}  # fmt: skip


def candidate(drawing, side, size=13):
    rows = [row.split() for row in drawing.strip().splitlines()]
    places = {mark: [cell_of(size, size - len(rows) + row, column) for row, marks in enumerate(rows)
                     for column, one in enumerate(marks) if one == mark] for mark in "XO"}  # fmt: skip
    return Candidate(
        SourceFacts("drawn.sgf", "0" * 64), 9, size, tuple(places["X"]), tuple(places["O"]), side, 0, (min(places["X"]),)
    )


@pytest.mark.parametrize("reason", CASES)
def test_a_drawn_position_is_rejected_for_its_reason(reason):
    side, changed, drawing = CASES[reason]
    found = judge(candidate(drawing, side), MiningSettings().model_copy(update=changed))
    assert isinstance(found, Rejection)
    assert found.reason == reason


def test_a_good_one_is_accepted():
    assert not isinstance(judge(candidate(FIVE, WHITE), MiningSettings()), Rejection)
