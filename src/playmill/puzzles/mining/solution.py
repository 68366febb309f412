"""The solution tree out of a proof: every line of it follows certificates, so each move shown is proved.

To the right move the answers are shown that threaten something: after which the group's fate would change, if nobody answered.
No line takes a ko back at once: that would need a threat elsewhere.
A line ends where no such answer is left. A wrong first move is shown with the answer that refutes it, and with what the side to
play may try then.
"""

from __future__ import annotations

from dataclasses import dataclass

from playmill.games.go.geometry import place_of
from playmill.puzzles.mining.judged import Rejection
from playmill.puzzles.mining.reading import Reader, is_legal_line
from playmill.puzzles.mining.seki import ends_in_seki
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.mining.validate import Proved
from playmill.puzzles.solution_tree import PASS, Branch, SolutionTree
from playmill.puzzles.solver.fight import PASS as NO_VERTEX
from playmill.puzzles.solver.prover import ALIVE_END, CAPTURED_END, Claim

NEEDED_WRONG = 3  # wrong moves that must be shown refuted, where there are so many
Moves = tuple[int, ...]


@dataclass(frozen=True)
class ShownSolution:
    """A tree, how many wrong first moves are plausible, how many first moves there are, and whether it ends in a seki."""

    tree: SolutionTree
    plausible: int
    first_moves: int
    is_seki: bool


def show(proved: Proved, settings: MiningSettings) -> ShownSolution | Rejection:
    """The solution tree of a proved problem; rejected if too few wrong moves could be shown with what refutes them."""
    return _Showing(proved, settings).run()


class _Showing:
    """One proof at work."""

    def __init__(self, proved: Proved, settings: MiningSettings) -> None:
        assert proved.solution.ground is not None
        self.proved, self.settings, self.cells = proved, settings, proved.solution.ground.cells
        self.reader = Reader(proved.problem, settings.solver())

    def run(self) -> ShownSolution | Rejection:
        right, wrong = self.proved.right, self._wrong_claims()
        branch = self._right(right, 0, (self._cell(right.after),))
        threats = [claim for claim in wrong if self.reader.threatens((self._cell(claim.after),))]
        ordered = sorted(wrong, key=lambda claim: (claim not in threats, self._distance(claim, right), self._cell(claim.after)))
        refuted = [self._wrong(claim) for claim in ordered[: self.settings.most_wrong]]
        if any(not one.replies for one in refuted[:NEEDED_WRONG]):
            return Rejection("unrefuted", "a wrong first move has no answer that could be shown")
        tree = SolutionTree(self.proved.problem.to_play, branch, tuple(one for one in refuted if one.replies))
        return ShownSolution(tree, len(threats), 1 + len(wrong), self._is_seki(branch))

    def _is_seki(self, right: Branch) -> bool:
        problem = self.proved.problem
        return problem.to_play == problem.defender and ends_in_seki(self.reader, right.main_line, frozenset(self.cells))

    # ------------------------------------------------------------------ the right move

    def _right(self, claim: Claim, at: int, moves: Moves) -> Branch:
        """The last of the moves, which led to a state of the certificate, with the answers that threaten something."""
        if not claim.lines or len(moves) + 2 > self.settings.max_plies:
            return Branch(moves[-1])
        room = max(1, self.settings.most_replies - len(moves) + 1)
        answers = [self._answer(claim, move, end, moves) for move, end in claim.lines[at]]
        threats = sorted((one for one in answers if one is not None), key=lambda branch: -len(branch.main_line))
        return Branch(moves[-1], tuple(threats[:room]))

    def _answer(self, claim: Claim, move: int, end: int, moves: Moves) -> Branch | None:
        """The opponent's move with the reply to it; None if it threatens nothing."""
        cell = self._cell(move)
        if cell == PASS or not self._is_threat((*moves, cell)):
            return None
        if end in (ALIVE_END, CAPTURED_END):
            return None
        ((reply, then),) = claim.lines[end]
        line = (*moves, cell, self._cell(reply))
        if then < 0:
            return Branch(cell, (Branch(line[-1]),))
        return Branch(cell, (self._right(claim, then, line),))

    def _is_threat(self, moves: Moves) -> bool:
        """Whether a line can be played without ko threats and its last move threatens something."""
        return is_legal_line(self.proved.problem, moves) and self.reader.threatens(moves)

    # ------------------------------------------------------------------ wrong moves

    def _wrong_claims(self) -> list[Claim]:
        prover = self.proved.right.prover
        return [one for one in self.proved.solution.claims
                if one.prover == prover and not one.is_forced and one.after != NO_VERTEX]  # fmt: skip

    def _wrong(self, claim: Claim) -> Branch:
        """A wrong first move, the answer to it if it can be shown, and what may be tried then."""
        move = self._cell(claim.after)
        return self._refuted(claim, 0, (move,)) or Branch(move)

    def _refuted(self, claim: Claim, at: int, moves: Moves) -> Branch | None:
        """The last of the moves, by the side that fails, with the certificate's answer; None if that needs a ko threat."""
        if not claim.lines:
            return Branch(moves[-1], (Branch(PASS),))
        if not claim.lines[at]:
            return Branch(moves[-1])
        answer, end = claim.lines[at][0]
        line = (*moves, self._cell(answer))
        if not is_legal_line(self.proved.problem, line):
            return None
        tries = () if end < 0 or len(line) + 2 > self.settings.wrong_plies else self._tries(claim, end, line)
        return Branch(moves[-1], (Branch(line[-1], tries),))

    def _tries(self, claim: Claim, at: int, moves: Moves) -> tuple[Branch, ...]:
        """What the failing side may try next: the first move that threatens something, with its answer."""
        for move, end in claim.lines[at]:
            cell = self._cell(move)
            if cell != PASS and end >= 0 and self._is_threat((*moves, cell)):
                tried = self._refuted(claim, end, (*moves, cell))
                if tried is not None:
                    return (tried,)
        return ()

    def _cell(self, vertex: int | None) -> int:
        assert vertex is not None
        return PASS if vertex == NO_VERTEX else self.cells[vertex]

    def _distance(self, claim: Claim, right: Claim) -> int:
        size = self.proved.problem.size
        (row, column), (r, c) = (place_of(size, self._cell(one.after)) for one in (claim, right))
        return abs(row - r) + abs(column - c)
