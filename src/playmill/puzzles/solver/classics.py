"""Positions whose status every book on life and death tells, to test and to time the solver with.

Black is the defender and all its stones are marked. A drawing has the lowest rows of the board; above them all is empty.
Sources: J. Davies, "Life and Death" (1975), on eye shapes and second-line groups; the proverbs "six die, eight live" and, in
the corner, "four die, six live".
"""

from __future__ import annotations

from dataclasses import dataclass

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import cell_of
from playmill.puzzles.solver.problem import Tsumego, make_problem

COLOURS = {"X": BLACK, "O": WHITE}


@dataclass(frozen=True)
class Classic:
    """A drawn position: its status if Black, the defender, plays first, and if White does; the vital point if there is one."""

    name: str
    black_first: str
    white_first: str
    drawing: str
    vital: str = ""

    def problem(self, to_play: int) -> Tsumego:
        """The problem for this side."""
        rows = [row.split() for row in self.drawing.strip().splitlines()]
        size = len(rows[0])
        rows = [["."] * size] * (size - len(rows)) + rows
        stones: dict[int, list[int]] = {BLACK: [], WHITE: []}
        for row, marks in enumerate(rows):
            for column, mark in enumerate(marks):
                if mark != ".":
                    stones[COLOURS[mark]].append(cell_of(size, row, column))
        return make_problem(size, stones, stones[BLACK], to_play, self.name)


CLASSICS = (
    Classic("straight three", "alive", "dead", """
        O O O O O O O . .
        O X X X X X O . .
        O X . . . X O . .""", "d1"),
    Classic("bent three in the corner", "alive", "dead", """
        O O O . . . . . .
        X X O O . . . . .
        . X X O . . . . .
        . . X O . . . . .""", "a1"),
    Classic("straight four", "alive", "alive", """
        O O O O O O O O .
        O X X X X X X O .
        O X . . . . X O ."""),
    Classic("bent four on the side", "alive", "alive", """
        . . O O O O O . .
        O O O X X X O . .
        O X X X . X O . .
        O X . . . X O . ."""),
    Classic("square four", "dead", "dead", """
        O O O O O O . . .
        O X X X X O . . .
        O X . . X O . . .
        O X . . X O . . ."""),
    Classic("pyramid four", "alive", "dead", """
        . O O O O O . . .
        O O X X X O O . .
        O X X . X X O . .
        O X . . . X O . .""", "d1"),
    Classic("bulky five", "alive", "dead", """
        O O O O O O . . .
        O X X X X O O . .
        O X . . X X O . .
        O X . . . X O . .""", "d1"),
    Classic("crossed five", "alive", "dead", """
        O O O O O O O . .
        O O X X X O O . .
        O X X . X X O . .
        O X . . . X O . .
        O X X . X X O . .""", "d2"),
    Classic("rabbity six", "alive", "dead", """
        O O O O O O . . .
        O X X X X O O . .
        O X . . X X O . .
        O X . . . X O . .
        O X X . X X O . .""", "d2"),
    Classic("rectangular six on the side", "alive", "alive", """
        O O O O O O O . .
        O X X X X X O . .
        O X . . . X O . .
        O X . . . X O . ."""),
    Classic("rectangular six in the corner, no liberty outside", "alive", "dead", """
        O O O O O . . . .
        X X X X O . . . .
        . . . X O . . . .
        . . . X O . . . ."""),
    Classic("rectangular six in the corner, one liberty outside", "alive", "ko", """
        O O O O O O . . .
        . O O O O . . . .
        X X X X O . . . .
        . . . X O . . . .
        . . . X O . . . ."""),
    Classic("rectangular six in the corner, two liberties outside", "alive", "alive", """
        O . . . . . . . .
        . O O O O . . . .
        X X X X O . . . .
        . . . X O . . . .
        . . . X . O . . ."""),
    Classic("six on the second line", "dead", "dead", """
        . . O O O O O O O O . .
        . O O X X X X X X O O .
        . O . . . . . . . . O ."""),
    Classic("eight on the second line", "alive", "alive", """
        . . O O O O O O O O O O . .
        . . O X X X X X X X X O . .
        . O . . . . . . . . . . O ."""),
    Classic("four on the second line in the corner", "dead", "dead", """
        O O O O O . . . .
        X X X X O O . . .
        . . . . . O . . ."""),
    Classic("five on the second line in the corner", "alive", "dead", """
        O O O O O O . . .
        X X X X X O O . .
        . . . . . . O . ."""),
    Classic("six on the second line in the corner", "alive", "alive", """
        O O O O O O O . .
        X X X X X X O . .
        . . . . . . . O ."""),
    Classic("seki around three stones", "alive", "alive", """
        O O O O O O O O O
        O X X X X X X X O
        O X . O O O . X O"""),
    Classic("straight two", "dead", "dead", """
        O O O O O O . . .
        O X X X X O . . .
        O X . . X O . . ."""),
    Classic("bent three on the side", "alive", "dead", """
        . O O O O O . . .
        O O X X X O . . .
        O X X . X O . . .
        O X . . X O . . .""", "d1"),
    Classic("rectangular eight in the corner, no liberty outside", "alive", "alive", """
        O O O O O O . . .
        X X X X X O . . .
        . . . . X O . . .
        . . . . X O . . ."""),
    Classic("bulky five in the corner", "alive", "dead", """
        O O O O . . . . .
        X X X O O . . . .
        . . X X O . . . .
        . . . X O . . . .""", "b1"),
    Classic("two eyes", "alive", "alive", """
        O O O O O O . . .
        X X X X X O . . .
        . X . X . O . . ."""),
)  # fmt: skip
