"""A recorded game as screens step through it, whatever game it is."""

from __future__ import annotations

from typing import Protocol


class ShownGame(Protocol):
    """Place n is the position after n moves, or phases."""

    @property
    def title(self) -> str:
        """What was played and how it ended, in a line."""

    @property
    def last(self) -> int:
        """The last place."""

    def board(self, place: int) -> str:
        """The position as text."""

    def lines(self, place: int) -> list[str]:
        """What led there, what comes next, and what whoever decided thought of it."""
