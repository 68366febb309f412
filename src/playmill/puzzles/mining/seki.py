"""Whether a group lives by a seki: it does not die, but even if its enemy plays elsewhere again and again it gets no two eyes.

Each move of the group's side must leave it alive, since in a seki all could be taken off if the enemy never played there.
"""

from __future__ import annotations

from playmill.puzzles.mining.reading import ALIVE, Reader
from playmill.puzzles.position import Cells, GoPosition, position_of
from playmill.puzzles.solution_tree import PASS

MOST_LOOKS = 300  # positions, at most; who has not found eyes by then is not called a seki
Moves = tuple[int, ...]


def ends_in_seki(reader: Reader, line: Moves, ground: Cells) -> bool:
    """Whether the defender, who made the line's last move and lives, has nothing but a seki. It plays on the `ground`."""
    start, side = _after(reader, line), reader.problem.defender
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


def _after(reader: Reader, line: Moves) -> GoPosition:
    position, side = position_of(reader.problem), reader.problem.to_play
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
