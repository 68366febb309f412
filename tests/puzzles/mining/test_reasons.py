"""The solver's reasons for a rejection, each reached by a drawn position; those of the engine are in `test_katago.py`."""

import pytest

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import cell_of
from playmill.puzzles.mining.candidate import Candidate, SourceFacts
from playmill.puzzles.mining.judge_solver import judge
from playmill.puzzles.mining.judged import Rejection
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.mining.validate import is_ladder
from puzzle_drawings import drawn, line

pytestmark = pytest.mark.jit
FIVE = """
    O O O O O O . . .
    O X X X X O O . .
    O X . . X X O . .
    O X . . . X O . ."""
SEKI = """
    O O O O O O . . .
    X X X X X O . . .
    . . O O X O . . .
    . O O . X O . . ."""
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
    "undecided": (BLACK, {"nodes": 3000}, """
        O O O O O O . . .
        X X X X X O . . .
        . . O . X O . . .
        O . . . X O . . ."""),
    "seki": (BLACK, {}, SEKI),
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


def test_a_seki_may_be_asked_for():
    settings = MiningSettings(allow_seki=True, allow_trivial=True)
    assert not isinstance(judge(candidate(SEKI, BLACK), settings), Rejection)


LADDER = """
    . . X . . . . . .
    . . X @ . . . . .
    . . . X . . . . .
    . . . . . . . . .
    . . . . . . . . ."""


@pytest.mark.parametrize(
    ("moves", "is_one"),
    [
        ("e4 d5 d6 e5 f5", True),
        ("e4 d5 d6", False),  # too short to tell
        ("e4 d5 d6 e5 f6", False),  # the last move is no atari
        ("e4 a1 d6 d5 e5", False),  # the defender plays elsewhere
        ("e5 e4 f4 d5 d6", False),  # a net: the first move is no atari
    ],
)
def test_a_ladder_is_an_atari_each_time_and_an_extension_each_time(moves, is_one):
    problem, names = drawn(LADDER, "black")
    assert is_ladder(problem, line(problem, names, moves).main_line) == is_one


def test_a_good_one_is_accepted():
    assert not isinstance(judge(candidate(FIVE, WHITE), MiningSettings()), Rejection)
