"""A problem of life and death: a position, the chains that it is about, and who is to play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.core.errors import UsageError
from playmill.games.go.board import BLACK, BORDER, EMPTY, WHITE, board_type, set_up
from playmill.games.go.board_text import SIDES, name_cell
from playmill.games.go.geometry import MAX_SIZE, MIN_SIZE, cells_of

NO_MARK = "expected a chain marked by MA or TR, got no mark; mark one stone of each chain that the problem is about"


@dataclass(frozen=True)
class Tsumego:
    """Whether the marked chains live. `boards` is a board's record, shape [1]; points are its cells.

    The attacker wins by capturing any marked chain, the defender, whose chains they are, by saving all of them. `ko` is the
    point where the side to play may not take back at once, or 0.
    """

    boards: Any
    marked: frozenset[int]
    to_play: int
    ko: int = 0

    @property
    def size(self) -> int:
        return int(self.boards[0].width)

    @property
    def defender(self) -> int:
        return int(self.boards[0].colour[min(self.marked)])

    @property
    def side(self) -> str:
        """Who is to play, as people say it."""
        return SIDES[self.to_play - 1]


def make_problem(
    size: int, stones: dict[int, list[int]], marks: Iterable[int], to_play: int, where: str, ko: int = 0
) -> Tsumego:
    """The problem of these stones (cells by colour) and marks (any stones of the chains), or one line on what is wrong."""
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise UsageError(f"{where}: expected a board of {MIN_SIZE} to {MAX_SIZE} lines, got {size}")
    colours = np.zeros(cells_of(size), np.uint8)
    for colour in (BLACK, WHITE):
        colours[stones[colour]] = colour
    boards = np.zeros(1, board_type(size))
    set_up(boards[0], size, colours)
    board = boards[0]
    _check_breathing(board, where)
    chains = {_marked_head(board, cell, where) for cell in marks}
    if not chains:
        raise UsageError(f"{where}: {NO_MARK}")
    if len({int(board.colour[head]) for head in chains}) > 1:
        raise UsageError(f"{where}: expected marked chains of one colour, got both Black's and White's")
    cells = frozenset(int(cell) for cell in np.flatnonzero(np.isin(board.head, list(chains))))
    return Tsumego(boards, cells, to_play, ko)


def _marked_head(board: Any, cell: int, where: str) -> int:
    if board.colour[cell] in (EMPTY, BORDER):
        raise UsageError(f"{where}: expected marks on stones, got one on the empty point {name_cell(int(board.width), cell)}")
    return int(board.head[cell])


def _check_breathing(board: Any, where: str) -> None:
    dead = [cell for cell in range(1, board.colour.size) if board.head[cell] == cell and board.liberties[cell] == 0]
    if dead:
        raise UsageError(f"{where}: the chain on {name_cell(int(board.width), dead[0])} has no liberty; take it off the board")
