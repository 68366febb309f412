"""Whether a group lives by a seki: it does not die, but even if its enemy plays elsewhere again and again it gets no two eyes.

Where the solver can be asked, each move of the group's side must leave it alive, since in a seki all could be taken off if the
enemy never played there. An engine is believed: in a seki it gives the group its stones and no point beside.
"""

from __future__ import annotations

from playmill.puzzles.katago.analysis import Analysis
from playmill.puzzles.mining.reading import ALIVE, Reader
from playmill.puzzles.position import Cells, GoPosition, position_of
from playmill.puzzles.solution_tree import PASS
from playmill.puzzles.solver.problem import Tsumego

EYES = 2
MOST_LOOKS = 300  # positions, at most; who has not found eyes by then is not called a seki
Moves = tuple[int, ...]


def ends_in_seki(reader: Reader, line: Moves, ground: Cells) -> bool:
    """Whether the defender, who made the line's last move and lives, has nothing but a seki. It plays on the `ground`."""
    start, side = _after(reader.problem, line), reader.problem.defender
    if _has_eyes(reader, start) or not reader.problem.marked <= start.stones(side):
        return False  # a chain that was taken and won back lives by what it took
    seen, waiting, looks = {start.stones(side)}, [(line, start)], 0
    for moves, position in waiting:
        for cell in sorted(ground):
            after = position.play(cell, side)
            if after is None or after.stones(side) in seen:
                continue
            seen.add(after.stones(side))
            played, looks = (*moves, PASS, cell), looks + 1
            if looks > MOST_LOOKS:
                return False
            if reader.status(played) != ALIVE:
                continue
            if _has_eyes(reader, after):
                return False
            waiting.append((played, after))
    return True


def seems_seki(problem: Tsumego, line: Moves, looked: Analysis, inside: Cells, clear: float) -> bool:
    """Whether an engine that `looked` at the end of the line gives the marked chains, which live, less than two points.

    Those count that belong to their side, stones of the enemy's among them, and that can be reached over its stones and points.
    """
    side = problem.defender
    position = _after(problem, line)
    stones = position.stones(side)
    if not problem.marked <= stones:
        return False  # a chain that was taken and won back lives by what it took
    points = {cell for cell in inside - stones if looked.owns(cell, side) >= clear}
    found, waiting = set(problem.marked), list(problem.marked)
    while waiting:
        for near in position.near(waiting.pop()):
            if near not in found and (near in stones or near in points):
                found.add(near)
                waiting.append(near)
    return len(found & points) < EYES


def _after(problem: Tsumego, line: Moves) -> GoPosition:
    position, side = position_of(problem), problem.to_play
    for move in line:
        after = position.play(move, side)
        assert after is not None
        position, side = after, 3 - side
    return position


def _has_eyes(reader: Reader, position: GoPosition) -> bool:
    """Whether stones of each marked chain are unconditionally alive."""
    problem = reader.problem
    start, living = position_of(problem), position.living(problem.defender)
    return all(start.chain(cell) & living for cell in problem.marked)
