"""A position to try moves on: it never changes, a move makes another one."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from playmill.games.go.board import BLACK, BORDER, EMPTY, WHITE, board_type, is_legal, place, set_up
from playmill.games.go.geometry import MAX_SIZE, cells_of, place_of
from playmill.games.go.life import mark_alive
from playmill.puzzles.solution_tree import PASS
from playmill.puzzles.solver.problem import Tsumego

Cells = frozenset[int]


class GoPosition:
    """Stones on a board and the ko, whoever is to play. Points are cells of the board's record."""

    def __init__(self, boards: Any, captured: Cells = frozenset()) -> None:
        self._boards, self._board = boards, boards[0]
        self.captured = captured  # by the move that led here

    @cached_property
    def size(self) -> int:
        return int(self._board.width)

    @property
    def ko(self) -> int:
        """The point where a ko may not be taken back at once, or 0."""
        return int(self._board.ko)

    @cached_property
    def points(self) -> list[int]:
        """What stands on each cell."""
        return self._board.colour.tolist()  # type: ignore[no-any-return]

    def stones(self, colour: int) -> Cells:
        return frozenset(cell for cell, stone in enumerate(self.points) if stone == colour)

    def near(self, cell: int) -> tuple[int, ...]:
        """The points beside one."""
        stride = self.size + 1
        return tuple(other for other in (cell - stride, cell - 1, cell + 1, cell + stride) if self.points[other] != BORDER)

    def chain(self, cell: int) -> Cells:
        """The stones that hang together with the one there."""
        return self.reach([cell], {self.points[cell]})

    def chains(self, colour: int) -> list[Cells]:
        """All chains of a colour, by their lowest cells."""
        found: list[Cells] = []
        for cell in sorted(self.stones(colour)):
            if not any(cell in chain for chain in found):
                found.append(self.chain(cell))
        return found

    def liberties(self, cells: Cells) -> Cells:
        """The empty points beside any of these."""
        return frozenset(near for cell in cells for near in self.near(cell) if self.points[near] == EMPTY)

    def beside(self, cells: Cells, colour: int) -> list[Cells]:
        """The chains of a colour that touch any of these cells."""
        edge = {near for cell in cells for near in self.near(cell)}
        return [chain for chain in self.chains(colour) if chain & edge]

    def reach(self, cells: Any, through: set[int]) -> Cells:
        """The cells, and all that can be reached from them stepping on such colours alone."""
        found, waiting = set(cells), list(cells)
        while waiting:
            for near in self.near(waiting.pop()):
                if near not in found and self.points[near] in through:
                    found.add(near)
                    waiting.append(near)
        return frozenset(found)

    def living(self, colour: int) -> Cells:
        """The stones of a colour that can't be captured even if their side always passes."""
        alive = np.zeros(len(self.points), np.uint8)
        mark_alive(self._board, colour, alive)
        return self.stones(colour) & frozenset(np.flatnonzero(alive).tolist())

    def may_play(self, cell: int, colour: int) -> bool:
        """Whether a stone may be played there; suicide and taking a ko back at once may not."""
        return bool(is_legal(self._board, cell, colour))

    def play(self, move: int, colour: int) -> GoPosition | None:
        """The position after a move, PASS among them; None if it is illegal."""
        boards = self._boards.copy()
        if move == PASS:
            boards[0].ko = 0
            return GoPosition(boards)
        if not 0 < move < len(self.points) or not self.may_play(move, colour):
            return None
        taken = np.zeros((2, boards["empty"].shape[1]), np.uint64)
        place(boards[0], move, colour, taken)
        after = GoPosition(boards)
        after.captured = frozenset(cell for cell in self.stones(3 - colour) if after.points[cell] != 3 - colour)
        return after


def position_of(problem: Tsumego) -> GoPosition:
    """The position of a problem. The record is that of the largest board, so that kernels are compiled once for all sizes."""
    board, size = problem.boards[0], problem.size
    colours = np.zeros(cells_of(MAX_SIZE), np.uint8)
    stones = np.asarray(board.colour)
    colours[: stones.size] = np.where((stones == BLACK) | (stones == WHITE), stones, EMPTY)
    boards = np.zeros(1, board_type(MAX_SIZE))
    set_up(boards[0], size, colours)
    boards[0].ko = problem.ko
    return GoPosition(boards)


def edges_met(size: int, cells: Cells) -> frozenset[str]:
    """The edges of the board that any of the cells lies on."""
    found = set()
    for row, column in (place_of(size, cell) for cell in cells):
        lines = {"top": row == 0, "bottom": row == size - 1, "left": column == 0, "right": column == size - 1}
        found |= {name for name, is_met in lines.items() if is_met}
    return frozenset(found)
