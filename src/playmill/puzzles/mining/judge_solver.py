"""The judge without an engine: crops a candidate, proves that one first move is right, and shows the solution."""

from __future__ import annotations

from playmill.puzzles.grading import Evidence
from playmill.puzzles.mining.candidate import Candidate
from playmill.puzzles.mining.crop import crop
from playmill.puzzles.mining.judged import JudgedProblem, Rejection
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.mining.solution import ShownSolution, show
from playmill.puzzles.mining.validate import Proved, refuse_solution, validate
from playmill.puzzles.solver.problem import Tsumego
from playmill.puzzles.solver.proof_file import proof_text

ENGINE_NAME = "solver"


def judge(candidate: Candidate, settings: MiningSettings) -> JudgedProblem | Rejection:
    """The candidate's problem with its solution and its proof, or why it is none."""
    problem = crop(candidate, settings)
    return problem if isinstance(problem, Rejection) else judge_problem(problem, settings)


def judge_problem(problem: Tsumego, settings: MiningSettings) -> JudgedProblem | Rejection:
    """As `judge`, for a problem that is cropped already."""
    proved = validate(problem, settings)
    if isinstance(proved, Rejection):
        return proved
    shown = show(proved, settings)
    if isinstance(shown, Rejection):
        return shown
    return refuse_solution(proved, shown.tree, shown.is_seki, settings) or _judged(proved, shown, settings)


def _judged(proved: Proved, shown: ShownSolution, settings: MiningSettings) -> JudgedProblem:
    tree, solution = shown.tree, proved.solution
    nodes = sum(branch.nodes for branch in tree.first_moves)
    evidence = Evidence(len(tree.right.main_line), nodes, shown.first_moves, shown.plausible, nodes=solution.nodes)
    proof = proof_text(proved.problem, solution, settings.solver()).encode()
    return JudgedProblem(proved.problem, tree, "proved", ENGINE_NAME, None, settings.nodes, proof, evidence)
