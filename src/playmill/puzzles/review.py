"""What a reviewer decided about puzzles: a file of lines beside the puzzles, which are never rewritten.

A line is appended for each decision and the last one about a puzzle counts, so that taking back is a decision, too, and
nothing is lost by a crash.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from pydantic import Field

from playmill.core.disk import writing
from playmill.core.documents import fit, parse_object
from playmill.core.lines import append_line, drop_torn_line, open_alone
from playmill.core.settings import Settings

APPROVED, DELETED, OPEN = "approved", "deleted", "open"


class ReviewDecision(Settings):
    """One line of the file."""

    puzzle: str = Field(min_length=1, description="The puzzle's name: its id, with its orientation if that is not 0.")
    decision: Literal["approved", "deleted", "open"] = Field(description="`open` takes an earlier decision back.")


def review_path(puzzles: Path) -> Path:
    """Where decisions about a file of puzzles are kept: puzzles.review.jsonl for puzzles.jsonl."""
    return puzzles.with_name(f"{puzzles.stem}.review.jsonl")


def read_review(puzzles: Path) -> dict[str, str]:
    """The decision about each puzzle that has one, by the puzzle's name."""
    path = review_path(puzzles)
    decided: dict[str, str] = {}
    if not path.exists():
        return decided
    for number, line in enumerate(path.read_bytes().split(b"\n")[:-1], 1):  # what follows the last newline was torn off
        where = f"{path}: line {number}"
        row = fit(ReviewDecision, where, parse_object(line, where))
        decided[row.puzzle] = row.decision
    return {name: decision for name, decision in decided.items() if decision != OPEN}


class Review:
    """The open file of decisions; one process has it at a time."""

    def __init__(self, puzzles: Path) -> None:
        self.path = review_path(puzzles)
        self._file = open_alone(self.path)
        try:
            drop_torn_line(self.path)
            self.decided = read_review(puzzles)
        except BaseException:
            self._file.close()
            raise

    def decide(self, puzzle: str, decision: str) -> None:
        """Keep a decision; when this returns, it is on the disk."""
        row = fit(ReviewDecision, "decision", {"puzzle": puzzle, "decision": decision})
        with writing(self.path):
            append_line(self._file, (json.dumps(row.model_dump()) + "\n").encode())
        if decision == OPEN:
            self.decided.pop(puzzle, None)
        else:
            self.decided[puzzle] = decision

    def close(self) -> None:
        self._file.close()
