"""Which puzzles go into the game's database, and on which floor of the tower: only approved ones, the easiest at the bottom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from playmill.core.errors import UsageError
from playmill.puzzles.puzzle import Puzzle
from playmill.puzzles.review import APPROVED

PER_FLOOR = 10


@dataclass(frozen=True)
class Placed:
    """A puzzle with its floor and its place there, both counted from 1."""

    puzzle: Puzzle
    floor: int
    place: int


def approved(puzzles: Iterable[Puzzle], decided: dict[str, str]) -> list[Puzzle]:
    """The approved puzzles by difficulty, equally hard ones by their names."""
    chosen = [puzzle for puzzle in puzzles if decided.get(puzzle.name) == APPROVED]
    return sorted(chosen, key=lambda puzzle: (puzzle.metadata.difficulty_score, puzzle.name))


def place(puzzles: Sequence[Puzzle], floors: int | None = None, per_floor: int | None = None) -> list[Placed]:
    """Puzzles, the easiest first, put on so many floors, as even as can be, or so many a floor; else `PER_FLOOR` a floor."""
    if floors is not None and per_floor is not None:
        raise UsageError("seed: expected --floors or --per-floor, got both")
    if floors is not None and floors > len(puzzles):
        raise UsageError(
            f"seed: --floors: expected at most {len(puzzles)}, as many as there are approved puzzles, got {floors}"
        )
    placed: list[Placed] = []
    for i, puzzle in enumerate(puzzles):
        floor = _floor(i, len(puzzles), floors, per_floor or PER_FLOOR)
        is_next = bool(placed) and placed[-1].floor == floor
        placed.append(Placed(puzzle, floor, placed[-1].place + 1 if is_next else 1))
    return placed


def _floor(i: int, count: int, floors: int | None, per_floor: int) -> int:
    return 1 + (i // per_floor if floors is None else i * floors // count)
