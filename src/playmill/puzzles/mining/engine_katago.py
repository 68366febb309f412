"""KataGo on the conveyor: it and the solver find candidates; what can be proved is proved, the engine judges the rest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playmill.games.go.sgf.record import GoRecord
from playmill.puzzles.katago.analyst import close_shared, shared_analyst
from playmill.puzzles.mining import hunt_katago, hunt_solver, judge_katago, judge_solver
from playmill.puzzles.mining.candidate import Candidate, SourceFacts
from playmill.puzzles.mining.judged import JudgedProblem, Rejection
from playmill.puzzles.mining.settings import MiningSettings

# Reasons of the solver that only say that it has no answer.
UNANSWERED = {"open", "too_deep", "undecided"}


class KataGoEngine:
    """KataGo with the local solver behind it."""

    @contextmanager
    def opened(self, settings: MiningSettings) -> Iterator[None]:
        """Find the engine, or say how to get one; it is started when it is first asked."""
        shared_analyst(settings.katago.engine)
        try:
            yield
        finally:
            close_shared([settings.katago.engine])

    def hunt(self, record: GoRecord, source: SourceFacts, settings: MiningSettings) -> Iterator[Candidate]:
        yield from hunt_katago.hunt(record, source, settings.katago)
        if settings.katago.hunt.with_solver:
            yield from hunt_solver.hunt(record, source, settings.hunt)

    def judge(self, candidate: Candidate, settings: MiningSettings) -> JudgedProblem | Rejection:
        proved = judge_solver.judge(candidate, settings)
        if not isinstance(proved, Rejection):
            return judge_katago.add_evidence(proved, settings.katago, judge_katago.label_of(candidate))
        if proved.reason in UNANSWERED:
            return judge_katago.judge(candidate, settings.katago)
        return proved
