"""Looks at a file of puzzles again with many times the budget: does each still have the one right move that it tells?

What else a line promises, its id, its proof and its refutations, is looked at as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playmill.core import executor
from playmill.core.documents import read_text
from playmill.core.errors import PlaymillError
from playmill.games.go.board_text import name_cell
from playmill.puzzles.katago.place import is_there
from playmill.puzzles.katago.query import point
from playmill.puzzles.mining.engines import ENGINES
from playmill.puzzles.mining.judge_katago import find_only_move
from playmill.puzzles.mining.judged import Rejection
from playmill.puzzles.mining.mine_files import proofs_folder
from playmill.puzzles.mining.promises import broken_promise
from playmill.puzzles.mining.reading import goal_of
from playmill.puzzles.mining.settings import MiningSettings
from playmill.puzzles.puzzle import Puzzle
from playmill.puzzles.puzzle_file import read_puzzles
from playmill.puzzles.solution_tree import read_solution
from playmill.puzzles.solver.checker import BadProof, check_proof
from playmill.puzzles.solver.problem import Tsumego
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.sgf_problem import parse_problem
from playmill.puzzles.solver.solving import solve

CONFIRMED, OVERTURNED, UNDECIDED = "confirmed", "overturned", "undecided"


@dataclass(frozen=True)
class RecheckTask:
    """A puzzle to look at again; `proof` is its proof's file, if it has one; an engine is asked if there is one."""

    puzzle: Puzzle
    proof: Path | None
    factor: int
    settings: MiningSettings
    has_engine: bool


@dataclass(frozen=True)
class Rechecked:
    """What became of one puzzle, and why."""

    name: str
    verdict: str
    detail: str = ""


@dataclass
class RecheckReport:
    """What became of all; `problems` are lines of the file that are no puzzles."""

    found: list[Rechecked] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def count(self, verdict: str) -> int:
        return sum(one.verdict == verdict for one in self.found)

    def fields(self) -> dict[str, Any]:
        """For JSON."""
        verdicts = {verdict: self.count(verdict) for verdict in (CONFIRMED, OVERTURNED, UNDECIDED)}
        doubts = [vars(one) for one in self.found if one.verdict != CONFIRMED]
        return {"puzzles": len(self.found), **verdicts, "doubts": doubts, "problems": self.problems}


def recheck(
    file: Path,
    factor: int,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
    settings: MiningSettings | None = None,
) -> RecheckReport:
    """Solve all puzzles of a file again with `factor` times their budgets, and check their proofs."""
    settings, puzzles = settings or MiningSettings(), read_puzzles(file)
    report = RecheckReport(problems=puzzles.problems)
    with _engine(settings, puzzles.puzzles) as has_engine:
        tasks = [RecheckTask(one, _proof_of(file, one), factor, settings, has_engine) for one in puzzles.puzzles]
        for number, found in executor.run(recheck_one, tasks, workers, in_order=True):
            report.found.append(found)
            if progress is not None:
                progress(number + 1)
    return report


@contextmanager
def _engine(settings: MiningSettings, puzzles: Sequence[Puzzle]) -> Iterator[bool]:
    """The engine, where a puzzle was judged by one; whether there is any."""
    if all(one.metadata.verification == "proved" for one in puzzles) or not is_there(settings.katago.engine):
        yield False
        return
    with ENGINES.find("katago").opened(settings):
        yield True


def _proof_of(file: Path, puzzle: Puzzle) -> Path | None:
    return proofs_folder(file) / puzzle.metadata.proof if puzzle.metadata.proof else None


def recheck_one(task: RecheckTask) -> Rechecked:
    """Solve one puzzle again. One that an engine judged is asked of it again where the solver has no answer."""
    puzzle = task.puzzle
    doubted = _doubted_proof(task)
    if doubted is not None:
        return doubted
    problem = parse_problem(puzzle.initial_state_sgf.encode(), puzzle.name)
    tree, size = read_solution(puzzle.solution_sgf, puzzle.name)
    is_proved = puzzle.metadata.verification == "proved"
    nodes = puzzle.metadata.budget if is_proved else task.settings.nodes
    solution = solve(problem, SolverSettings(max_nodes=nodes * task.factor))
    broken = broken_promise(puzzle, problem, tree, solution.ground if is_proved else None)
    if broken is not None:
        return Rechecked(puzzle.name, OVERTURNED, broken)
    if not solution.proved or solution.undecided:
        return Rechecked(puzzle.name, UNDECIDED, solution.reason) if is_proved else _ask_again(task, problem, tree.right.move)
    right = (name_cell(size, tree.right.move).lower(),)
    if (solution.status, solution.moves) == (goal_of(problem, problem.to_play), right):
        return Rechecked(puzzle.name, CONFIRMED)
    return Rechecked(
        puzzle.name, OVERTURNED, f"{solution.status} by {' '.join(solution.moves) or 'no move'}, not by {right[0]}"
    )


def _ask_again(task: RecheckTask, problem: Tsumego, right: int) -> Rechecked:
    """What the engine says with many times the visits, from the first look on."""
    name, katago = task.puzzle.name, task.settings.katago
    if not task.has_engine:
        return Rechecked(name, UNDECIDED, "an engine judged it, and there is none here")
    visits = {"first_visits": katago.judge.first_visits, "budget": task.puzzle.metadata.budget}
    judge = katago.judge.model_copy(update={key: task.factor * count for key, count in visits.items()})
    found = find_only_move(problem, katago.model_copy(update={"judge": judge}), name)
    if found == right:
        return Rechecked(name, CONFIRMED)
    if isinstance(found, Rejection):
        return Rechecked(name, UNDECIDED if found.reason == "too_deep" else OVERTURNED, found.detail)
    return Rechecked(name, OVERTURNED, f"the engine plays {point(problem.size, found)}, not {point(problem.size, right)}")


def _doubted_proof(task: RecheckTask) -> Rechecked | None:
    """What is to say about the puzzle's proof if it has one: a wrong one overturns it, one that can't be read does not."""
    if task.proof is None:
        return None
    try:
        check_proof(read_text(task.proof))
    except (BadProof, PlaymillError) as error:
        verdict = OVERTURNED if isinstance(error, BadProof) else UNDECIDED
        return Rechecked(task.puzzle.name, verdict, f"its proof: {error}")
    return None
