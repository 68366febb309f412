"""The localizer: a candidate without the rest of the board. Only stones that the fight needs are left."""

from __future__ import annotations

from playmill.core.errors import UsageError
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import place_of
from playmill.puzzles.mining.candidate import Candidate
from playmill.puzzles.mining.judged import Rejection
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.mining.validate import refuse_answer, refuse_atari
from playmill.puzzles.position import GoPosition, position_of
from playmill.puzzles.solver.ground import Ground, OpenGround, find_ground
from playmill.puzzles.solver.problem import Tsumego, make_problem
from playmill.puzzles.solver.solving import Solution, solve

SNAP = 2  # lines between the box and an edge to which it is drawn
Cells = frozenset[int]


def crop(candidate: Candidate, settings: MiningSettings) -> Tsumego | Rejection:
    """The candidate's problem with as few stones as keep its status and its right moves."""
    whole = candidate.problem()
    on_board = settings.solver().model_copy(update={"wall_liberties": settings.hunt.wall_liberties})
    ground = find_ground(whole, on_board.max_empty, on_board.wall_liberties)
    if isinstance(ground, OpenGround) or not ground.walls_hold:
        return Rejection("open", ground.reason if isinstance(ground, OpenGround) else "an enclosing chain might be captured")
    refusal = refuse_atari(whole, settings)
    if refusal is not None:
        return refusal
    if whole.ko in ground.cells:
        return Rejection("ko", "the side to play may not take back a ko there")
    wanted = solve(whole, on_board)
    return refuse_answer(whole, wanted) or _Cropping(whole, ground, wanted, settings).run()


class _Cropping:
    """One problem at work: the stones of the fight, of the walls, of the attacker near them, and points behind the walls."""

    def __init__(self, whole: Tsumego, ground: Ground, wanted: Solution, settings: MiningSettings) -> None:
        self.whole, self.wanted, self.solver = whole, wanted, settings.solver()
        position = position_of(whole)
        self.fight = frozenset(ground.cells) | whole.marked
        box = _Box(whole.size, self.fight, settings.padding)
        attacker = 3 - whole.defender
        walls = frozenset().union(*position.beside(self.fight, attacker)) - self.fight
        self.edge = frozenset(near for cell in self.fight for near in position.near(cell)) & walls
        self.walls = frozenset(filter(box.holds, walls))
        self.is_thickened = settings.thicken
        self.behind = self._behind(position, box)
        self.others = frozenset(filter(box.holds, position.stones(attacker))) - self.fight - self.walls

    def run(self) -> Tsumego | Rejection:
        """With the walls alone if they hold, else with all stones of the attacker near them, else with stones added behind
        them; then without needless ones."""
        last = Rejection("open", "an enclosing chain of the cropped position might be captured")
        near = self.walls | self.others
        for outside in (self.walls, near, near | self.behind) if self.is_thickened else (self.walls, near):
            found = self._solved(outside)
            if isinstance(found, Rejection):
                last = found
                continue
            return self._thinned(outside)
        return last

    def _behind(self, position: GoPosition, box: _Box) -> Cells:
        """The points behind the walls, where the attacker may get stones."""
        first = {near for cell in self.edge for near in position.near(cell)} - self.fight
        second = {near for cell in first for near in position.near(cell)} - self.fight
        return frozenset(cell for cell in first | second if box.holds(cell)) - self.walls

    def _thinned(self, outside: Cells) -> Tsumego:
        """Take away stones that don't touch the fight, the furthest first, while nothing changes."""
        middle = place_of(self.whole.size, sorted(self.fight)[len(self.fight) // 2])
        for cell in sorted(outside - self.edge, key=lambda cell: (-_distance(place_of(self.whole.size, cell), middle), cell)):
            if not isinstance(self._solved(outside - {cell}), Rejection):
                outside -= {cell}
        problem = self._problem(outside)
        assert problem is not None
        return problem

    def _solved(self, outside: Cells) -> Solution | Rejection:
        """The solution with these stones outside, if it is the wanted one."""
        problem = self._problem(outside)
        if problem is None:
            return Rejection("crop_changed", "a chain has no liberty without the stones that were cut off")
        found = solve(problem, self.solver)
        if found.ground is None or not found.ground.walls_hold:
            return Rejection("open", found.reason or "an enclosing chain of the cropped position might be captured")
        if (found.status, found.moves) != (self.wanted.status, self.wanted.moves):
            return Rejection("crop_changed", f"{_answer(found)} instead of {_answer(self.wanted)}")
        return found

    def _problem(self, outside: Cells) -> Tsumego | None:
        board, attacker = self.whole.boards[0], 3 - self.whole.defender
        stones = {colour: [cell for cell in sorted(self.fight) if board.colour[cell] == colour] for colour in (BLACK, WHITE)}
        stones[attacker] += sorted(outside)
        try:
            return make_problem(self.whole.size, stones, self.whole.marked, self.whole.to_play, "cropped")
        except UsageError:
            return None


class _Box:
    """The rectangle around the fight with some lines more, drawn to edges that are near."""

    def __init__(self, size: int, cells: Cells, padding: int) -> None:
        self.size = size
        places = [place_of(size, cell) for cell in cells]
        self.bounds = [
            self._drawn(min(place[axis] for place in places) - padding, max(place[axis] for place in places) + padding)
            for axis in (0, 1)
        ]

    def _drawn(self, low: int, high: int) -> tuple[int, int]:
        return 0 if low <= SNAP else low, self.size - 1 if high >= self.size - 1 - SNAP else high

    def holds(self, cell: int) -> bool:
        return all(low <= line <= high for line, (low, high) in zip(place_of(self.size, cell), self.bounds, strict=True))


def _answer(solution: Solution) -> str:
    return f"{solution.status} by {' '.join(solution.moves) or 'no move'}"


def _distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
