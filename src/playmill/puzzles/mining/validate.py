"""The validator: a cropped problem is a puzzle if exactly one first move is right, by proof, and it is no ko."""

from __future__ import annotations

from dataclasses import dataclass

from playmill.puzzles.mining.judged import Rejection
from playmill.puzzles.mining.reading import goal_of
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.position import position_of
from playmill.puzzles.solution_tree import PASS, SolutionTree
from playmill.puzzles.solver.fight import ATTACKER, DEFENDER
from playmill.puzzles.solver.problem import Tsumego
from playmill.puzzles.solver.prover import Claim
from playmill.puzzles.solver.solving import KO, UNKNOWN, Solution, solve


@dataclass(frozen=True)
class Proved:
    """A problem with one right first move, and the solution whose claims show it."""

    problem: Tsumego
    solution: Solution

    @property
    def right(self) -> Claim:
        """What shows the right first move."""
        mover = DEFENDER if self.problem.to_play == self.problem.defender else ATTACKER
        return next(claim for claim in self.solution.claims if claim.prover == mover and claim.is_forced)


def validate(problem: Tsumego, settings: MiningSettings) -> Proved | Rejection:
    """The problem with its proof, or why it is no puzzle; what the solution looks like is seen later."""
    solution = solve(problem, settings.solver(), with_proof=True)
    refusal = refuse_atari(problem, settings) or refuse_answer(problem, solution)
    return Proved(problem, solution) if refusal is None else refusal


def refuse_answer(problem: Tsumego, solution: Solution) -> Rejection | None:
    """Why a problem with this solution is no puzzle, if it is none."""
    if solution.ground is None or not solution.ground.walls_hold:
        return Rejection("open", solution.reason)
    if solution.status == UNKNOWN:
        return Rejection("too_deep", solution.reason)
    if solution.status == KO:
        return Rejection("ko", f"right moves: {' '.join(solution.moves)}")
    if solution.status != goal_of(problem, problem.to_play):
        return Rejection("settled", f"{solution.status} whoever plays first")
    if "pass" in solution.moves:
        return Rejection("settled", f"{solution.status} even if {problem.side} plays elsewhere")
    if solution.undecided:
        return Rejection("undecided", f"undecided moves: {' '.join(solution.undecided)}")
    if len(solution.moves) > 1:
        return Rejection("ambiguous", f"right moves: {' '.join(solution.moves)}")
    return None


def refuse_atari(problem: Tsumego, settings: MiningSettings) -> Rejection | None:
    """Why a problem is trivial at first sight, if it is and such are not asked for."""
    position = position_of(problem)
    if settings.allow_trivial or all(len(position.liberties(position.chain(cell))) > 1 for cell in problem.marked):
        return None
    return Rejection("trivial", "a marked chain is in atari")


def refuse_solution(proved: Proved, tree: SolutionTree, is_seki: bool, settings: MiningSettings) -> Rejection | None:
    """What is wrong with a solution, if anything."""
    if is_seki and not settings.allow_seki:
        return Rejection("seki", "the main line ends in a seki")
    line = tree.right.main_line
    if len(line) < settings.min_plies and not settings.allow_trivial:
        return Rejection("trivial", f"{len(line)} moves solve it")
    if is_ladder(proved.problem, line):
        return Rejection("ladder", "every move of the main line is an atari, every answer an extension")
    return None


def is_ladder(problem: Tsumego, line: tuple[int, ...]) -> bool:
    """Whether the attacker only gives atari and the defender only extends, three times or more."""
    if problem.to_play == problem.defender or len(line) < 5:
        return False
    position, side = position_of(problem), problem.to_play
    for move in line:
        after = position.play(move, side) if move != PASS else None
        if after is None or not problem.marked <= after.stones(problem.defender):
            return after is not None
        chain = after.chain(min(problem.marked))
        if len(after.liberties(chain)) != 1 if side != problem.defender else move not in chain:
            return False
        position, side = after, 3 - side
    return True
