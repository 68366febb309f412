"""Chains that find friends or the open board; and whether a ko comes up."""

from __future__ import annotations

from playmill.games.go.board import EMPTY
from playmill.puzzles.position import Cells, GoPosition
from playmill.puzzles.solution_tree import PASS
from playmill.puzzles.tags.eyes import inside
from playmill.puzzles.tags.study import PlayedMove, Study

PENNED = 3  # liberties, at most, of chains that have to run
FREE = 5  # liberties, at least, of a chain that has got away
OPEN = 24  # empty points, at least, that a chain in the open can reach


def is_connect(study: Study) -> bool:
    """Whether the side to play joins chains that stood apart: a marked one to another, or one inside to one outside."""
    return any(_joins(study, step) for step in study.main_line if step.colour == study.own and step.move != PASS)


def _joins(study: Study, step: PlayedMove) -> bool:
    stood = study.start.stones(study.own)
    parts = [chain & stood for chain in step.before.beside(frozenset({step.move}), study.own)]
    parts = [part for part in parts if part]
    if study.has_to_live:
        return len(parts) > 1 and any(part & study.marked for part in parts)
    within = [_is_enclosed(study, part) for part in parts]
    return any(within) and not all(within)


def _is_enclosed(study: Study, chain: Cells) -> bool:
    """Whether a chain of the attacker's touches the marked ones and breathes only inside their box."""
    touches = any(cell in study.marked for stone in chain for cell in study.start.near(stone))
    return touches and study.start.liberties(chain) <= inside(study)


def is_escape(study: Study) -> bool:
    """Whether the marked chains have few liberties at first, and in the end many and the open board before them."""
    if not study.has_to_live or not study.main_line:
        return False
    end = study.main_line[-1].after
    return len(study.start.liberties(study.marked)) <= PENNED and _is_free(end, study)


def _is_free(position: GoPosition, study: Study) -> bool:
    chains = [chain for chain in position.chains(study.own) if chain & study.marked]
    stones = frozenset(cell for chain in chains for cell in chain)
    room = position.reach(stones, {EMPTY, study.own})
    empty = sum(position.points[cell] == EMPTY for cell in room)
    return len(position.liberties(stones)) >= FREE and empty >= OPEN


def is_ko_free(study: Study) -> bool:
    """Whether no line of the solution, right or wrong, has a ko in it."""
    return study.problem.ko == 0 and not any(path[-1].after.ko for path in study.everything)
