"""Life and death on a tiny board where stones may be played everywhere: all positions that can come up, worked out backwards.

Nothing is taken for granted here: there are no walls and no ground, both sides may pass, and whoever encloses may be captured.
"""

from __future__ import annotations

from collections import deque


class TooLarge(Exception):
    """More positions than may be looked at."""


class WholeBoard:
    """A board of size x size points, marked stones of the defender (a set of bits), and points where nobody plays.

    Those are the attacker's one-point eyes, if it has two: the defender can't play there and the attacker need not.
    """

    def __init__(self, size, marked, most, eyes=0):
        self.size, self.marked, self.most, self.eyes = size, marked, most, eyes
        self.full = (1 << size**2) - 1
        self.near = [self._near(at) for at in range(size**2)]

    def _near(self, at):
        row, column = divmod(at, self.size)
        places = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return sum(1 << r * self.size + c for r, c in places if 0 <= r < self.size and 0 <= c < self.size)

    def chain(self, stone, own):
        """The stones that hang together with this one, and all points beside them."""
        found, border, front = stone, 0, stone
        while front:
            reach = 0
            while front:
                reach |= self.near[(front & -front).bit_length() - 1]
                front &= front - 1
            border |= reach
            front = reach & own & ~found
            found |= front
        return found, border & ~found

    def placed(self, own, other, at):
        """Own and the other's stones after a stone, and the banned point or -1; None for suicide."""
        stone = 1 << at
        own |= stone
        taken, left = 0, self.near[at] & other
        while left:
            chain, border = self.chain(left & -left, other)
            left &= ~chain
            if not border & self.full & ~(own | other):
                taken |= chain
        other &= ~taken
        chain, border = self.chain(stone, own)
        air = border & ~(own | other)
        if not air:
            return None
        is_ko = chain == stone and taken == air and taken & (taken - 1) == 0 and taken
        return own, other, taken.bit_length() - 1 if is_ko else -1

    def after(self, state, at, prover):
        """The state after a move (-1 passes), or None. A state: both sides' stones, who moves, the ban, threats, passes.

        The opponent of the prover has the threats: it may take back a ko at once as often as it has one.
        """
        defender, attacker, mover, ban, threats, passes = state
        if at < 0:
            return defender, attacker, 1 - mover, -1, threats, passes + 1 if ban < 0 else 0  # a ban runs out by a pass
        if at == ban and (mover == prover or not threats):
            return None
        threats -= at == ban
        own, other = (attacker, defender) if mover else (defender, attacker)
        placed = self.placed(own, other, at)
        if placed is None:
            return None
        own, other, ban = placed
        defender, attacker = (other, own) if mover else (own, other)
        return defender, attacker, 1 - mover, ban, threats, 0

    def moves(self, state, prover):
        """All legal moves with what follows."""
        empty = self.full & ~(state[0] | state[1] | self.eyes)
        found = {at: self.after(state, at, prover) for at in range(self.size**2) if empty >> at & 1}
        found[-1] = self.after(state, -1, prover)
        return {at: after for at, after in found.items() if after is not None}

    def winner(self, state):
        """0, the defender, or 1, the attacker, when both have passed; 1 when the marked stones are gone for good; else None."""
        is_gone = not state[0] & self.marked
        if is_gone and not any(self.bites(state[0], state[1], at) for at in range(self.size**2) if self.marked >> at & 1):
            return 1
        return int(is_gone) if state[5] == 2 else None

    def bites(self, defender, attacker, at):
        """Whether a stone of the defender there captures stones or gives atari."""
        placed = None if (defender | attacker) >> at & 1 else self.placed(defender, attacker, at)
        if placed is None:
            return False
        own, other, _ = placed
        left = self.near[at] & other
        while left:
            chain, border = self.chain(left & -left, other)
            left &= ~chain
            if (border & ~(own | other)).bit_count() == 1:
                return True
        return other != attacker

    def wins(self, start, prover):
        """Whether the prover reaches its goal from a state in finitely many moves, whatever the other does."""
        before, waiting, open_moves = {start: []}, deque([start]), {}
        won = deque()
        while waiting:
            state = waiting.popleft()
            winner = self.winner(state)
            if winner is not None:
                if winner == prover:
                    won.append(state)
                continue
            follow = set(self.moves(state, prover).values())
            open_moves[state] = 1 if state[2] == prover else len(follow)
            for after in follow:
                if after not in before:
                    before[after] = []
                    waiting.append(after)
                before[after].append(state)
            if len(before) > self.most:
                raise TooLarge
        return start in self._spread(won, before, open_moves)

    def _spread(self, won, before, open_moves):
        reached = set(won)
        while won:
            for state in before[won.popleft()]:
                open_moves[state] -= 1
                if open_moves[state] <= 0 and state not in reached:
                    reached.add(state)
                    won.append(state)
        return reached
