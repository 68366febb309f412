"""Files of puzzles: a broken line is named by its number, the rest kept. `mine` appends to them, `browse` and `seed` read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playmill.core.documents import read_bytes
from playmill.core.errors import UsageError
from playmill.puzzles.puzzle import Puzzle, parse_puzzle


@dataclass(frozen=True)
class PuzzleFile:
    """The puzzles of a file in its order, and one line for each of its lines that is none."""

    path: Path
    puzzles: list[Puzzle] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def read_puzzles(path: Path) -> PuzzleFile:
    """All puzzles of a file; a line that is broken, or whose puzzle stood in an earlier line, is a problem and no more."""
    found = PuzzleFile(path)
    seen: dict[str, int] = {}
    for number, line in _lines(path):
        where = f"{path}: line {number}"
        try:
            puzzle = parse_puzzle(line, where)
        except UsageError as error:
            found.problems.append(str(error))
            continue
        if puzzle.name in seen:
            found.problems.append(f"{where}: the puzzle {puzzle.name} stands in line {seen[puzzle.name]} already")
            continue
        seen[puzzle.name] = number
        found.puzzles.append(puzzle)
    return found


def proofs_folder(path: Path) -> Path:
    """Where the proofs of a file of puzzles are: puzzles.proofs for puzzles.jsonl."""
    return path.with_name(f"{path.stem}.proofs")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(read_bytes(path).split(b"\n"), 1) if line.strip())
