"""Which problems are the same: an id that survives turning, mirroring, exchange of colours and moving along an edge.

An edge of the board counts as long as fewer than `FAR` lines between it and the nearest stone are empty; then the distance is
part of the problem. An edge that is further away does not count, however far it is. So a problem in a corner stays there, one
beside an edge may be moved along it, one that meets no edge may be moved anywhere, and the board's size alone makes no
difference: the same corner on 13 and on 19 lines is one problem.
"""

from __future__ import annotations

import hashlib
import json

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import SYMMETRIES, place_of, turned_place
from playmill.puzzles.orientations import orientations
from playmill.puzzles.solver.problem import Tsumego

__all__ = ["canonical_id", "orientations"]

FAR = 3  # empty lines between the stones and an edge that is out of the fight
ID_DIGITS = 16
OWN, OTHER, MARKED, BANNED = 0, 1, 2, 4  # what stands on a point: whose stone, plus MARKED if it is; or the ko

Mark = tuple[int, int, int]  # row, column, what stands there


def canonical_id(problem: Tsumego) -> str:
    """The problem's id, 16 hexadecimal digits: that of its least form under the eight symmetries."""
    marks = _marks(problem)
    form = min(_form(problem.size, marks, number) for number in range(SYMMETRIES))
    return hashlib.sha256(json.dumps(form).encode()).hexdigest()[:ID_DIGITS]


def _marks(problem: Tsumego) -> list[Mark]:
    """All that stands on the board, by the side to play rather than by colour."""
    board, size = problem.boards[0], problem.size
    marks = [(*place_of(size, problem.ko), BANNED)] if problem.ko else []
    for cell, colour in enumerate(board.colour.tolist()):
        if colour in (BLACK, WHITE):
            kind = (OWN if colour == problem.to_play else OTHER) + (MARKED if cell in problem.marked else 0)
            marks.append((*place_of(size, cell), kind))
    return marks


def _form(size: int, marks: list[Mark], number: int) -> tuple[tuple[int, ...], list[Mark]]:
    """The problem turned by a symmetry: its distances from the edges, and its points from the top left of its stones."""
    turned = [(*turned_place(size, row, column, number), kind) for row, column, kind in marks]
    rows = [row for row, _, kind in turned if kind != BANNED]
    columns = [column for _, column, kind in turned if kind != BANNED]
    top, left = min(rows), min(columns)
    distances = (top, left, size - 1 - max(rows), size - 1 - max(columns))
    return tuple(min(lines, FAR) for lines in distances), sorted(
        (row - top, column - left, kind) for row, column, kind in turned
    )
