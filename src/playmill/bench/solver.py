"""The local solver on positions that books have, both sides first."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from playmill.bench.measure import Paced, best_rates
from playmill.bench.registry import Measured, Setup, benchmark

LIMITS_S = (1, 10)


@benchmark("solver", "positions/s")
def solver(setup: Setup) -> Measured:
    """Classic life-and-death positions solved with all right first moves, on one core."""
    from playmill.games.go.board import BLACK, WHITE
    from playmill.puzzles.solver.classics import CLASSICS
    from playmill.puzzles.solver.settings import SolverSettings
    from playmill.puzzles.solver.solving import Solution, solve
    from playmill.puzzles.solver.workspace import Workspace

    settings = SolverSettings()
    problems = [classic.problem(side) for classic in CLASSICS for side in (BLACK, WHITE)]
    workspace = Workspace(settings.table_mib)
    solve(problems[0], settings, workspace=workspace)  # compiles
    timed: list[tuple[Solution, float]] = []
    for problem in problems:
        began = time.process_time()
        timed.append((solve(problem, settings, workspace=workspace), time.process_time() - began))

    def work(size: int) -> int:
        for problem in size * problems:
            solve(problem, settings, workspace=workspace)
        return size * len(problems)

    rate = best_rates({"ours": Paced(work, time.process_time)}, setup.seconds)["ours"]
    return Measured(rate, {"problems": len(problems), **_facts(timed)})


def _facts(timed: list[tuple[Any, float]]) -> dict[str, Any]:
    """Nodes a second, the share solved within so many seconds of one core, and what the answers were."""
    nodes, seconds = sum(solution.nodes for solution, _ in timed), sum(taken for _, taken in timed)
    shares = {
        f"solved_in_{limit}_s": sum(solution.proved and taken <= limit for solution, taken in timed) / len(timed)
        for limit in LIMITS_S
    }
    return {"nodes_s": round(nodes / max(seconds, 1e-9)), **shares, "status": dict(Counter(one.status for one, _ in timed))}
