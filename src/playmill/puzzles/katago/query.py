"""What the engine is asked: a position, how long to look at it, and which moves count."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.board_text import name_cell

LETTERS = {BLACK: "B", WHITE: "W"}
# Area scoring without any bonus, and no rule against repetition but the simple ko, which every record keeps to.
RULES = {"ko": "SIMPLE", "scoring": "AREA", "tax": "NONE", "hasButton": False, "whiteHandicapBonus": "0"}
MOST_KOMI = 400.0
Move = tuple[int, int]  # colour, and cell or 0 for a pass


@dataclass(frozen=True)
class Query:
    """A position to look at. Cells and colours are those of the board; a cell of 0 is a pass.

    `stones` are on the board before `moves`; `to_play` is the side to play before them. `avoided` lists moves that the search
    leaves out: side, cells, and to which depth, 1 being the first move. `label` names the query in messages, and like
    `priority`, the higher the sooner, has no part in the answer.
    """

    size: int
    stones: tuple[Move, ...]
    moves: tuple[Move, ...]
    to_play: int
    komi: float
    visits: int
    with_ownership: bool = False
    avoided: tuple[tuple[int, tuple[int, ...], int], ...] = ()
    may_suicide: bool = False
    label: str = field(default="", compare=False)
    priority: int = field(default=0, compare=False)

    @property
    def side(self) -> int:
        """Who is to play after the moves."""
        return 3 - self.moves[-1][0] if self.moves else self.to_play

    def after(self, *cells: int) -> Query:
        """The position after these moves, the sides in turn."""
        query = self
        for cell in cells:
            query = replace(query, moves=(*query.moves, (query.side, cell)))
        return query

    def fields(self) -> dict[str, Any]:
        """All that the answer depends on, as the protocol has it."""
        fields: dict[str, Any] = {
            "boardXSize": self.size, "boardYSize": self.size, "komi": komi_for(self.komi),
            "rules": RULES | {"suicide": self.may_suicide},
            "initialStones": [self._move(move) for move in self.stones], "initialPlayer": LETTERS[self.to_play],
            "moves": [self._move(move) for move in self.moves], "maxVisits": self.visits,
            "includeOwnership": self.with_ownership,
        }  # fmt: skip
        if self.avoided:
            fields["avoidMoves"] = [self._limit(*limit) for limit in self.avoided]
        return fields

    def _move(self, move: Move) -> list[str]:
        return [LETTERS[move[0]], point(self.size, move[1])]

    def _limit(self, colour: int, cells: tuple[int, ...], depth: int) -> dict[str, Any]:
        return {"player": LETTERS[colour], "moves": [point(self.size, cell) for cell in cells], "untilDepth": depth}


def point(size: int, cell: int) -> str:
    """A move as the protocol writes it."""
    return name_cell(size, cell) if cell else "pass"


def komi_for(komi: float | None) -> float:
    """The nearest komi that the engine takes: whole and half points; none is 0."""
    return max(-MOST_KOMI, min(MOST_KOMI, round(2 * (komi or 0.0)) / 2))
