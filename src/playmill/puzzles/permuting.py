"""A file of puzzles with all their orientations, and the proofs turned along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playmill.core.documents import read_text
from playmill.core.errors import PlaymillError
from playmill.core.files import atomic_write, atomic_writer
from playmill.games.go.geometry import inverse_of
from playmill.puzzles.orientations import orientations, turn_proof
from playmill.puzzles.puzzle import Puzzle
from playmill.puzzles.puzzle_file import proofs_folder, read_puzzles


@dataclass
class Permuted:
    """What was written: puzzles that came in, all orientations of them, proofs; and one line for each thing that was wrong."""

    puzzles: int = 0
    written: int = 0
    proofs: int = 0
    problems: list[str] = field(default_factory=list)


def permute_file(path: Path, out: Path, progress: Callable[[int], None] | None = None) -> Permuted:
    """Write the orientations of each puzzle, in the order of the file; a puzzle that comes in several is taken once."""
    found = read_puzzles(path)
    done = Permuted(problems=list(found.problems))
    seen: set[str] = set()
    with atomic_writer(out) as file:
        for number, puzzle in enumerate(found.puzzles, 1):
            if puzzle.metadata.puzzle_id not in seen:
                seen.add(puzzle.metadata.puzzle_id)
                for turned in _turned(puzzle, path, out, done):
                    file.write((turned.line() + "\n").encode())
            if progress is not None:
                progress(number)
    return done


def _turned(puzzle: Puzzle, path: Path, out: Path, done: Permuted) -> list[Puzzle]:
    """The orientations of one puzzle, whose proofs are written."""
    try:
        turned = list(orientations(puzzle))
    except PlaymillError as error:
        done.problems.append(f"{path}: {error}")
        return []
    done.puzzles += 1
    done.written += len(turned)
    first = _first_proof(puzzle, path, done)
    if first is None:
        return [one.model_copy(update={"metadata": one.metadata.model_copy(update={"proof": None})}) for one in turned]
    for one in turned:
        atomic_write(proofs_folder(out) / f"{one.name}.proof", turn_proof(first, one.metadata.orientation))
    done.proofs += len(turned)
    return turned


def _first_proof(puzzle: Puzzle, path: Path, done: Permuted) -> str | None:
    """The proof of orientation 0; None if the puzzle has none, or has one that can't be used."""
    if puzzle.metadata.proof is None:
        return None
    source = proofs_folder(path) / puzzle.metadata.proof
    try:
        return turn_proof(read_text(source), inverse_of(puzzle.metadata.orientation))
    except (PlaymillError, ValueError, TypeError, KeyError, IndexError):
        done.problems.append(f"{source}: expected the proof of the puzzle {puzzle.name}, which goes without it")
        return None
