"""A position as games draw it for a terminal, in the room that it has here."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from playmill.core.terminal import in_room


def draw_board(board: Callable[[], str], width: int) -> Text:
    """Its lines and colours, for so many columns."""
    with in_room(width):
        return Text.from_ansi(board())


def extent(text: Text) -> tuple[int, int]:
    """Columns and lines."""
    lines = text.split("\n", allow_blank=True)
    return max(line.cell_len for line in lines), len(lines)
