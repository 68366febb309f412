"""A candidate: a position of a game in which a group's fate hangs on the next move. Hunters find them, the localizer crops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.sgf.record import GoRecord
from playmill.puzzles.solver.problem import Tsumego, make_problem


@dataclass(frozen=True)
class SourceFacts:
    """Where a game comes from: its file's name below the folder, and the SHA-256 of the file's bytes.

    Of a file with several games, `game` says which one, from 1.
    """

    name: str
    sha256: str
    game: int = 1

    @property
    def label(self) -> str:
        """The name, with the game's number where it is not the file's first."""
        return self.name if self.game == 1 else f"{self.name}:{self.game}"


@dataclass(frozen=True)
class Candidate:
    """A position before a move of a game, on the whole board, and the chains that it is about.

    Cells and colours are those of `games/go/board.py`, cells ascending. `marked` has the lowest cell of each chain whose fate
    is asked for; they are of one colour, the defender's. `to_play` may be either side. `played` is what the game went on with
    near the group, a cell or 0 for a pass, or None where nobody played there again. `winrate_drop` and `score_loss` are what
    the blunder lost that it comes from, which an engine only knows: `played`, or, where that is None, the move before.
    `left_out` is the cell of a stone of the game that the position is without, as if its move had gone elsewhere, or 0.
    """

    source: SourceFacts
    move_number: int  # moves played before the position
    size: int
    black: tuple[int, ...]
    white: tuple[int, ...]
    to_play: int
    ko: int
    marked: tuple[int, ...]
    played: int | None = None
    winrate_drop: float | None = None
    score_loss: float | None = None
    left_out: int = 0

    def problem(self) -> Tsumego:
        """The position as a problem for the solver."""
        where = f"{self.source.name}, move {self.move_number}"
        return make_problem(
            self.size, {BLACK: list(self.black), WHITE: list(self.white)}, self.marked, self.to_play, where, self.ko
        )

    def fields(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


class Hunter(Protocol):
    """Finds the candidates of a game, in the order of its moves. The same record and settings give the same candidates."""

    def __call__(self, record: GoRecord, source: SourceFacts, settings: Any) -> Iterator[Candidate]: ...
