"""Tic-tac-toe as a dictionary from squares, written a3..c1, to the player who stands there."""

from __future__ import annotations

SQUARES = [column + row for row in "321" for column in "abc"]
LINES = ["a3b3c3", "a2b2c2", "a1b1c1", "a3a2a1", "b3b2b1", "c3c2c1", "a3b2c1", "c3b2a1"]


class TicTacToe:
    def start(self, chance: int) -> None:
        self.board: dict[str, int] = {}

    def legal(self) -> list[int]:
        return [number for number, square in enumerate(SQUARES) if square not in self.board]

    def play(self, action: int, chance: int) -> None:
        self.board[SQUARES[action]] = self.to_move()

    def outcome(self) -> list[float] | None:
        for line in LINES:
            owners = {self.board.get(line[i : i + 2]) for i in (0, 2, 4)}
            if owners == {0}:
                return [1.0, -1.0]
            if owners == {1}:
                return [-1.0, 1.0]
        return [0.0, 0.0] if len(self.board) == 9 else None

    def to_move(self) -> int:
        return len(self.board) % 2
