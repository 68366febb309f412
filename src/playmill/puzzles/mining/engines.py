"""Who finds and judges candidates: the two functions of an engine, and the engines by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from playmill.core.table import NameTable
from playmill.games.go.sgf.record import GoRecord
from playmill.puzzles.mining import hunt_solver, judge_solver
from playmill.puzzles.mining.candidate import Candidate, SourceFacts
from playmill.puzzles.mining.engine_katago import KataGoEngine
from playmill.puzzles.mining.judged import JudgedProblem, Rejection
from playmill.puzzles.mining.settings import MiningSettings


class MiningEngine(Protocol):
    """Finds candidates in a game and judges them. The same input and settings give the same answers, in any thread."""

    def opened(self, settings: MiningSettings) -> AbstractContextManager[None]:
        """For the time of a run. What can't be done here is refused at its beginning, what was started ends with it."""

    def hunt(self, record: GoRecord, source: SourceFacts, settings: MiningSettings) -> Iterator[Candidate]: ...

    def judge(self, candidate: Candidate, settings: MiningSettings) -> JudgedProblem | Rejection: ...


class SolverEngine:
    """The local solver alone."""

    def opened(self, settings: MiningSettings) -> AbstractContextManager[None]:
        return nullcontext()

    def hunt(self, record: GoRecord, source: SourceFacts, settings: MiningSettings) -> Iterator[Candidate]:
        return hunt_solver.hunt(record, source, settings.hunt)

    def judge(self, candidate: Candidate, settings: MiningSettings) -> JudgedProblem | Rejection:
        return judge_solver.judge(candidate, settings)


ENGINES: NameTable[MiningEngine] = NameTable("engine", {"solver": SolverEngine(), "katago": KataGoEngine()})
