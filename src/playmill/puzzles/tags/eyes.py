"""First moves that are about eyes: taken, made, or the room for them made smaller, from inside or from outside."""

from __future__ import annotations

from playmill.games.go.board import EMPTY
from playmill.games.go.geometry import place_of
from playmill.puzzles.position import Cells, edges_met
from playmill.puzzles.solution_tree import PASS
from playmill.puzzles.tags.study import Study


def is_eye_stealing(study: Study) -> bool:
    """Whether the killing move stands where the defender would complete an eye."""
    return not study.has_to_live and _completes_an_eye(study)


def is_eye_making(study: Study) -> bool:
    """Whether the saving move completes an eye."""
    return study.has_to_live and _completes_an_eye(study)


def is_placement(study: Study) -> bool:
    """Whether the killing move stands inside, with no stone of its colour that it hangs together with."""
    return _is_inside_kill(study) and not _has_a_friend(study)


def is_reduction(study: Study) -> bool:
    """Whether the killing move comes into the eye space from a stone of its colour, taking nothing."""
    return _is_inside_kill(study) and _has_a_friend(study) and not study.right[0][-1].after.captured


def inside(study: Study) -> Cells:
    """The empty points within the box around the marked chains; it reaches to an edge that they have a liberty on."""
    size = study.start.size
    places = [place_of(size, cell) for cell in study.marked]
    edges = edges_met(size, study.marked | study.start.liberties(study.marked))
    top, bottom = min(row for row, _ in places), max(row for row, _ in places)
    left, right = min(column for _, column in places), max(column for _, column in places)
    rows = range(0 if "top" in edges else top, (size - 1 if "bottom" in edges else bottom) + 1)
    columns = range(0 if "left" in edges else left, (size - 1 if "right" in edges else right) + 1)
    empty = study.start.stones(EMPTY)
    return frozenset(cell for cell in empty if place_of(size, cell)[0] in rows and place_of(size, cell)[1] in columns)


def _completes_an_eye(study: Study) -> bool:
    """Whether a defender's stone on the right first move leaves an empty point beside it with nothing but its own around."""
    if study.first_move == PASS:
        return False
    after = study.start.play(study.first_move, study.defender)
    if after is None:
        return False
    for point in after.near(study.first_move):
        around = after.near(point)
        is_eye = after.points[point] == EMPTY and all(after.points[cell] == study.defender for cell in around)
        if is_eye and not study.marked.isdisjoint(around):
            return True
    return False


def _is_inside_kill(study: Study) -> bool:
    return not study.has_to_live and bool(study.right) and study.first_move in inside(study)


def _has_a_friend(study: Study) -> bool:
    """Whether a stone of its colour stands beside the first move, or diagonally with no defender's stones in between."""
    start, around = study.start, set(study.start.near(study.first_move))
    if any(start.points[cell] == study.own for cell in around):
        return True
    ways = {cell for cell in around if start.points[cell] != study.defender}
    return any(
        start.points[cell] == study.own and len(around.intersection(start.near(cell))) == 2
        for way in ways
        for cell in start.near(way)
    )
