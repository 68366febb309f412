"""A problem with its solution played out, for predicates to look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from playmill.puzzles.position import Cells, GoPosition, position_of
from playmill.puzzles.solution_tree import PASS, Branch, SolutionTree
from playmill.puzzles.solver.problem import Tsumego


@dataclass(frozen=True)
class PlayedMove:
    """A move of the solution, and the positions before and after it."""

    before: GoPosition
    move: int
    colour: int
    after: GoPosition

    @property
    def chain(self) -> Cells:
        """The stones that hang together with the one played; none after a pass."""
        return self.after.chain(self.move) if self.move != PASS else frozenset()


Path = tuple[PlayedMove, ...]  # from the first move to one move of the tree


class Study:
    """A problem, who is who, and all lines of its solution."""

    def __init__(self, problem: Tsumego, tree: SolutionTree) -> None:
        self.problem, self.tree = problem, tree
        self.start = position_of(problem)
        self.own, self.other = tree.side, 3 - tree.side
        self.defender, self.attacker = problem.defender, 3 - problem.defender
        self.marked: Cells = frozenset(problem.marked)
        self.has_to_live = tree.side == problem.defender

    @cached_property
    def right(self) -> list[Path]:
        """A path to each move after the right first one, that one first.

        What follows when the opponent passes is left out, since that is decided; so is what follows an illegal move.
        """
        return list(_walk(self.start, self.tree.right, self.own, (), self.own))

    @cached_property
    def everything(self) -> list[Path]:
        """The same, and what follows the wrong first moves."""
        wrong = (path for branch in self.tree.wrong for path in _walk(self.start, branch, self.own, (), self.own))
        return [*self.right, *wrong]

    @cached_property
    def main_line(self) -> Path:
        """The right first move and the first reply of each."""
        moves = self.tree.right.main_line
        return max((p for p in self.right if tuple(step.move for step in p) == moves[: len(p)]), key=len, default=())

    @property
    def first_move(self) -> int:
        return self.tree.right.move

    @cached_property
    def own_steps(self) -> list[PlayedMove]:
        """The moves of the side to play in all lines after the right first move."""
        return [path[-1] for path in self.right if path[-1].colour == self.own]

    @cached_property
    def scene(self) -> Cells:
        """Where it is fought: the marked chains, their liberties, and all moves of the solution."""
        moves = {path[-1].move for path in self.everything} - {PASS}
        return self.marked | self.start.liberties(self.marked) | moves


def _walk(position: GoPosition, branch: Branch, colour: int, path: Path, own: int) -> Iterator[Path]:
    after = position.play(branch.move, colour)
    if after is None or (branch.move == PASS and colour != own):
        return
    path = (*path, PlayedMove(position, branch.move, colour, after))
    yield path
    for reply in branch.replies:
        yield from _walk(after, reply, 3 - colour, path, own)
