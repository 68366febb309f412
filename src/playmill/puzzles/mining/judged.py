"""A problem that was judged: cropped, with one right first move, its solution tree, and what shows that. The writer's input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from playmill.puzzles.grading import Evidence
from playmill.puzzles.solution_tree import SolutionTree
from playmill.puzzles.solver.problem import Tsumego


@dataclass(frozen=True)
class JudgedProblem:
    """What the validator accepted. `budget` is what each answer was allowed: nodes of the solver, or visits of an engine."""

    problem: Tsumego
    tree: SolutionTree
    verification: Literal["proved", "engine"]
    engine: str
    network: str | None
    budget: int
    proof: bytes | None
    evidence: Evidence


@dataclass(frozen=True)
class Rejection:
    """Why a candidate is no puzzle: a code of `mining/reasons.py`, and a line for people."""

    reason: str
    detail: str = ""
