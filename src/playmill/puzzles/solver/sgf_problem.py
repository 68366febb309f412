"""Problems in SGF files: setup stones, MA or TR on the chains in question, PL for the side to play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playmill.core.errors import UsageError, one_line
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.geometry import cell_of
from playmill.puzzles.solver.problem import NO_MARK, Tsumego, make_problem

MARKS = ("MA", "TR")
COLOURS = {"b": BLACK, "w": WHITE}
MOST_BYTES = 1 << 24


def read_problem(path: Path) -> Tsumego:
    """The problem in the first node of a file's main line that has marks."""
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UsageError(f"{path}: expected an SGF file of at most {MOST_BYTES:,} bytes")
    return parse_problem(data, str(path))


def parse_problem(data: bytes, where: str) -> Tsumego:
    """As `read_problem`, for a file's bytes."""
    from sgfmill import sgf

    try:
        game = sgf.Sgf_game.from_bytes(data)
        size, found = game.get_size(), _marked_node(game)
    except (ValueError, KeyError) as error:
        raise UsageError(f"{where}: expected an SGF file, but {one_line(error) or type(error).__name__}") from None
    if found is None:
        raise UsageError(f"{where}: {NO_MARK}")
    board, marks, side, ko = found
    if side is None:
        raise UsageError(f"{where}: expected the side to play, PL[B] or PL[W], got none")
    stones = {colour: [_cell(size, point) for mark, point in board.list_occupied_points() if COLOURS[mark] == colour]
              for colour in COLOURS.values()}  # fmt: skip
    banned = 0 if ko is None else _cell(size, ko)
    return make_problem(size, stones, [_cell(size, point) for point in marks], COLOURS[side], where, banned)


def _marked_node(game: Any) -> tuple[Any, list[Any], str | None, Any] | None:
    """The board, the marked points, the side to play and a ko at the first node with marks."""
    from sgfmill import boards

    board: Any = boards.Board(game.get_size())
    side, ko = None, None
    for node in game.get_main_sequence():
        black, white, empty = node.get_setup_stones()
        if black or white or empty:
            board.apply_setup(black, white, empty)
            ko = None
        colour, point = node.get_move()
        if colour is not None:
            side = None
            ko = None if point is None else board.play(*point, colour)
        side = node.get("PL") if node.has_property("PL") else side
        marks = [point for name in MARKS if node.has_property(name) for point in sorted(node.get(name))]
        if marks:
            return board, marks, side, ko
    return None


def _cell(size: int, point: tuple[int, int]) -> int:
    """sgfmill counts rows from below."""
    row, column = point
    return cell_of(size, size - 1 - row, column)
