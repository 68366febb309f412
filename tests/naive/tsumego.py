"""Life and death by looking at every position that can come up: who can force what is worked out backwards from the ends."""

from __future__ import annotations

from naive.go import OTHER, Go
from naive.go_reading import alive_points

MOST = 600  # positions that are looked at
GIVEN_UP = ("given up", None, None, 0)  # the defender passed while it could take back


class TooLarge(Exception):
    """More positions than may be looked at."""


class Fight(Go):
    """A drawn position; the marked points are those of one chain, and moves are played on `ground` only."""

    def __init__(self, board, size, marked, ground, threats):
        self.threats = threats
        self.size, self.start_board, self.marked, self.ground = size, tuple(board), set(marked), sorted(ground)
        self.defender = self.start_board[min(marked)]

    def role(self, mark):
        return "defender" if mark == self.defender else "attacker"

    def placed(self, board, at, mark):
        """The board after a stone, or None for suicide; and where taking back at once is a ko, or None."""
        stones = list(board)
        stones[at] = mark
        taken = set()
        for near in self.neighbours(at):
            if stones[near] == OTHER[mark]:
                chain, liberties = self.chain(stones, near)
                taken |= set() if liberties else chain
        for point in taken:
            stones[point] = "."
        own, liberties = self.chain(stones, at)
        if not liberties:
            return None, None
        is_ko = len(taken) == 1 == len(own) and liberties == taken
        return tuple(stones), min(taken) if is_ko else None

    def moves(self, state, prover):
        """All states that can follow."""
        board, mark, ban, threats = state
        found = []
        for at in self.ground:
            if board[at] != "." or (at == ban and (self.role(mark) == prover or threats == 0)):
                continue
            after, ko = self.placed(board, at, mark)
            if after is not None:
                found.append((after, OTHER[mark], ko, threats - (at == ban)))
        is_gone = self.is_gone(board)
        if self.role(mark) == "defender" and is_gone and ban is None:
            found.append(GIVEN_UP)
        elif self.role(mark) == "defender" or is_gone or (prover == "attacker" and ban is not None):
            found.append((board, OTHER[mark], None, threats))
        return found

    def winner(self, state):
        if state == GIVEN_UP:
            return "attacker"
        board = state[0]
        if self.is_gone(board):
            return None if any(self.bites(board, at) for at in self.marked) else "attacker"
        if self.marked & alive_points(self.twin(board), self.defender)[0]:
            return "defender"
        return None

    def is_gone(self, board):
        """Whether the defender has no stone left where the marked chain stood."""
        return not any(board[at] == self.defender for at in self.marked)

    def bites(self, board, at):
        """Whether a stone of the defender there captures something, or leaves a chain one liberty on the ground."""
        after = self.placed(board, at, self.defender)[0] if board[at] == "." else None
        if after is None:
            return False
        foe = OTHER[self.defender]
        if after.count(foe) < board.count(foe):
            return True
        around = [self.chain(after, near)[1] for near in self.neighbours(at) if after[near] == foe]
        return any(len(liberties) == 1 and liberties <= set(self.ground) for liberties in around)

    def twin(self, board):
        twin = Go()
        twin.size = self.size
        twin.start(0)
        twin.board = board
        return twin

    def forced(self, prover, mark):
        """Whether the prover forces its goal from the drawn position, this side to move; TooLarge if too much can come up."""
        start = (self.start_board, mark, None, self.threats)
        follow, waiting = {}, [start]
        while waiting:
            state = waiting.pop()
            if state not in follow:
                follow[state] = [] if self.winner(state) else self.moves(state, prover)
                waiting += follow[state]
            if len(follow) > MOST:
                raise TooLarge
        won = {state for state in follow if self.winner(state) == prover}
        if prover == "defender":  # an attacker without a move has lost
            won |= {
                state for state in follow if not follow[state] and self.role(state[1]) == "attacker" and not self.winner(state)
            }
        while True:
            more = {
                state for state in follow if state not in won and follow[state] and self.decides(state, prover, follow, won)
            }
            if not more:
                return start in won
            won |= more

    def decides(self, state, prover, follow, won):
        reached = [after in won for after in follow[state]]
        return any(reached) if self.role(state[1]) == prover else all(reached)
