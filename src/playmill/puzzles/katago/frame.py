"""A frame around a cropped problem, so that the engine sees a game that the problem decides.

The stones' box is snapped to near edges. `margin` lines outside stands a wall of the attacker's; behind it the attacker's and,
towards the far side of the board, the defender's stones fill the rest, with eyes, so that all of them are alive beyond doubt.
Komi lets the side to play lead by a little if it succeeds. Its opponent has one ko threat that is worth more than that lead,
so a ko is no success.

    T covers M's chain on the edge.    . 1 M M M 2 T     T plays 2, M has to answer 1, or the chain is lost.
                                       M M T T T T T     (Where T's own stones lie on the left, 1 and 2 change places.)
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from playmill.games.go.board import BLACK, EMPTY, WHITE
from playmill.games.go.geometry import cell_of, place_of
from playmill.games.go.life import mark_alive
from playmill.games.go.replay import lay_out
from playmill.games.go.sgf.replay import new_board
from playmill.puzzles.katago.query import Query
from playmill.puzzles.solver.problem import Tsumego

SNAP = 2  # lines from an edge to which a box is snapped
LEAD = 5.5  # points by which the side to play leads if it succeeds
LEAST_FILL = 8  # points of the attacker's behind the wall
LONGEST_THREAT, SHORTEST_THREAT = 6, 3  # stones of the chain that is threatened
DEEP = 1000  # to which depth of the search a move is left out
Place = tuple[int, int]


class NoFrame(Exception):
    """The board has no room for a frame around the problem."""


@dataclass(frozen=True)
class Frame:
    """A problem in its frame. `inside` are the cells where the fight is, `closed` the eyes outside, where nobody plays."""

    problem: Tsumego
    stones: tuple[tuple[int, int], ...]  # colour, cell
    komi: float
    inside: frozenset[int]
    closed: tuple[int, ...]
    threat: tuple[int, ...]

    def at_komi(self, komi: float) -> Frame:
        """The same stones under another komi."""
        return replace(self, komi=komi)

    def without_threat(self) -> Frame:
        """The frame in which the opponent of the side to play has no ko threat, as the chain is connected."""
        filled = tuple((self.problem.to_play, cell) for cell in self.threat)
        return replace(self, stones=tuple(sorted(self.stones + filled, key=lambda stone: stone[1])), threat=())

    def query(self, visits: int, label: str, without: tuple[int, ...] = ()) -> Query:
        """The framed position, the problem's side to play; the first move is inside or a pass, and none of `without`."""
        problem, first = self.problem, (*self.threat, *without)
        avoided = ((BLACK, self.closed, DEEP), (WHITE, self.closed, DEEP), (problem.to_play, first, 1))
        kept = tuple(limit for limit in avoided if limit[1])
        return Query(problem.size, self.stones, (), problem.to_play, self.komi, visits, True, kept, label=label)


@dataclass
class _Builder:
    """A frame in the making: who has which place, where a place outside that nobody has yet is missing."""

    problem: Tsumego
    margin: int
    far: int  # the side of the board that the defender gets: 0 top, 1 bottom, 2 left, 3 right
    owner: dict[Place, int] = field(default_factory=dict)  # outside only
    threat: list[Place] = field(default_factory=list)
    solid: set[Place] = field(default_factory=set)  # outside, where no eye may be

    def build(self) -> Frame:
        """The frame, or NoFrame."""
        size, attacker = self.problem.size, 3 - self.problem.defender
        distance = self._distances()
        inside = [place for place, lines in distance.items() if lines < self.margin]
        wall = {place for place, lines in distance.items() if lines == self.margin}
        outside = [place for place, lines in distance.items() if lines >= self.margin]
        outside.sort(key=lambda place: (place not in wall, self._line(place), place))
        worth = self._worth(inside)
        count = self._attackers(len(inside), worth, len(wall))
        for number, place in enumerate(outside):
            self.owner[place] = attacker if number < count else 3 - attacker
        self._add_threat(attacker)
        stones, closed = self._stones(wall)
        self._require_alive(stones, {cell_of(size, *place) for place in self.owner})
        cells = frozenset(cell_of(size, *place) for place in inside)
        threat = tuple(sorted(cell_of(size, *place) for place in self.threat))
        return Frame(self.problem, tuple((colour, cell) for cell, colour in sorted(stones.items())),
                     self._komi(len(inside), worth), cells, closed, threat)  # fmt: skip

    # ------------------------------------------------------------------ who has what

    def _line(self, place: Place) -> int:
        """How far a place is from the side opposite to the defender's."""
        line = place[self.far // 2]
        return line if self.far % 2 else self.problem.size - 1 - line

    def _distances(self) -> dict[Place, int]:
        """How many lines each place is from the box of the stones, which is snapped to near edges."""
        size, board = self.problem.size, self.problem.boards[0]
        places = [place_of(size, int(cell)) for cell in np.flatnonzero(np.isin(board.colour, (BLACK, WHITE)))]
        low, high = ([limit(place[axis] for place in places) for axis in (0, 1)] for limit in (min, max))
        low = [0 if line <= SNAP else line for line in low]
        high = [size - 1 if size - 1 - line <= SNAP else line for line in high]
        return {
            (row, column): max(low[0] - row, row - high[0], low[1] - column, column - high[1], 0)
            for row in range(size)
            for column in range(size)
        }

    def _worth(self, inside: list[Place]) -> int:
        """Points inside that are nearer to the defender than to the attacker: about what it has there if it lives."""
        board, size = self.problem.boards[0], self.problem.size
        stones = {place_of(size, int(cell)): int(board.colour[cell]) for cell in np.flatnonzero(np.isin(board.colour, (1, 2)))}
        count = 0
        for row, column in inside:
            near = min(
                (abs(row - at[0]) + abs(column - at[1]), colour == self.problem.defender) for at, colour in stones.items()
            )
            count += near[1]
        return count

    def _lead(self, inside: int, worth: int, attackers: int) -> int:
        """By how much the side to play leads without komi if it succeeds."""
        defenders = self.problem.size**2 - inside - attackers
        if self.problem.to_play == self.problem.defender:
            return defenders + worth - (attackers + inside - worth)
        return attackers + inside - defenders

    def _attackers(self, inside: int, worth: int, wall: int) -> int:
        """How many places outside the attacker gets, so that komi need not do much."""
        outside = self.problem.size**2 - inside
        least, most = wall + LEAST_FILL, outside - 2 * (LONGEST_THREAT + 3)
        if least > most:
            raise NoFrame
        return min(range(least, most + 1), key=lambda count: abs(self._lead(inside, worth, count) - LEAD))

    def _komi(self, inside: int, worth: int) -> float:
        attackers = sum(colour != self.problem.defender for colour in self.owner.values())
        given = self._lead(inside, worth, attackers) - LEAD
        return given if self.problem.to_play == BLACK else -given

    # ------------------------------------------------------------------ the ko threat

    def _add_threat(self, attacker: int) -> None:
        """Lay the threat along an edge where the attacker's stones meet the defender's; the longest place for it is taken."""
        rooms = [(self._room(edge), number, edge) for number, edge in enumerate(self._edges())]
        length, _, edge = max(rooms, key=lambda room: (room[0], -room[1]))
        if length < SHORTEST_THREAT:
            raise NoFrame
        start = self._border(edge)
        rows = [[edge[depth][start + step] for step in range(length + 4)] for depth in range(3)]
        side, other = self.problem.to_play, 3 - self.problem.to_play
        near, far = (side, other) if side == attacker else (other, side)  # whose stones lie at either end
        for step in range(1, length + 4):
            self.owner[rows[0][step]] = side if step < length + 2 else far
            self.owner[rows[1][step]] = near if step == 1 else far if step > length + 1 else other
            self.solid |= {row[step] for row in rows} | {row[0] for row in rows}
        self.threat = [rows[0][1], rows[0][length + 2]]
        for place in self.threat:
            del self.owner[place]

    def _edges(self) -> list[list[list[Place]]]:
        """The first three lines along each edge, in both directions."""
        lines = range(self.problem.size)
        last = self.problem.size - 1
        found = []
        for flip in (False, True):
            for turn in (False, True):
                rows = [[(last - depth if flip else depth, column) for column in lines] for depth in range(3)]
                rows = [[(column, row) if turn else (row, column) for row, column in line] for line in rows]
                found += [rows, [line[::-1] for line in rows]]
        return found

    def _border(self, edge: list[list[Place]]) -> int:
        """Where the attacker's stones end along an edge; -1 if they don't meet the defender's there."""
        owners = [self.owner.get(place) for place in edge[0]]
        attacker, defender = 3 - self.problem.defender, self.problem.defender
        return next((at for at in range(len(owners) - 1) if owners[at : at + 2] == [attacker, defender]), -1)

    def _room(self, edge: list[list[Place]]) -> int:
        """How long a chain can be that is threatened on this edge."""
        start, attacker = self._border(edge), 3 - self.problem.defender
        if start < 0 or self.owner.get(edge[1][start]) != attacker:
            return 0
        steps = range(start + 1, self.problem.size)
        free = next(
            (at for at in steps if any(self.owner.get(line[at]) in (None, attacker) for line in edge)), self.problem.size
        )
        return min(LONGEST_THREAT, free - start - 4)

    # ------------------------------------------------------------------ stones and eyes

    def _stones(self, wall: set[Place]) -> tuple[dict[int, int], tuple[int, ...]]:
        """All stones by cell, and the eyes: every other place of every other line that its owner's stones surround."""
        size, board = self.problem.size, self.problem.boards[0]
        stones = {int(cell): int(board.colour[cell]) for cell in np.flatnonzero(np.isin(board.colour, (BLACK, WHITE)))}
        closed = []
        for place, colour in self.owner.items():
            is_eye = place[0] % 2 == place[1] % 2 == 0 and place not in wall and place not in self.solid
            if is_eye and all(self.owner.get(near) == colour for near in self._beside(place)):
                closed.append(cell_of(size, *place))
            else:
                stones[cell_of(size, *place)] = colour
        return stones, tuple(sorted(closed))

    def _beside(self, place: Place) -> list[Place]:
        row, column = place
        near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        return [one for one in near if min(one) >= 0 and max(one) < self.problem.size]

    def _require_alive(self, stones: dict[int, int], outside: set[int]) -> None:
        """Refuse a frame of which a stone might be captured, but for the chain that is threatened."""
        board = _lay(self.problem.size, stones)
        alive = np.zeros((2, board.colour.size), np.uint8)
        for colour in (BLACK, WHITE):
            mark_alive(board, colour, alive[colour - 1])
        first, last = ({int(board.head[near]) for near in self._cells(self._beside(place))} for place in self.threat)
        threatened = (first & last) - {0}
        if any(not alive[stones[cell] - 1, cell] and board.head[cell] not in threatened for cell in outside & stones.keys()):
            raise NoFrame

    def _cells(self, places: list[Place]) -> list[int]:
        return [cell_of(self.problem.size, *place) for place in places]


def make_frame(problem: Tsumego, margin: int = 2) -> Frame:
    """The problem in its frame, or NoFrame where the board has no room for one."""
    size = problem.size
    places = [place_of(size, int(cell)) for cell in np.flatnonzero(np.isin(problem.boards[0].colour, (BLACK, WHITE)))]
    rows, columns = ([place[axis] for place in places] for axis in (0, 1))
    free = (min(rows), size - 1 - max(rows), min(columns), size - 1 - max(columns))
    for far in sorted(range(4), key=lambda side: -free[side]):
        with suppress(NoFrame):
            return _Builder(problem, margin, far).build()
    raise NoFrame


def framed_board(frame: Frame) -> Any:
    """The framed position as a board's record, to be looked at."""
    return _lay(frame.problem.size, {cell: colour for colour, cell in frame.stones})


def _lay(size: int, stones: dict[int, int]) -> Any:
    """A board with these stones; NoFrame if a chain has no liberty."""
    boards: Any = new_board(size)
    colours = np.full(boards[0].colour.size, EMPTY, np.uint8)
    for cell, colour in stones.items():
        colours[cell] = colour
    if lay_out(boards, size, colours):
        raise NoFrame
    return boards[0]
