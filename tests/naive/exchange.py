"""EXCHANGE on a table: pieces as objects on a dictionary of squares, the rules as sentences.

Where the rules leave something open, the page `docs/games/exchange.md` decides: which rook comes first, what a new queen has.
Squares are pairs (file, rank) from 0. A move is (from, to, target, kind), and its number that of the page.
"""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass

from playmill.core.seeds import below

Square = tuple[int, int]
Move = tuple[Square, Square, Square, str]

HP = {"K": 25, "Q": 10, "R": 13, "B": 10, "N": 11, "P": 7}
BASE = {"K": 1, "Q": 3, "R": 2, "B": 2, "N": 2, "P": 1}
USES = {"K": 3, "R": 5, "B": 3, "N": 5}
KINDS = ["move", "advance", "attack", "jump", "overextend", "skirmish", "consecration", "decree"]
PASS = 1 << 21
ORTHOGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
JUMPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
ROLLS = ("attack", "jump", "overextend", "skirmish", "consecration")


@dataclass
class Piece:
    side: int
    kind: str
    hp: int
    cooldown: int = 0
    uses: int = 0
    promoted: bool = False

    def told(self) -> tuple:
        return self.side, self.kind, self.hp, self.cooldown, self.uses, self.promoted


def fresh(side: int, kind: str) -> Piece:
    return Piece(side, kind, HP[kind], 0, USES.get(kind, 0))


def plus(square: Square, step: Square, times: int = 1) -> Square:
    return square[0] + step[0] * times, square[1] + step[1] * times


def on_board(square: Square) -> bool:
    return 0 <= square[0] < 8 and 0 <= square[1] < 8


def number(square: Square) -> int:
    return square[1] * 8 + square[0]


def move_id(move: Move | None) -> int:
    if move is None:
        return PASS
    start, end, target, kind = move
    return number(start) << 15 | number(end) << 9 | number(target) << 3 | KINDS.index(kind)


def unpack(action: int) -> Move | None:
    if action == PASS:
        return None
    squares = [(n % 8, n // 8) for n in (action >> 15, action >> 9 & 63, action >> 3 & 63)]
    return squares[0], squares[1], squares[2], KINDS[action & 7]


class Exchange:
    limit: float = 300  # plies after which a game is drawn

    def start(self, chance: int = 0) -> None:
        self.board: dict[Square, Piece] = {}
        for file, kind in enumerate("RNBQKBNR"):
            for side, back, front in ((0, 0, 1), (1, 7, 6)):
                self.board[file, back] = fresh(side, kind)
                self.board[file, front] = fresh(side, "P")
        self.side, self.turns, self.decree = 0, 0, [0, 0]
        self.seen = Counter([self.position()])

    def place(self, board: dict[Square, Piece], side: int, turns: int, decree: list[int]) -> Exchange:
        """Begin from any position, which then counts as seen once."""
        self.board, self.side, self.turns, self.decree = board, side, turns, decree
        self.seen = Counter([self.position()])
        return self

    def position(self) -> tuple:
        """All that a repetition repeats."""
        return frozenset((square, piece.told()) for square, piece in self.board.items()), tuple(self.decree), self.side

    # ------------------------------------------------------------------ legal moves

    def legal(self) -> list[int]:
        own = [square for square, piece in self.board.items() if piece.side == self.side]
        return sorted(move_id(move) for square in own for move in self.moves_of(square)) or [PASS]

    def moves_of(self, square: Square) -> list[Move]:
        piece = self.board[square]
        moves = [(square, end, end, "move") for end in self.steps(square)]
        moves += [(square, square, target, "attack") for target in self.in_reach(square)]
        return moves + {
            "K": self.decrees, "Q": self.overextends, "R": lambda _: [], "B": self.heals, "N": self.knight, "P": self.advances
        }[piece.kind](square)  # fmt: skip

    def empty(self, square: Square) -> bool:
        return on_board(square) and square not in self.board

    def enemy(self, square: Square) -> bool:
        return square in self.board and self.board[square].side != self.side

    def forward(self) -> int:
        return 1 if self.side == 0 else -1

    def steps(self, square: Square) -> list[Square]:
        """Where it may go without an ability."""
        kind = self.board[square].kind
        if kind == "K":
            return [end for step in ORTHOGONAL + DIAGONAL if self.empty(end := plus(square, step))]
        if kind == "N":
            return [end for step in JUMPS if self.empty(end := plus(square, step))]
        if kind == "P":
            return self.pawn_steps(square)
        lines = {"Q": ORTHOGONAL + DIAGONAL, "R": ORTHOGONAL, "B": DIAGONAL}[kind]
        found = []
        for step in lines:
            end = plus(square, step)
            while self.empty(end):
                found.append(end)
                end = plus(end, step)
        return found

    def pawn_steps(self, square: Square) -> list[Square]:
        one, two = (plus(square, (0, self.forward()), n) for n in (1, 2))
        if not self.empty(one):
            return []
        is_at_start = square[1] == (1 if self.side == 0 else 6)
        return [one, two] if is_at_start and self.empty(two) else [one]

    def first(self, square: Square, step: Square, far: int) -> tuple[Square, int] | None:
        """The first piece on a ray within `far` squares, and how far it is."""
        for distance in range(1, far + 1):
            if (found := plus(square, step, distance)) in self.board:
                return found, distance
        return None

    def in_reach(self, square: Square) -> list[Square]:
        """The enemies that it may hit from where it stands."""
        kind, found = self.board[square].kind, []
        if kind == "P":
            found = [plus(square, (side, self.forward())) for side in (-1, 1)]
        elif kind != "N":
            for step in ORTHOGONAL + DIAGONAL:
                hit = self.first(square, step, 3)
                if hit and hit[1] in self.distances(kind, step):
                    found.append(hit[0])
        return [target for target in found if self.enemy(target)]

    def distances(self, kind: str, step: Square) -> list[int]:
        straight = step in ORTHOGONAL
        return {"K": [1], "Q": [1, 2, 3], "R": [1, 2] if straight else [1], "B": [] if straight else [2, 3]}[kind]

    def decrees(self, square: Square) -> list[Move]:
        return [(square, square, square, "decree")] if self.board[square].uses else []

    def overextends(self, square: Square) -> list[Move]:
        if self.board[square].cooldown:
            return []
        found = []
        for end in self.steps(square):
            queen = self.board.pop(square)
            self.board[end] = queen
            found += [(square, end, target, "overextend") for target in self.in_reach(end)]
            self.board[square] = self.board.pop(end)
        return found

    def heals(self, square: Square) -> list[Move]:
        bishop = self.board[square]
        if bishop.cooldown or not bishop.uses:
            return []
        hits = [self.first(square, step, 3) for step in DIAGONAL]
        return [
            (square, square, hit[0], "consecration")
            for hit in hits
            if hit and not self.enemy(hit[0]) and self.board[hit[0]].hp < HP[self.board[hit[0]].kind]
        ]

    def knight(self, square: Square) -> list[Move]:
        """Jumps with a hit, and Skirmish."""
        jumps = [
            (square, end, target, "jump")
            for end in self.steps(square)
            for step in ORTHOGONAL
            if self.enemy(target := plus(end, step))
        ]
        knight = self.board[square]
        if knight.cooldown or not knight.uses:
            return jumps
        ends = [end for step in ORTHOGONAL + DIAGONAL if self.empty(end := plus(square, step))]
        targets = [target for step in ORTHOGONAL if self.enemy(target := plus(square, step))]
        return jumps + [(square, end, target, "skirmish") for end in ends for target in targets]

    def advances(self, square: Square) -> list[Move]:
        one, two = (plus(square, (0, self.forward()), n) for n in (1, 2))
        if square[1] == (1 if self.side == 0 else 6) or self.board[square].cooldown:
            return []
        return [(square, two, two, "advance")] if self.empty(one) and self.empty(two) else []

    # ------------------------------------------------------------------ playing

    def play(self, action: int, chance: int) -> None:
        self.act(unpack(action), below(chance, 6) + 1)

    def act(self, move: Move | None, die: int) -> None:
        bonus = 2 if self.decree[self.side] else 0
        if move is not None:
            self.do(move, die + bonus)
        if move is not None and move[3] == "decree":
            self.decree[self.side] = 2
        else:
            self.decree[self.side] = max(0, self.decree[self.side] - 1)
        for piece in self.board.values():
            if piece.side == self.side:
                piece.cooldown = max(0, piece.cooldown - 1)
        self.side, self.turns = 1 - self.side, self.turns + 1
        self.seen[self.position()] += 1

    def do(self, move: Move, roll: int) -> None:
        start, end, target, kind = move
        piece = self.board[start]
        if kind == "skirmish":
            self.hit(piece, target, roll)
        if end != start:
            self.board[end] = self.board.pop(start)
        if kind in ("attack", "jump", "overextend"):
            self.hit(piece, target, roll)
        if kind == "overextend":
            self.hurt(end, 2)
        if kind == "consecration":
            healed = self.board[target]
            healed.hp = min(HP[healed.kind], healed.hp + roll)
        if kind in ("overextend", "skirmish", "consecration"):
            piece.cooldown = 3
        if kind == "advance":
            piece.cooldown = 2  # not on the next own turn: what is left after this turn's tick is 1
        if kind in ("skirmish", "consecration", "decree"):
            piece.uses -= 1
        if piece.kind == "P" and end[1] == (7 if self.side == 0 else 0):
            self.board[end] = Piece(self.side, "Q", max(1, 10 * piece.hp // 7), promoted=True)

    def hit(self, attacker: Piece, target: Square, roll: int) -> None:
        damage = BASE[attacker.kind] + roll
        rook = self.interposer(target)
        if rook is None:
            self.hurt(target, damage)
            return
        self.board[rook].cooldown = 3
        self.board[rook].uses -= 1
        self.hurt(target, damage // 2)
        self.hurt(rook, damage - damage // 2)

    def hurt(self, square: Square, damage: int) -> None:
        self.board[square].hp -= damage
        if self.board[square].hp <= 0:
            del self.board[square]

    def interposer(self, target: Square) -> Square | None:
        """The first rook, in the order of the squares as its owner sees them, that can step in."""
        owner = self.board[target].side
        found = []
        for step in ORTHOGONAL:
            hit = self.first(target, step, 3)
            if hit:
                piece = self.board[hit[0]]
                if piece.side == owner and piece.kind == "R" and piece.uses and not piece.cooldown:
                    found.append(hit[0])
        return min(found, key=lambda square: (square[1] if owner == 0 else 7 - square[1], square[0]), default=None)

    # ------------------------------------------------------------------ the end

    def outcome(self) -> list[float] | None:
        kings = [piece.side for piece in self.board.values() if piece.kind == "K"]
        if len(kings) == 1:
            return [1.0, -1.0] if kings[0] == 0 else [-1.0, 1.0]
        only_kings = len(self.board) == 2
        return [-0.5, -0.5] if only_kings or self.seen[self.position()] >= 3 or self.turns >= self.limit else None

    def to_move(self) -> int:
        return self.side

    def copy(self) -> Exchange:
        other = copy.copy(self)
        other.board = {square: copy.copy(piece) for square, piece in self.board.items()}
        other.decree, other.seen = list(self.decree), Counter(self.seen)
        return other


def count(twin: Exchange, depth: int) -> int:
    """How many ways there are to play so many turns, each face of a die a way of its own."""
    if depth == 0 or twin.outcome() is not None:
        return 1
    total = 0
    for action in twin.legal():
        move = unpack(action)
        for die in range(1, 7) if move and move[3] in ROLLS else [1]:
            after = twin.copy()
            after.act(move, die)
            total += count(after, depth - 1)
    return total
