"""Go as rows of characters: chains are found anew for every move, and every position that has been there is kept whole."""

from __future__ import annotations

Board = tuple[str, ...]  # one character a point, rows from the top: ".", "X" or "O"
OTHER = {"X": "O", "O": "X"}


class Go:
    """A twin for the conformance kit; subclasses say the size."""

    size = 9
    komi = 7.5

    def start(self, chance: int) -> None:
        self.board: Board = (".",) * self.size**2
        self.before: set[Board] = set()
        self.moves: list[int | None] = []
        self.prisoners = {"X": 0, "O": 0}

    def legal(self) -> list[int]:
        points = [at for at in range(self.size**2) if self.board[at] == "." and self.after(at) is not None]
        return [*points, self.size**2]

    def play(self, action: int, chance: int) -> None:
        if action < self.size**2:
            board = self.after(action)
            assert board is not None
            self.prisoners[self.mark()] += self.board.count(OTHER[self.mark()]) - board.count(OTHER[self.mark()])
            self.board = board
            self.before.add(board)
        self.moves.append(action if action < self.size**2 else None)

    def outcome(self) -> list[float] | None:
        if self.moves[-2:] != [None, None] and len(self.moves) < 2 * self.size**2:
            return None
        lead = self.area_lead() - self.komi
        won = 1.0 if lead > 0 else -1.0
        return [won, -won]

    def to_move(self) -> int:
        return len(self.moves) % 2

    def mark(self) -> str:
        return "XO"[self.to_move()]

    def after(self, at: int) -> Board | None:
        """The position that the mover's stone makes; None if it is suicide or repeats a position."""
        board, own = list(self.board), self.mark()
        board[at] = own
        for near in self.neighbours(at):
            if board[near] == OTHER[own]:
                chain, liberties = self.chain(board, near)
                if not liberties:
                    for point in chain:
                        board[point] = "."
        if not any(board[near] == "." for near in self.neighbours(at)) and not self.chain(board, at)[1]:
            return None
        return None if tuple(board) in self.before else tuple(board)

    def chain(self, board, at: int) -> tuple[set[int], set[int]]:
        """The points that hang together with this one, and the empty points beside them if it is a stone."""
        found, waiting, liberties = {at}, [at], set()
        while waiting:
            for near in self.neighbours(waiting.pop()):
                if board[near] == board[at] and near not in found:
                    found.add(near)
                    waiting.append(near)
                elif board[near] == ".":
                    liberties.add(near)
        return found, liberties

    def neighbours(self, at: int) -> list[int]:
        row, column = divmod(at, self.size)
        places = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        return [r * self.size + c for r, c in places if 0 <= r < self.size and 0 <= c < self.size]

    def area_lead(self) -> int:
        """Black's stones and territory less White's."""
        return sum({"X": 1, "O": -1}.get(self.owner(at), 0) for at in range(self.size**2))

    def owner(self, at: int) -> str:
        """Whose point it is: "X", "O" or neither, ".": all that an empty region touches must be of one colour."""
        if self.board[at] != ".":
            return self.board[at]
        region, _ = self.chain(self.board, at)
        touched = {self.board[near] for point in region for near in self.neighbours(point)} - {"."}
        return touched.pop() if len(touched) == 1 else "."


class Go9(Go):
    pass


class Go13(Go):
    size = 13


class Go19(Go):
    size = 19
