"""The solution tree of a problem that the engine judged: the toughest resistance to the right move, refutations of wrong ones.

The engine's own line for the side that loses is not the toughest, as all its moves lose alike. So the opponent's likely answers
are each looked at. Those are shown that threaten something, which is seen by letting the side to play pass; the one that leaves
the least clear position comes first. A line ends where no such answer is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from playmill.puzzles.katago.analysis import Analysis, MoveInfo
from playmill.puzzles.katago.analyst import Analyst
from playmill.puzzles.katago.frame import Frame
from playmill.puzzles.katago.query import Query, point
from playmill.puzzles.mining.judged import Rejection
from playmill.puzzles.mining.katago_settings import JudgeSettings
from playmill.puzzles.solution_tree import PASS, Branch, SolutionTree
from playmill.puzzles.solver.problem import Tsumego

LEAST_WRONG = 3  # first moves, the most plausible, that must be refuted besides the right one, where there are so many


def grow_tree(
    frame: Frame, right: int, wrong: list[MoveInfo], analyst: Analyst, settings: JudgeSettings, label: str
) -> SolutionTree | Rejection:
    """The tree, or why there is none: a plausible wrong move without a refutation that can be shown."""
    gardener = _Gardener(frame, analyst, settings, label)
    root = frame.query(settings.tree_visits, label)
    refuted = []
    for number, info in enumerate(wrong):
        branch = gardener.refute(root.after(info.cell), info.cell)
        if branch is not None:
            refuted.append(branch)
        elif number < LEAST_WRONG or info.prior >= settings.plausible_prior:
            return Rejection("unrefuted", f"there is no refutation of {point(frame.problem.size, info.cell)} inside")
    main = Branch(right, gardener.replies(root.after(right), 1, settings.most_replies))
    return SolutionTree(frame.problem.to_play, main, tuple(refuted))


@dataclass
class _Gardener:
    frame: Frame
    analyst: Analyst
    settings: JudgeSettings
    label: str

    def replies(self, query: Query, plies: int, most: int) -> tuple[Branch, ...]:
        """The opponent's answers worth showing, each with the move that meets it; `plies` are played before."""
        if plies + 2 > self.settings.most_plies:
            return ()
        infos = self.analyst.analyse(query).moves[: 2 * most]
        moves = self._threats(query, [info.cell for info in infos if info.cell in self.frame.inside][:most])
        met = [
            (self._clarity(answer), number, move, answer.moves[0].cell)
            for number, (move, answer) in enumerate(zip(moves, self._look(query, moves), strict=True))
            if answer.moves
        ]
        shown = [(move, answer) for _, _, move, answer in sorted(met) if answer in self.frame.inside]
        return tuple(
            Branch(
                move, (Branch(answer, self.replies(query.after(move, answer), plies + 2, 1 if place else max(1, most - 1))),)
            )
            for place, (move, answer) in enumerate(shown)
        )

    def refute(self, query: Query, wrong: int) -> Branch | None:
        """The wrong move with the opponent's best answer inside and what the engine expects after it; None without one.

        The engine may prefer to play elsewhere, where the wrong move fails by itself; an answer that refutes it is shown.
        """
        side, limit = self.frame.problem.to_play, 1 - self.settings.clear_winrate
        answers = [info for info in self.analyst.analyse(query).moves if info.winrate(side) <= limit]
        best = next((info for info in answers if info.cell in self.frame.inside), None)
        if best is None:
            return None
        rest = takewhile(lambda cell: cell in self.frame.inside, best.line[: self.settings.wrong_plies - 1])
        return _line([wrong, *rest])

    def _threats(self, query: Query, moves: list[int]) -> list[int]:
        """The moves after which the side to play may not pass."""
        passed = self.analyst.analyse_all([query.after(move, PASS) for move in moves])
        return [move for move, looked in zip(moves, passed, strict=True) if not self._is_safe(looked)]

    def _is_safe(self, looked: Analysis) -> bool:
        problem = self.frame.problem
        has_won = looked.winrate(problem.to_play) >= self.settings.clear_winrate
        return has_won and fate(looked, problem) >= self.settings.clear_fate

    def _look(self, query: Query, moves: list[int]) -> list[Analysis]:
        return self.analyst.analyse_all([query.after(move) for move in moves])

    def _clarity(self, looked: Analysis) -> float:
        """How sure the side to play's success is, from -1 to 1."""
        problem = self.frame.problem
        return min(fate(looked, problem), 2 * looked.winrate(problem.to_play) - 1)


def fate(looked: Analysis, problem: Tsumego) -> float:
    """How far the marked stones become the side to play's, from -1 to 1: alive if they are its own, else dead."""
    return sum(looked.owns(cell, problem.to_play) for cell in problem.marked) / len(problem.marked)


def _line(cells: list[int]) -> Branch:
    branch = Branch(cells[-1])
    for cell in reversed(cells[:-1]):
        branch = Branch(cell, (branch,))
    return branch
