"""Connect four as seven lists of discs, bottom first."""

from __future__ import annotations

COLUMNS, ROWS = 7, 6
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


class ConnectFour:
    def start(self, chance: int) -> None:
        self.columns: list[list[int]] = [[] for _ in range(COLUMNS)]

    def legal(self) -> list[int]:
        return [number for number, column in enumerate(self.columns) if len(column) < ROWS]

    def play(self, action: int, chance: int) -> None:
        self.columns[action].append(self.to_move())

    def outcome(self) -> list[float] | None:
        for player, scores in ((0, [1.0, -1.0]), (1, [-1.0, 1.0])):
            if self._has_four(player):
                return scores
        return None if self.legal() else [0.0, 0.0]

    def to_move(self) -> int:
        return sum(len(column) for column in self.columns) % 2

    def _has_four(self, player: int) -> bool:
        return any(
            all(self._at(x + i * dx, y + i * dy) == player for i in range(4))
            for x in range(COLUMNS)
            for y in range(ROWS)
            for dx, dy in DIRECTIONS
        )

    def _at(self, x: int, y: int) -> int | None:
        return self.columns[x][y] if 0 <= x < COLUMNS and 0 <= y < len(self.columns[x]) else None
