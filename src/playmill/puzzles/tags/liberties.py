"""Fights that liberties decide: capturing races, and the shortage of liberties that makes a connection self-atari."""

from __future__ import annotations

from playmill.games.go.board import EMPTY
from playmill.puzzles.position import Cells, GoPosition
from playmill.puzzles.tags.study import PlayedMove, Study

RACER = 3  # stones of a chain whose loss decides a race
RACE_ROOM = 12  # empty points that a chain in a race can reach, at most: with more it may live or run away
SHORT = 3  # stones, at least, of chains that would be joined in vain


def is_capturing_race(study: Study) -> bool:
    """Whether a marked chain and a chain that shuts it in fill each other's liberties, and either may be taken."""
    return any(_is_race_with(study, chain) for chain in study.start.beside(study.marked, study.attacker))


def _is_race_with(study: Study, chain: Cells) -> bool:
    if len(chain) < RACER or not _is_shut_in(study, chain):
        return False
    steps = [path[-1] for path in study.everything]
    return _comes_to_atari(steps, chain, study.attacker) and _comes_to_atari(steps, study.marked, study.defender)


def _is_shut_in(study: Study, chain: Cells) -> bool:
    """Whether a chain has little room, and others than marked stones shut it in: else it is inside the marked group."""
    room = study.start.reach(chain, {EMPTY})
    around = {cell for inner in room for cell in study.start.near(inner) if study.start.points[cell] == study.defender}
    empty = sum(study.start.points[cell] == EMPTY for cell in room)
    return empty <= RACE_ROOM and not around <= study.marked


def _comes_to_atari(steps: list[PlayedMove], stones: Cells, colour: int) -> bool:
    """Whether a move of the other side takes a liberty of these stones, and leaves a chain of them with one or none."""
    for step in steps:
        touched = [chain for chain in step.before.beside(frozenset({step.move}), colour) if chain & stones]
        if step.colour != colour and any(len(step.after.liberties(chain)) <= 1 for chain in touched):
            return True
    return False


def has_liberty_shortage(study: Study) -> bool:
    """Whether a chain of the opponent's in atari could only be joined to another one so that both are in atari."""
    return any(
        _connects_and_dies(step.after, chain, study.other)
        for step in study.own_steps
        for chain in step.after.chains(study.other)
    )


def _connects_and_dies(position: GoPosition, chain: Cells, colour: int) -> bool:
    liberties = position.liberties(chain)
    if len(liberties) != 1:
        return False
    joined = _self_atari(position, min(liberties), colour)
    return len(joined) >= SHORT and len(joined) > len(chain) + 1


def _self_atari(position: GoPosition, point: int, colour: int) -> Cells:
    """The chain that a stone there would make, if it takes nothing and has one liberty; no cells otherwise."""
    after = position.play(point, colour)
    if after is None or after.captured:
        return frozenset()
    joined = after.chain(point)
    return joined if len(after.liberties(joined)) == 1 else frozenset()
