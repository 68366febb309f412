"""Proof files: what a solution claims and the certificates that show it, for `checker.py`. See docs/formats.md."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playmill.core.files import atomic_write
from playmill.games.go.board import BLACK, WHITE
from playmill.games.go.board_text import name_cell
from playmill.puzzles.solver.fight import PASS
from playmill.puzzles.solver.ground import Ground
from playmill.puzzles.solver.problem import Tsumego
from playmill.puzzles.solver.prover import CAPTURED_END, Claim
from playmill.puzzles.solver.settings import SolverSettings
from playmill.puzzles.solver.solving import Solution

FORMAT, VERSION = "playmill.proof", 3
ROLES = ("defender", "attacker")


def write_proof(path: Path, problem: Tsumego, solution: Solution, settings: SolverSettings) -> int:
    """Write the proof of a solution that was made with one; return how many states it has."""
    atomic_write(path, proof_text(problem, solution, settings))
    return count_states(solution)


def count_states(solution: Solution) -> int:
    """How many states its proof has."""
    return sum(len(claim.lines) for claim in solution.claims)


def proof_text(problem: Tsumego, solution: Solution, settings: SolverSettings) -> str:
    """The proof as `write_proof` writes it."""
    assert solution.ground is not None
    lines = list(_lines(problem, solution, solution.ground, settings))
    body = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    end = {"states": count_states(solution), "sha256": hashlib.sha256(body.encode()).hexdigest()}
    return body + json.dumps(end, separators=(",", ":")) + "\n"


def problem_fields(problem: Tsumego) -> dict[str, Any]:
    """The problem as it stands in a proof's first line."""
    board, size = problem.boards[0], problem.size

    def names(cells: Any) -> list[str]:
        return [name_cell(size, int(cell)).lower() for cell in sorted(cells)]

    stones = {colour: [cell for cell in range(board.colour.size) if board.head[cell] and board.colour[cell] == colour]
              for colour in (BLACK, WHITE)}  # fmt: skip
    return {
        "size": size,
        "black": names(stones[BLACK]),
        "white": names(stones[WHITE]),
        "marked": names(problem.marked),
        "to_play": problem.side.lower(),
        "banned": names([problem.ko])[0] if problem.ko else None,
    }


def _lines(problem: Tsumego, solution: Solution, ground: Ground, settings: SolverSettings) -> Iterator[Any]:
    answer = {"status": solution.status, "moves": list(solution.moves), "undecided": list(solution.undecided)}
    joined = [name_cell(problem.size, cell).lower() for cell in ground.joined]
    rules = {"ko": settings.ko, "ko_threats": settings.ko_threats, "walls": solution.walls, "joined": joined}
    yield {"format": FORMAT, "version": VERSION, **problem_fields(problem), **rules, **answer}
    for claim in solution.claims:
        after = None if claim.after is None else _move_name(ground, claim.after)
        forced = {"forced": claim.is_forced, "states": len(claim.lines)}
        yield {"prover": ROLES[claim.prover], "after": after, **forced, "end": _end_name(claim.end) if claim.end else None}
        yield from (_line(ground, claim, at) for at in range(len(claim.lines)))


def _line(ground: Ground, claim: Claim, at: int) -> list[list[Any]]:
    return [[_move_name(ground, move), end if end >= 0 else _end_name(end)] for move, end in claim.lines[at]]


def _move_name(ground: Ground, move: int) -> str:
    return "pass" if move == PASS else ground.name(move)


def _end_name(end: int) -> str:
    return "captured" if end == CAPTURED_END else "alive"
