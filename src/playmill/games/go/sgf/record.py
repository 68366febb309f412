"""A clean game as plain data: the position it begins with and the moves of its main line."""

from __future__ import annotations

from dataclasses import dataclass

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.sgf.points import read_cell
from playmill.games.go.sgf.replay import COLOURS, move_of
from playmill.games.go.sgf.tidy import stones_of
from playmill.games.go.sgf.tree import SgfNode


@dataclass(frozen=True)
class GoRecord:
    """The main line of a game. Cells and colours are those of `board.py`; cell 0 is a pass, and sides need not alternate."""

    size: int
    komi: float | None
    result: str | None
    stones: dict[int, int]  # cell: colour, on the board before the first move
    to_move: int  # colour
    moves: list[tuple[int, int]]  # (colour, cell)


def read_record(root: SgfNode) -> GoRecord:
    """The record of a game that `clean_sgf` has put right."""
    size = int(root.text("SZ") or "")
    komi = root.text("KM")
    moves = [move for node in root.main_line() if (move := move_of(node, size)) is not None]
    stones = {read_cell(point, size) or 0: COLOURS[side] for point, side in stones_of(root).items()}
    return GoRecord(size, None if komi is None else float(komi), root.text("RE"), stones, _to_move(root, stones, moves), moves)


def _to_move(root: SgfNode, stones: dict[int, int], moves: list[tuple[int, int]]) -> int:
    """The side of the first move, else what PL says, else Black, or White after handicap stones."""
    if moves:
        return moves[0][0]
    given = root.text("PL")
    if given is not None:
        return COLOURS[given]
    return WHITE if set(stones.values()) == {BLACK} else BLACK
