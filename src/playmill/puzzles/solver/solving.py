"""`solve(problem)`: the status of marked chains, the right first moves, and on request the certificates that show them."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

from playmill.core.executor import worker_local
from playmill.puzzles.solver.fight import ATTACKER, DEFENDER, PASS
from playmill.puzzles.solver.ground import Ground, OpenGround, find_ground, widen_ground
from playmill.puzzles.solver.problem import Tsumego
from playmill.puzzles.solver.prover import STATUS, Claim, Prover, prover_under
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.workspace import Workspace

GOALS = ("live", "kill")  # by role: what the defender wants, and the attacker
KO, UNKNOWN = "ko", "unknown"
SHOWN, TAKEN = "shown", "taken"
NOT_SHOWN = "the proof could not be gathered within the limits; a larger table or more nodes may do"


@dataclass(frozen=True)
class Solution:
    """What is known about a problem.

    `status` is alive, dead, ko or unknown, if the side to play begins and both sides do their best; all but unknown are
    proved. `moves` are the first moves that reach it for the side to play, none if every move fails; `undecided` are moves for
    which that could not be told. `walls` is `taken` if enclosing chains were taken for safe that are not unconditionally alive,
    and `shown` if nothing is taken for granted. `claims` is what a proof file has to show.
    """

    to_play: str
    goal: str
    status: str
    moves: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    walls: str = SHOWN
    reason: str = ""
    empty_points: int = 0
    nodes: int = 0
    seconds: float = 0.0
    ground: Ground | None = field(default=None, repr=False)
    claims: tuple[Claim, ...] = field(default=(), repr=False)

    @property
    def proved(self) -> bool:
        return self.status != UNKNOWN

    def fields(self) -> dict[str, Any]:
        """For JSON."""
        names = (
            "proved",
            "status",
            "moves",
            "undecided",
            "walls",
            "to_play",
            "goal",
            "reason",
            "empty_points",
            "nodes",
            "seconds",
        )
        return {name: getattr(self, name) for name in names}


def solve(
    problem: Tsumego,
    settings: SolverSettings | None = None,
    *,
    with_proof: bool = False,
    workspace: Workspace | None = None,
) -> Solution:
    """Solve one problem. The answer depends on nothing but the problem and the settings.

    Whoever solves many without an executor hands in a workspace, whose table is of the settings' size.
    """
    settings = settings or SolverSettings()
    began = time.perf_counter()
    mover = DEFENDER if problem.to_play == problem.defender else ATTACKER
    ground = find_ground(problem, settings.max_empty, settings.wall_liberties)
    if isinstance(ground, OpenGround):
        return Solution(problem.side.lower(), GOALS[mover], UNKNOWN, reason=ground.reason, seconds=time.perf_counter() - began)
    if workspace is None:
        workspace = worker_local(("solver", settings.table_mib), lambda: Workspace(settings.table_mib))
    solution = _solve_on(ground, problem, settings, workspace, with_proof)
    if solution.reason and not ground.walls_hold:
        wide = widen_ground(problem, settings.max_empty, settings.wall_liberties)
        if wide is not None:
            left = settings.model_copy(update={"max_nodes": max(1, settings.max_nodes - solution.nodes)})
            wider = _solve_on(wide, problem, left, workspace, with_proof)
            better = wider if wider.proved else solution
            solution = replace(better, nodes=solution.nodes + wider.nodes)
    return replace(solution, seconds=time.perf_counter() - began)


def _solve_on(ground: Ground, problem: Tsumego, settings: SolverSettings, workspace: Workspace, with_proof: bool) -> Solution:
    """Solve a problem on a ground of it."""
    mover = DEFENDER if problem.to_play == problem.defender else ATTACKER
    prover = Prover(ground, workspace, settings, mover, _ban(problem, ground))
    status, moves, undecided = _decide(prover, mover, settings.ko)
    claims = tuple(prover.claims(status, settings.ko, undecided)) if with_proof else ()
    reason = _reason(status, undecided, settings, ground, prover.nodes)
    if not all(claim.is_shown for claim in claims):
        status, moves, undecided, claims, reason = UNKNOWN, [], [], (), NOT_SHOWN
    return Solution(
        problem.side.lower(), GOALS[mover], status, _names(ground, moves), _names(ground, undecided),
        TAKEN if ground.is_taken else SHOWN, reason, ground.empty_points, prover.nodes, ground=ground, claims=claims,
    )  # fmt: skip


def _decide(prover: Prover, mover: int, ko: str) -> tuple[str, list[int], list[int]]:
    """The status, the right first moves, and those that could not be decided."""
    if ko == "loss":
        return _decide_without_ko(prover, mover)
    loser = prover_under(ko)
    answer = prover.forces(loser)
    if answer is None:
        return UNKNOWN, [], []
    is_reached = answer is (loser == mover)
    right = prover.sort_moves(loser, answer) if is_reached else ([], [])
    return STATUS[loser if answer else 1 - loser], *right


def _decide_without_ko(prover: Prover, mover: int) -> tuple[str, list[int], list[int]]:
    """A side has succeeded if it does so though the other wins every ko; if neither does, it is a ko."""
    own = prover.forces(mover)
    if own:
        return STATUS[mover], *prover.sort_moves(mover, True)
    others = prover.forces(1 - mover)
    if others:
        return STATUS[1 - mover], [], []
    if own is None or others is None:
        return UNKNOWN, [], []
    return KO, *prover.sort_moves(1 - mover, False)


def _ban(problem: Tsumego, ground: Ground) -> int | None:
    return ground.cells.index(problem.ko) if problem.ko in ground.cells else None


def _names(ground: Ground, moves: list[int]) -> tuple[str, ...]:
    return tuple("pass" if move == PASS else ground.name(move) for move in moves)


def _reason(status: str, undecided: list[int], settings: SolverSettings, ground: Ground, nodes: int) -> str:
    """Why something stayed open; nothing if all is known."""
    if status != UNKNOWN and not undecided:
        return ""
    if not ground.walls_hold:
        return (
            f"an enclosing chain might be captured: it has fewer than {settings.wall_liberties} liberties outside, or no room"
        )
    if nodes < settings.max_nodes:
        return "it depends on play that goes round for ever, or on lines too long to follow"
    return f"not decided within {settings.max_nodes:,} nodes"
