"""Many problems at once, each a task on a thread of its own."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from playmill.core.executor import Hear, run
from playmill.puzzles.solver.problem import Tsumego
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import Solution, solve


@dataclass(frozen=True)
class TsumegoTask:
    """One problem to solve."""

    problem: Tsumego
    settings: SolverSettings
    with_proof: bool = False


def solve_many(
    problems: Iterable[Tsumego], settings: SolverSettings, workers: int, *, hear: Hear | None = None
) -> Generator[tuple[int, Solution], None, None]:
    """Yield (number, solution) in the order of the problems; nothing depends on the number of workers but the seconds."""
    tasks = (TsumegoTask(problem, settings) for problem in problems)
    return run(solve_task, tasks, workers, hear=hear, in_order=True)


def solve_task(task: TsumegoTask) -> Solution:
    """Solve one."""
    return solve(task.problem, task.settings, with_proof=task.with_proof)
