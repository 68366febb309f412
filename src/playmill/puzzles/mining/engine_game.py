"""One game as the engine's hunters see it: queries about its positions, its boards, and candidates from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.replay import lay_out, play_line
from playmill.games.go.sgf.record import GoRecord
from playmill.games.go.sgf.replay import new_board
from playmill.puzzles.katago.query import Query
from playmill.puzzles.mining.candidate import Candidate, SourceFacts
from playmill.puzzles.mining.katago_settings import HuntSettings


@dataclass(frozen=True)
class EngineGame:
    """A record with its source. Positions are numbered by the moves before them."""

    record: GoRecord
    source: SourceFacts

    @cached_property
    def komi(self) -> float:
        return 7.5 if self.record.komi is None else self.record.komi

    @cached_property
    def may_suicide(self) -> bool:
        """Whether the rules must allow suicide for the moves to be legal."""
        return self._played(len(self.record.moves), False)[1] < len(self.record.moves)

    def first(self, settings: HuntSettings) -> int:
        """The first position that is looked at; what was set up is no opening."""
        return 0 if self.record.stones else min(settings.first_move, len(self.record.moves))

    def query(self, number: int, visits: int) -> Query:
        """The position after so many moves, as the game came to it."""
        stones = tuple((colour, cell) for cell, colour in sorted(self.record.stones.items()))
        moves = tuple(self.record.moves[:number])
        return self._query(number, stones, moves, self.record.to_move, visits)

    def query_for(self, number: int, side: int, visits: int) -> Query:
        """The stones of that position with either side to play."""
        board = self.board(number)
        stones = tuple((int(board.colour[cell]), cell) for cell in np.flatnonzero(board.head).tolist())
        return self._query(number, stones, (), side, visits)

    def _query(self, number: int, stones: Any, moves: Any, to_play: int, visits: int) -> Query:
        return Query(
            self.record.size, stones, moves, to_play, self.komi, visits, True,
            may_suicide=self.may_suicide, label=f"{self.source.label}, move {number}",
        )  # fmt: skip

    def board(self, number: int) -> Any:
        """The board after so many moves."""
        return self._played(number, self.may_suicide)[0]

    def candidate(
        self, number: int, board: Any, side: int, marked: tuple[int, ...], losses: tuple[float, float] | None = None
    ) -> Candidate:
        """The position for a side to play; `losses` are the blunder's, in winrate and in points, if it comes from one."""
        black, white = (tuple(np.flatnonzero(board.colour == colour).tolist()) for colour in (BLACK, WHITE))
        drop, loss = (None, None) if losses is None else (round(max(0.0, min(1.0, losses[0])), 4), round(losses[1], 2))
        return Candidate(
            self.source, number, self.record.size, black, white, side, int(board.ko), marked, None, drop, loss
        )  # fmt: skip

    def _played(self, turn: int, may_suicide: bool) -> tuple[Any, int]:
        """The board before a move, and how many moves could be played."""
        record, boards = self.record, new_board(self.record.size)
        colours = np.zeros(boards[0].colour.size, np.uint8)
        for cell, colour in record.stones.items():
            colours[cell] = colour
        lay_out(boards, record.size, colours)
        line = np.array(record.moves[:turn], np.int64).reshape(-1, 2)
        taken = np.zeros((2, boards["empty"].shape[1]), np.uint64)
        played, _ = play_line(boards, line[:, 1].copy(), line[:, 0].copy(), taken, may_suicide)
        return boards[0], int(played)
