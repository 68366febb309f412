"""Levels of puzzles that others gave, and how well a score goes along with them: Spearman's rank correlation."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field

from playmill.core.documents import fit, parse_object, read_text
from playmill.core.errors import UsageError
from playmill.core.settings import Settings
from playmill.puzzles.puzzle import Puzzle

FEWEST = 3  # puzzles with a level, for a correlation that says anything
NUMBER = re.compile(r"-?\d{1,9}(\.\d{1,9})?")
RANK = re.compile(r"([1-9]\d?)([kd])")


class KnownLevel(Settings):
    """A row of a file of levels."""

    puzzle: str = Field(min_length=1, description="A puzzle's name, its id, or the name of its source.")
    level: float | str = Field(description="A rank such as 15k or 3d, or a number that is larger for what is harder.")


@dataclass(frozen=True)
class Agreement:
    """How a score and its parts go along with known levels: from -1, the other way round, to 1. None where all are equal."""

    puzzles: int
    score: float | None
    parts: dict[str, float | None]


def read_levels(path: Path) -> dict[str, float]:
    """The level of each puzzle of a file, JSON lines or CSV with the columns `puzzle` and `level`; larger is harder."""
    text = read_text(path)
    rows = _csv_rows(text, path) if path.suffix.lower() == ".csv" else _json_rows(text, path)
    levels: dict[str, float] = {}
    for where, content in rows:
        row = fit(KnownLevel, where, content)
        if row.puzzle in levels:
            raise UsageError(f"{where}: the puzzle {row.puzzle} has a level already")
        levels[row.puzzle] = level_number(row.level, where)
    return levels


def level_number(level: float | str, where: str) -> float:
    """A level as a number: 1d is 0, 1k is -1, 25k is -25; a number is itself."""
    if isinstance(level, float):
        return level
    rank = RANK.fullmatch(level.strip().lower())
    if rank is not None:
        return -float(rank[1]) if rank[2] == "k" else float(rank[1]) - 1
    if NUMBER.fullmatch(level.strip()):
        return float(level)
    raise UsageError(f"{where}: level: expected a rank such as 15k or 3d, or a number, got {level[:40]!r}")


def agreement(puzzles: Sequence[Puzzle], levels: dict[str, float], where: str) -> Agreement:
    """How the scores of the puzzles with a known level go along with it."""
    pairs = [(puzzle, level) for puzzle in puzzles if (level := _level_of(puzzle, levels)) is not None]
    if len(pairs) < FEWEST:
        raise UsageError(
            f"{where}: expected levels of at least {FEWEST} of the puzzles, by name, id or source; got {len(pairs)}"
        )
    names = sorted({name for puzzle, _ in pairs for name in puzzle.metadata.difficulty_parts})
    parts = {name: _of_part(name, pairs) for name in names}
    return Agreement(
        len(pairs), spearman([p.metadata.difficulty_score for p, _ in pairs], [level for _, level in pairs]), parts
    )


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's rank correlation; equal values share the mean of their ranks. None where one side is all equal."""
    one, other = (_ranks(np.asarray(values, float)) for values in (first, second))
    one, other = one - one.mean(), other - other.mean()
    scale = float(np.sqrt((one @ one) * (other @ other)))
    return None if scale == 0 else round(float(one @ other) / scale, 4)


def _ranks(values: Any) -> Any:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def _of_part(name: str, pairs: list[tuple[Puzzle, float]]) -> float | None:
    """A part's own correlation, over the puzzles that have it."""
    known = [(p.metadata.difficulty_parts[name], level) for p, level in pairs if name in p.metadata.difficulty_parts]
    return spearman([part for part, _ in known], [level for _, level in known]) if len(known) >= FEWEST else None


def _level_of(puzzle: Puzzle, levels: dict[str, float]) -> float | None:
    names = (puzzle.name, puzzle.metadata.puzzle_id, puzzle.metadata.source)
    return next((levels[name] for name in names if name in levels), None)


def _csv_rows(text: str, path: Path) -> Iterable[tuple[str, dict[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text), strict=True)
    try:
        for row in reader:
            yield f"{path}: line {reader.line_num}", {str(name): value for name, value in row.items() if value is not None}
    except csv.Error as error:
        raise UsageError(f"{path}: line {reader.line_num}: expected CSV, but {error}") from None


def _json_rows(text: str, path: Path) -> Iterable[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            where = f"{path}: line {number}"
            yield where, _with_floats(parse_object(line, where))


def _with_floats(row: dict[str, Any]) -> dict[str, Any]:
    """Whole numbers are levels, too."""
    return {name: float(value) if type(value) is int and abs(value) < 10**6 else value for name, value in row.items()}
