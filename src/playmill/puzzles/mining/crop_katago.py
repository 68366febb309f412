"""The part of a board that a candidate is about: the marked chains' box with some lines around it, and the stones in it."""

from __future__ import annotations

from playmill.core.errors import UsageError
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import place_of
from playmill.puzzles.mining.candidate import Candidate
from playmill.puzzles.mining.judged import Rejection
from playmill.puzzles.solver.problem import Tsumego, make_problem

SNAP = 2  # lines from an edge to which the box is snapped


def crop_to_box(candidate: Candidate, padding: int) -> Tsumego | Rejection:
    """The candidate with only the stones near its marked chains; what is cut so that a chain has no liberty is rejected."""
    whole = candidate.problem()
    size, places = candidate.size, [place_of(candidate.size, cell) for cell in whole.marked]
    bounds = []
    for axis in (0, 1):
        low, high = (limit(place[axis] for place in places) for limit in (min, max))
        low, high = low - padding, high + padding
        bounds.append((0 if low <= SNAP else low, size - 1 if high >= size - 1 - SNAP else high))

    def is_near(cell: int) -> bool:
        return all(low <= line <= high for line, (low, high) in zip(place_of(size, cell), bounds, strict=True))

    stones = {
        BLACK: [cell for cell in candidate.black if is_near(cell)],
        WHITE: [cell for cell in candidate.white if is_near(cell)],
    }
    where = f"{candidate.source.name}, move {candidate.move_number}"
    try:
        return make_problem(size, stones, candidate.marked, candidate.to_play, where)
    except UsageError as error:
        return Rejection("crop_changed", str(error))
