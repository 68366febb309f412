"""Where on the board it is fought, and what for."""

from __future__ import annotations

from playmill.puzzles.position import edges_met
from playmill.puzzles.tags.study import Study


def is_corner(study: Study) -> bool:
    """Whether the fight touches two edges that meet."""
    edges = edges_met(study.start.size, study.scene)
    return bool(edges & {"top", "bottom"}) and bool(edges & {"left", "right"})


def is_side(study: Study) -> bool:
    """Whether it touches an edge, but no corner."""
    return bool(edges_met(study.start.size, study.scene)) and not is_corner(study)


def is_centre(study: Study) -> bool:
    """Whether it touches no edge."""
    return not edges_met(study.start.size, study.scene)


def is_life(study: Study) -> bool:
    """Whether the side to play has to live."""
    return study.has_to_live


def is_death(study: Study) -> bool:
    """Whether the side to play has to kill."""
    return not study.has_to_live


def is_first_line(study: Study) -> bool:
    """Whether the right first move is on the edge of the board."""
    return bool(edges_met(study.start.size, frozenset({study.first_move} - {0})))
