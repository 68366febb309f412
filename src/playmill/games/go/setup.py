"""Games of Go that begin from a drawn position."""

from __future__ import annotations

from typing import Any

from playmill.core.errors import UsageError
from playmill.core.jit import kernel
from playmill.games.game import Game
from playmill.games.go.board_text import SIDES, read_board
from playmill.games.go.rules import start
from playmill.games.go.state import remember
from playmill.games.state import State


def from_drawing(game: Game, text: str, to_move: str = "Black") -> State:
    """The state in which a drawn position is on the board for the first time, and this side is to move."""
    boards, _ = read_board(text)
    if boards.dtype != game.state["board"]:
        raise UsageError(f"{game.name}: the drawing has {int(boards[0].width)} rows, which is not the game's size")
    if to_move not in SIDES:
        raise UsageError(f"{game.name}: to_move: expected {' or '.join(SIDES)}, got {to_move!r}")
    records = game.records(1)
    begin_from(records, boards)
    records["mover"] = SIDES.index(to_move)
    return State(game, records, 0, 0)


@kernel
def begin_from(records: Any, boards: Any) -> None:
    """Begin a game in the first record with the position of the first board."""
    start_kernel(records[0], 0)
    records[0].board = boards[0]
    remember(records[0])


start_kernel: Any = kernel(start)
