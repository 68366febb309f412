"""A file of puzzles with the decisions about them, as the pages see it: read again when it has grown, never written."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from playmill.core.errors import UnknownName
from playmill.puzzles.puzzle import RANKS, Puzzle
from playmill.puzzles.puzzle_file import read_puzzles
from playmill.puzzles.review import OPEN, Review

Signature = tuple[int, int, int]


class PuzzleShelf:
    """The open file and its review; requests come from several threads, one at a time is served."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._seen, self._file = _signature(path), read_puzzles(path)
        self._by_name = {puzzle.name: puzzle for puzzle in self._file.puzzles}
        self._review = Review(path)
        self._before: list[tuple[str, str]] = []  # decisions that `undo` takes back: a puzzle, and what held before

    def close(self) -> None:
        self._review.close()

    def index(self) -> dict[str, Any]:
        """All that a list of puzzles needs, by columns; a file that has changed is read again first."""
        with self._lock:
            self._refresh()
            return {
                "file": self.path.name,
                "ranks": RANKS,
                **_columns(self._file.puzzles),
                "problems": [problem.removeprefix(f"{self.path}: ") for problem in self._file.problems],
                "decisions": {name: each for name, each in self._review.decided.items() if name in self._by_name},
            }

    def puzzle(self, name: str) -> Puzzle:
        """The puzzle of this name; one that was added since the last look is found, too."""
        with self._lock:
            if name not in self._by_name:
                self._refresh()
            return self._find(name)

    def decide(self, name: str, decision: str) -> None:
        """Keep a decision; when this returns, it is on the disk."""
        with self._lock:
            self._find(name)
            before = self._review.decided.get(name, OPEN)
            if before != decision:
                self._review.decide(name, decision)
                self._before.append((name, before))

    def undo(self) -> tuple[str, str] | None:
        """Take the last decision of this process back; return the puzzle and what holds again, or None if there is none."""
        with self._lock:
            if not self._before:
                return None
            name, before = self._before[-1]
            self._review.decide(name, before)
            self._before.pop()
            return name, before

    def _find(self, name: str) -> Puzzle:
        if name not in self._by_name:
            raise UnknownName(f"{self.path.name}: no puzzle is called '{name:.80}'")
        return self._by_name[name]

    def _refresh(self) -> None:
        seen = _signature(self.path)
        if seen != self._seen:
            self._file = read_puzzles(self.path)
            self._by_name = {puzzle.name: puzzle for puzzle in self._file.puzzles}
            self._seen = seen


def _signature(path: Path) -> Signature | None:
    """What changes when the file does; None while it is missing, which reading it tells."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_ino, facts.st_size, facts.st_mtime_ns


def _columns(puzzles: list[Puzzle]) -> dict[str, Any]:
    """The puzzles by columns, a fraction of the size that rows have; a tag is its number in `tags`."""
    tags = sorted({tag for puzzle in puzzles for tag in puzzle.tags})
    number = {tag: at for at, tag in enumerate(tags)}
    facts = [puzzle.metadata for puzzle in puzzles]
    return {
        "names": [puzzle.name for puzzle in puzzles],
        "rank": [RANKS.index(puzzle.difficulty) for puzzle in puzzles],
        "score": [round(each.difficulty_score, 1) for each in facts],
        "is_proved": [int(each.verification == "proved") for each in facts],
        "is_white": [int(each.side == "white") for each in facts],
        "is_kill": [int(each.goal == "kill") for each in facts],
        "tags": tags,
        "tagged": [[number[tag] for tag in puzzle.tags] for puzzle in puzzles],
    }
