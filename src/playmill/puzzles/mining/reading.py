"""A problem with moves played on: positions of its solution as problems of their own, and what the solver says about them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from playmill.games.go.board import BLACK, WHITE
from playmill.puzzles.position import GoPosition, position_of
from playmill.puzzles.solution_tree import PASS
from playmill.puzzles.solver.problem import Tsumego, make_problem
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import Solution, solve

ALIVE, DEAD = "alive", "dead"


def play_on(problem: Tsumego, moves: Iterable[int]) -> Tsumego | None:
    """The problem after moves by both sides in turn; None if a marked chain is gone. The moves must be legal."""
    position: GoPosition = position_of(problem)
    side = problem.to_play
    for move in moves:
        after = position.play(move, side)
        assert after is not None
        position, side = after, 3 - side
    if not problem.marked <= position.stones(problem.defender):
        return None
    stones = {colour: sorted(position.stones(colour)) for colour in (BLACK, WHITE)}
    return make_problem(problem.size, stones, problem.marked, side, "a line of the solution", position.ko)


def is_legal_line(problem: Tsumego, moves: Iterable[int]) -> bool:
    """Whether the moves can be played by both sides in turn. A certificate may take a ko back at once, after a ko threat."""
    position, side = position_of(problem), problem.to_play
    for move in moves:
        after = position.play(move, side)
        if after is None:
            return False
        position, side = after, 3 - side
    return True


def goal_of(problem: Tsumego, side: int) -> str:
    """The status that is this side's success."""
    return ALIVE if side == problem.defender else DEAD


@dataclass
class Reader:
    """Answers about positions of one problem, each asked for once."""

    problem: Tsumego
    settings: SolverSettings
    _known: dict[tuple[int, ...], Solution | str] = field(default_factory=dict)

    def status(self, moves: tuple[int, ...]) -> str:
        """The status after these moves."""
        found = self._look(moves)
        return found if isinstance(found, str) else found.status

    def threatens(self, moves: tuple[int, ...]) -> bool:
        """Whether the side that played the last move reaches its goal if the other one plays elsewhere."""
        mover = self.problem.to_play if len(moves) % 2 else 3 - self.problem.to_play
        return self.status((*moves, PASS)) == goal_of(self.problem, mover)

    def _look(self, moves: tuple[int, ...]) -> Solution | str:
        if moves not in self._known:
            problem = play_on(self.problem, moves)
            self._known[moves] = DEAD if problem is None else solve(problem, self.settings)
        return self._known[moves]
