"""The ground that a problem is fought on: which points count, and who touches whom, as a small graph.

Points belong to the ground if they can be reached from the marked chains without stepping on a wall. A wall is a chain of the
attacker that has a liberty outside: it can't be captured by stones played inside. Attacker's chains whose liberties are all
inside can be captured, so they belong to the ground, and so does what lies behind them. No stone is ever played outside, so
the state of the fight is the stones on these points.

Walls that fall only help the defender: that it lives needs nothing of them, but that it dies needs walls that hold. Where some
don't, the ground can be widened: they join it with all that lies behind them, so that they may be captured, until walls that
hold enclose it or it is too large.

Every point is a vertex of its own, those under the marked chains too: what is captured may be taken back.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from playmill.games.go.board import BORDER, EMPTY
from playmill.games.go.board_text import name_cell
from playmill.games.go.life import mark_alive
from playmill.puzzles.solver.problem import Tsumego

WALL_ROOM = 20  # empty points that a wall must be able to reach outside: where there are fewer, it may itself be in a fight
MAX_VERTICES = 64  # as many as a word has bits


@dataclass(frozen=True)
class Ground:
    """Vertices of the fight, numbered; sets of them are whole numbers with a bit for each.

    `cells` has the board's cell of each vertex. `near` are the vertices beside each one, `wall` those beside a wall, `marked`
    the stones of each marked chain. `defender` and `attacker` are all stones at the start.

    `walls_hold` if all walls are unconditionally alive or taken for safe, since they have liberties and room enough outside;
    `is_taken` if there are any of the second kind. `joined` are the cells of former walls in a ground that was widened.
    """

    size: int
    cells: tuple[int, ...]
    near: tuple[int, ...]
    wall: int
    marked: tuple[int, ...]
    defender: int
    attacker: int
    defender_colour: int
    walls_hold: bool = True
    is_taken: bool = False
    joined: tuple[int, ...] = ()

    @property
    def empty_points(self) -> int:
        return len(self.cells) - self.defender.bit_count() - self.attacker.bit_count()

    def name(self, vertex: int) -> str:
        """The point as people say it, in small letters: b1."""
        return name_cell(self.size, self.cells[vertex]).lower()


@dataclass(frozen=True)
class OpenGround:
    """Why there is no ground to fight on: it is too large, mostly because the marked chains are not enclosed."""

    reason: str


def find_ground(problem: Tsumego, max_empty: int, wall_liberties: int) -> Ground | OpenGround:
    """The ground of a problem, unless it has more empty points than `max_empty` or too many in all.

    A wall with at least `wall_liberties` outside and room there (else it may be shut in itself) is taken for safe.
    """
    cells = _flood(problem, problem.marked, max_empty)
    if cells is None:
        return OpenGround(f"the marked chains are not enclosed: more than {max_empty} empty points can be reached from them")
    if len(cells) > MAX_VERTICES:
        return OpenGround(f"the ground has {len(cells)} points, and at most {MAX_VERTICES} can be searched")
    is_taken, weak = _doubt(problem, cells, wall_liberties)
    return replace(_graph(problem, cells), walls_hold=not weak, is_taken=is_taken)


def widen_ground(problem: Tsumego, max_empty: int, wall_liberties: int) -> Ground | None:
    """The ground of which walls that don't hold are a part, with what is behind them; None if it is too large."""
    cells, joined = _flood(problem, problem.marked, max_empty), set[int]()
    while cells is not None and len(cells) <= MAX_VERTICES:
        is_taken, weak = _doubt(problem, cells, wall_liberties)
        if not weak:
            return replace(_graph(problem, cells), is_taken=is_taken, joined=tuple(sorted(joined)))
        joined.update(weak)
        cells = _flood(problem, cells | joined, max_empty)
    return None


def _graph(problem: Tsumego, cells: set[int]) -> Ground:
    board, attacker, vertices = problem.boards[0], 3 - problem.defender, sorted(cells)
    number = {cell: vertex for vertex, cell in enumerate(vertices)}
    near, wall, stones = [0] * len(vertices), 0, {EMPTY: 0, problem.defender: 0, attacker: 0}
    for cell, vertex in number.items():
        stones[int(board.colour[cell])] |= 1 << vertex
        for other in _beside(problem.size, cell):
            if other in cells:
                near[vertex] |= 1 << number[other]
            elif board.colour[other] == attacker:
                wall |= 1 << vertex
    heads = sorted({int(board.head[cell]) for cell in problem.marked})
    marked = tuple(sum(1 << number[cell] for cell in problem.marked if board.head[cell] == head) for head in heads)
    return Ground(
        problem.size, tuple(vertices), tuple(near), wall, marked, stones[problem.defender], stones[attacker], problem.defender
    )


def _beside(size: int, cell: int) -> tuple[int, int, int, int]:
    stride = size + 1
    return cell - stride, cell - 1, cell + 1, cell + stride


def _flood(problem: Tsumego, begin: Collection[int], max_empty: int) -> set[int] | None:
    """All cells of the ground that these belong to; None if more empty ones are among them than there may be."""
    colours, closed = problem.boards[0].colour.tolist(), (BORDER, 3 - problem.defender)
    found, waiting, empty = set(begin), list(begin), sum(colours[cell] == EMPTY for cell in begin)
    while waiting:
        while waiting:
            for cell in _beside(problem.size, waiting.pop()):
                if cell not in found and colours[cell] not in closed:
                    found.add(cell)
                    waiting.append(cell)
                    empty += colours[cell] == EMPTY
            if empty > max_empty:
                return None
        waiting = _caught(problem, found)
        found.update(waiting)
    return found


def _walls(problem: Tsumego, found: set[int]) -> list[list[int]]:
    """The attacker's chains beside the ground that don't belong to it."""
    board, attacker = problem.boards[0], 3 - problem.defender
    heads = {
        int(board.head[other])
        for cell in found
        for other in _beside(problem.size, cell)
        if other not in found and board.colour[other] == attacker
    }
    return [np.flatnonzero(board.head == head).tolist() for head in sorted(heads)]


def _caught(problem: Tsumego, found: set[int]) -> list[int]:
    """The stones of attacker's chains beside the ground whose liberties are all inside it, but not yet themselves."""
    return [cell for chain in _walls(problem, found) if not _liberties(problem, chain) - found for cell in chain]


def _liberties(problem: Tsumego, chain: list[int]) -> set[int]:
    board: Any = problem.boards[0]
    return {near for cell in chain for near in _beside(problem.size, cell) if board.colour[near] == EMPTY}


def _doubt(problem: Tsumego, found: set[int], needed: int) -> tuple[bool, list[int]]:
    """The `is_taken` of a ground, and the stones of walls that don't hold."""
    alive = _alive_outside(problem, found)
    mortal = [chain for chain in _walls(problem, found) if not alive[chain[0]]]
    if not needed:
        return bool(mortal), []
    weak = [
        chain for chain in mortal if len(_liberties(problem, chain) - found) < needed or not _has_room(problem, chain[0], found)
    ]
    return bool(mortal) and not weak, [cell for chain in weak for cell in chain]


def _alive_outside(problem: Tsumego, found: set[int]) -> Any:
    """Which of the attacker's stones are unconditionally alive, by eyes outside the ground: uint8 [cells].

    Eyes inside don't count, as the attacker plays there itself; so the ground is filled with stones of the defender.
    """
    boards, alive = problem.boards.copy(), np.zeros(problem.boards[0].colour.size, np.uint8)
    boards[0].colour[list(found)] = problem.defender
    mark_alive(boards[0], 3 - problem.defender, alive)
    return alive


def _has_room(problem: Tsumego, head: int, found: set[int]) -> bool:
    """Whether many empty points outside can be reached from a wall by points that are not beside a stone of the defender.

    Others are not counted, as it may be shut in there.
    """
    colours, defender = problem.boards[0].colour.tolist(), problem.defender
    met, waiting, empty = {head}, [head], 0
    while waiting and empty < WALL_ROOM:
        for cell in _beside(problem.size, waiting.pop()):
            if cell in met or cell in found or colours[cell] in (BORDER, defender):
                continue
            met.add(cell)
            if colours[cell] == EMPTY:
                if any(colours[near] == defender and near not in found for near in _beside(problem.size, cell)):
                    continue
                empty += 1
            waiting.append(cell)
    return empty >= WALL_ROOM
