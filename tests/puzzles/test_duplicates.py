"""Ids of problems: one under every symmetry, exchange of colours and move along an edge, another for any other problem."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from playmill.core.errors import UsageError
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import cell_of, place_of, turned_place
from playmill.puzzles.duplicates import FAR, canonical_id
from playmill.puzzles.solver.problem import make_problem
from puzzle_drawings import drawn

pytestmark = pytest.mark.jit
SIZE = 13
KINDS = ["own", "other", "marked"]


def made(size, places, to_play=BLACK, ko=None):
    """The problem of these places, each with whose stone it is: White's are the marked ones if Black is to play."""
    stones = {BLACK: [], WHITE: []}
    for (row, column), kind in places.items():
        stones[to_play if kind == "own" else 3 - to_play].append(cell_of(size, row, column))
    marks = [cell_of(size, *place) for place, kind in places.items() if kind == "marked"]
    return make_problem(size, stones, marks, to_play, "here", cell_of(size, *ko) if ko else 0)


@st.composite
def problems(draw):
    """Stones in a box of at most 5x5, somewhere on a board; at least one is marked and all chains breathe."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    top, left = draw(st.integers(0, SIZE - height)), draw(st.integers(0, SIZE - width))
    rows = st.lists(st.sampled_from([None, *KINDS]), min_size=width, max_size=width)
    box = draw(st.lists(rows, min_size=height, max_size=height))
    places = {(top + r, left + c): kind for r, row in enumerate(box) for c, kind in enumerate(row) if kind}
    assume("marked" in places.values() and can_breathe(SIZE, places))
    return places


def can_breathe(size, places):
    """Whether every chain has a liberty there."""
    try:
        made(size, places)
    except UsageError:
        return False
    return True


def moved(places, down, right, size):
    """The places moved; None if they leave a board of this size."""
    found = {(row + down, column + right): kind for (row, column), kind in places.items()}
    return found if all(0 <= n < size for place in found for n in place) else None


def distances(places, size):
    rows, columns = [row for row, _ in places], [column for _, column in places]
    return [min(gap, FAR) for gap in (min(rows), min(columns), size - 1 - max(rows), size - 1 - max(columns))]


@settings(deadline=None)
@given(problems(), st.integers(0, 7), st.sampled_from([BLACK, WHITE]))
def test_symmetries_and_exchange_of_colours_keep_the_id(places, number, to_play):
    turned = {turned_place(SIZE, *place, number): kind for place, kind in places.items()}
    assert canonical_id(made(SIZE, turned, to_play)) == canonical_id(made(SIZE, places))


@settings(deadline=None)  # the board of each size is compiled
@given(problems(), st.integers(-8, 8), st.integers(-8, 8), st.sampled_from([9, 13, 19]))
def test_moving_keeps_the_id_as_long_as_no_edge_comes_near_or_goes(places, down, right, size):
    found = moved(places, down, right, size)
    assume(found and can_breathe(size, found))
    is_same = canonical_id(made(size, found)) == canonical_id(made(SIZE, places))
    before, after = distances(places, SIZE), distances(found, size)
    if before == after:
        assert is_same
    elif sorted(before) != sorted(after):
        assert not is_same


@settings(deadline=None)
@given(problems(), st.data())
def test_another_stone_is_another_problem(places, data):
    place = data.draw(st.sampled_from(sorted(places)))
    without = {other: kind for other, kind in places.items() if other != place}
    assume("marked" in without.values() and can_breathe(SIZE, without))
    assert canonical_id(made(SIZE, without)) != canonical_id(made(SIZE, places))


def test_the_id_knows_who_is_to_play_the_marks_and_the_ko():
    drawing = """
        . X O . . . . . .
        X @ . O . . . . ."""
    problem, _ = drawn(drawing, "black")
    others = [drawn(drawing, "white")[0], drawn(drawing.replace("X @", "# O"), "black")[0]]
    places = {place_of(9, cell): kind for cell, kind in cells_of(problem)}
    assert canonical_id(made(9, places)) == canonical_id(problem)
    ids = {canonical_id(problem), *map(canonical_id, others), canonical_id(made(9, places, ko=(8, 2)))}
    assert len(ids) == 4


def cells_of(problem):
    for cell in np.flatnonzero(problem.boards[0].head):
        kind = "own" if problem.boards[0].colour[cell] == problem.to_play else "other"
        yield int(cell), "marked" if int(cell) in problem.marked else kind


CORNER = """
    O O O . . . . . .
    # # O O . . . . .
    . # # O . . . . .
    . . # O . . . . ."""
SIDE = """
    O O O O O O O . .
    O # # # # # O . .
    O # . . . # O . ."""


def test_a_corner_is_the_same_on_a_larger_board_and_not_away_from_it():
    small, _ = drawn(CORNER, "white")
    wide = "\n".join(f"{row} . . . ." for row in CORNER.strip().splitlines())
    away = "\n".join(f". {row} . . ." for row in CORNER.strip().splitlines())
    assert canonical_id(drawn(wide, "white")[0]) == canonical_id(small)
    assert canonical_id(drawn(away, "white")[0]) != canonical_id(small)


def test_a_side_may_be_moved_along_its_edge_but_not_off_it():
    rows = SIDE.strip().splitlines()
    places = [drawn("\n".join(f"{'. ' * left}{row}{' .' * (8 - left)}" for row in rows), "white")[0] for left in (3, 4, 6, 8)]
    assert len({canonical_id(problem) for problem in places[:3]}) == 1
    raised = [*(f". . . . {row} . . . ." for row in rows), " ".join("." * 17)]
    assert canonical_id(drawn("\n".join(raised), "white")[0]) != canonical_id(places[1])
