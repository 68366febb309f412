"""The local solver: on positions that books have, and on large rooms in the corner, both sides first."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from playmill.bench.measure import Paced, best_rates
from playmill.bench.registry import Measured, Setup, benchmark

if TYPE_CHECKING:
    from playmill.puzzles.solver.problem import Tsumego
    from playmill.puzzles.solver.settings import SolverSettings
    from playmill.puzzles.solver.solving import Solution
    from playmill.puzzles.solver.workspace import Workspace

LIMITS_S = (1, 10)
ROOMS = ((2, 5), (2, 6), (3, 3), (2, 7), (3, 4), (2, 8), (3, 5), (4, 4))  # rows and columns, from easy to what is not solved
ROOM_BOARD = 13
Timed = tuple["Solution", float]


@benchmark("solver", "positions/s")
def solver(setup: Setup) -> Measured:
    """Classic life-and-death positions solved with all right first moves, on one core."""
    from playmill.games.go.board import BLACK, WHITE
    from playmill.puzzles.solver.classics import CLASSICS
    from playmill.puzzles.solver.settings import SolverSettings
    from playmill.puzzles.solver.solving import solve
    from playmill.puzzles.solver.workspace import Workspace

    settings = SolverSettings()
    problems = [classic.problem(side) for classic in CLASSICS for side in (BLACK, WHITE)]
    workspace = Workspace(settings.table_mib)
    timed = _time_all(problems, settings, workspace)

    def work(size: int) -> int:
        for problem in size * problems:
            solve(problem, settings, workspace=workspace)
        return size * len(problems)

    rate = best_rates({"ours": Paced(work, time.process_time)}, setup.seconds)["ours"]
    return Measured(rate, {"problems": len(problems), **_facts(timed)})


@benchmark("solver.rooms", "positions/s")
def solver_rooms(setup: Setup) -> Measured:
    """Empty corners of 9 to 16 points that a chain without liberties outside holds: each once, for ten seconds at most."""
    from playmill.puzzles.solver.settings import SolverSettings
    from playmill.puzzles.solver.workspace import Workspace

    settings = SolverSettings(max_nodes=10_000_000)
    problems = [_room(*room, side) for room in ROOMS for side in (1, 2)]
    timed = _time_all(problems, settings, Workspace(settings.table_mib))
    seconds = sum(taken for _, taken in timed)
    return Measured(len(timed) / max(seconds, 1e-9), {"problems": len(problems), **_facts(timed)})


def _room(rows: int, columns: int, to_play: int) -> Tsumego:
    """A corner of so many empty points in Black's hands, with White's stones all around."""
    from playmill.games.go.board import BLACK, WHITE
    from playmill.games.go.geometry import cell_of
    from playmill.puzzles.solver.problem import make_problem

    def ring(distance: int) -> list[int]:
        """The points around the corner, so far from the room."""
        row, column = rows + distance, columns + distance
        places = [(row, c) for c in range(column + 1)] + [(r, column) for r in range(row)]
        return [cell_of(ROOM_BOARD, ROOM_BOARD - 1 - r, c) for r, c in places]

    stones = {BLACK: ring(0), WHITE: ring(1)}
    return make_problem(ROOM_BOARD, stones, stones[BLACK], to_play, f"room {rows}x{columns}")


def _time_all(problems: list[Tsumego], settings: SolverSettings, workspace: Workspace) -> list[Timed]:
    """The solution of each, and the seconds of one core that it took."""
    from playmill.puzzles.solver.solving import solve

    solve(problems[0], settings, workspace=workspace)  # compiles
    timed: list[Timed] = []
    for problem in problems:
        began = time.process_time()
        timed.append((solve(problem, settings, workspace=workspace), time.process_time() - began))
    return timed


def _facts(timed: list[Timed]) -> dict[str, Any]:
    """Nodes a second, the share solved within so many seconds of one core, and what the answers were."""
    nodes, seconds = sum(solution.nodes for solution, _ in timed), sum(taken for _, taken in timed)
    shares = {
        f"solved_in_{limit}_s": sum(solution.proved and taken <= limit for solution, taken in timed) / len(timed)
        for limit in LIMITS_S
    }
    return {"nodes_s": round(nodes / max(seconds, 1e-9)), **shares, "status": dict(Counter(one.status for one, _ in timed))}
