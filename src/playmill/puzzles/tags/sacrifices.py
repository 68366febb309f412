"""Stones given away: throw-ins, snapbacks, larger sacrifices, and what is played where they stood."""

from __future__ import annotations

from playmill.puzzles.solution_tree import PASS
from playmill.puzzles.tags.study import PlayedMove, Study

TWO = 2


def has_throw_in(study: Study) -> bool:
    """Whether the side to play puts a single stone where it can be taken at once."""
    return any(_is_throw_in(step) for step in study.own_steps)


def has_snapback(study: Study) -> bool:
    """Whether a thrown-in stone, if it is taken, takes two or more stones back at once."""
    return any(_snaps_back(step) for step in study.own_steps if _is_throw_in(step))


def has_sacrifice(study: Study) -> bool:
    """Whether the opponent takes two or more stones of the side that succeeds all the same."""
    return any(_gives_away(path[-1], study) for path in study.right)


def is_under_the_stones(study: Study) -> bool:
    """Whether the side to play lets two or more stones be taken, and then takes or gives atari where they stood."""
    pairs = ((path[-2], path[-1]) for path in study.right if len(path) > 1)
    return any(
        _gives_away(loss, study) and back.move in loss.after.captured and _captures_or_gives_atari(back) for loss, back in pairs
    )


def _is_throw_in(step: PlayedMove) -> bool:
    if step.move == PASS or step.after.captured or len(step.chain) > 1:
        return False
    liberties = step.after.liberties(step.chain)
    return len(liberties) == 1 and step.after.may_play(min(liberties), 3 - step.colour)


def _snaps_back(step: PlayedMove) -> bool:
    taken = step.after.play(min(step.after.liberties(step.chain)), 3 - step.colour)
    if taken is None or taken.captured != {step.move}:
        return False
    back = taken.play(step.move, step.colour)
    return back is not None and len(back.captured) >= TWO


def _gives_away(step: PlayedMove, study: Study) -> bool:
    return step.colour == study.other and len(step.after.captured) >= TWO


def _captures_or_gives_atari(step: PlayedMove) -> bool:
    beside = step.after.beside(frozenset({step.move}), 3 - step.colour)
    return bool(step.after.captured) or any(len(step.after.liberties(chain)) == 1 for chain in beside)
