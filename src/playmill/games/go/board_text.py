"""Go boards as text: drawn with coordinates, and read back from a drawing.

X is Black, O is White, . and + (a star point) are empty. In a drawing that is read, a small letter is an empty point with
that name, and coordinates may be left out.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from playmill.core.errors import UsageError
from playmill.games.go.board import BLACK, EMPTY, WHITE, board_type, set_up
from playmill.games.go.geometry import LETTERS, MAX_SIZE, MIN_SIZE, cell_of, cells_of, name_point, place_of

STONES = {BLACK: "X", WHITE: "O"}
COLOURS = {"X": BLACK, "O": WHITE}
ROW = re.compile(r"\s*\d*\s*([XO.+a-z()\s]+?)\s*\d*\s*")
SIDES = ("Black", "White")


def star_places(size: int) -> list[tuple[int, int]]:
    """The (row, column) of the star points, those of handicap stones."""
    if size < 7:
        return [(size // 2, size // 2)] if size % 2 and size > 3 else []
    edge, middle = 2 if size < 13 else 3, size // 2
    lines = [edge, middle, size - 1 - edge] if size % 2 and size > 13 else [edge, size - 1 - edge]
    places = [(row, column) for row in lines for column in lines]
    return places if len(lines) == 3 or size % 2 == 0 else [*places, (middle, middle)]


def draw_board(board: Any, last: int = 0) -> str:
    """The board with its coordinates; the stone on the cell `last` is in brackets."""
    size = int(board.width)
    letters = "   " + " ".join(LETTERS[:size])
    rows = [f"{size - row:2}{_row(board, row, last)}{size - row}" for row in range(size)]
    return "\n".join([letters, *rows, letters])


def board_line(board: Any) -> str:
    """The board's rows from the top, with slashes between them."""
    size = int(board.width)
    return "/".join("".join(_mark(board, row, column, stars=()) for column in range(size)) for row in range(size))


def read_board(text: str) -> tuple[Any, dict[str, int]]:
    """A drawing as a board, shape [1], and the cells of its small letters."""
    rows = [_cleaned(line) for line in text.strip("\n").splitlines() if line.strip() and not _is_letters(line)]
    size = len(rows)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise UsageError(f"go: expected a board of {MIN_SIZE} to {MAX_SIZE} rows, got {size}")
    colours, names = np.zeros(cells_of(size), np.uint8), {}
    for row, marks in enumerate(rows):
        if len(marks) != size:
            raise UsageError(f"go: row {size - row}: expected {size} points, as many as there are rows, got {len(marks)}")
        for column, mark in enumerate(marks):
            cell = cell_of(size, row, column)
            colours[cell] = COLOURS.get(mark, EMPTY)
            if mark.islower():
                names[mark] = cell
    boards = np.zeros(1, board_type(size))
    set_up(boards[0], size, colours)
    _check_breathing(boards[0])
    return boards, names


def read_point(size: int, name: str) -> int:
    """The cell of a point such as D4 or d4."""
    column, row = LETTERS.find(name[:1].upper() or "?"), name[1:]
    if 0 <= column < size and row.isascii() and row.isdigit() and 1 <= int(row) <= size:
        return cell_of(size, size - int(row), column)
    raise UsageError(f"go: expected a point from A1 to {LETTERS[size - 1]}{size} (there is no I), got '{name}'")


def name_cell(size: int, cell: int) -> str:
    """A cell as people say it."""
    return name_point(size, *place_of(size, cell))


def _row(board: Any, row: int, last: int) -> str:
    """Points with spaces between them; brackets take the place of spaces."""
    size, line = int(board.width), " "
    for column in range(size):
        is_last = last > 0 and place_of(size, last) == (row, column)
        if is_last:
            line = line[:-1] + "("
        line += _mark(board, row, column, star_places(size)) + (")" if is_last else " ")
    return line


def _mark(board: Any, row: int, column: int, stars: Any) -> str:
    stone = int(board.colour[cell_of(int(board.width), row, column)])
    return STONES.get(stone) or ("+" if (row, column) in stars else ".")


def _is_letters(line: str) -> bool:
    letters = line.split()
    return len(letters) >= MIN_SIZE and letters == list(LETTERS[: len(letters)])


def _cleaned(line: str) -> str:
    match = ROW.fullmatch(line)
    if match is None:
        raise UsageError(f"go: expected a row of X, O, ., + and small letters, got '{line.strip()}'")
    return re.sub(r"[\s()]", "", match[1])


def _check_breathing(board: Any) -> None:
    for cell in range(board.colour.size):
        if board.head[cell] == cell != 0 and board.liberties[cell] == 0:
            raise UsageError(f"go: the chain on {name_cell(int(board.width), cell)} has no liberty")
