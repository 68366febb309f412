"""What a file of puzzles holds, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from playmill.puzzles.puzzle import RANKS, Puzzle
from playmill.puzzles.review import OPEN

Counts = dict[str, int]


@dataclass(frozen=True)
class PuzzleStats:
    """Puzzles by what they are. Ranks are in order and all there; of all else the most frequent comes first."""

    puzzles: int
    difficulty: Counts
    tag: Counts
    verification: Counts
    side: Counts
    goal: Counts
    source: Counts
    review: Counts
    scores: tuple[float, ...]
    parts: dict[str, tuple[int, float]]  # puzzles that have the part, and its mean over them

    def fields(self) -> dict[str, Any]:
        """For JSON."""
        names = ("puzzles", "difficulty", "tag", "verification", "side", "goal", "source", "review")
        parts = {name: {"puzzles": count, "mean": round(mean, 4)} for name, (count, mean) in self.parts.items()}
        return {**{name: getattr(self, name) for name in names}, "score": self.score, "parts": parts}

    @property
    def score(self) -> dict[str, float] | None:
        """The least, the middle, the mean and the greatest difficulty; None without puzzles."""
        if not self.scores:
            return None
        found = {"min": min(self.scores), "median": median(self.scores), "mean": fmean(self.scores), "max": max(self.scores)}
        return {name: round(value, 2) for name, value in found.items()}


def count_puzzles(puzzles: Sequence[Puzzle], decided: dict[str, str]) -> PuzzleStats:
    """Count puzzles; `decided` has the decisions of a review by the puzzles' names."""
    ranks = Counter[str](puzzle.difficulty for puzzle in puzzles)
    return PuzzleStats(
        len(puzzles),
        {rank: ranks[rank] for rank in RANKS},
        dict(_ordered(Counter(tag for puzzle in puzzles for tag in puzzle.tags))),
        dict(_ordered(Counter(puzzle.metadata.verification for puzzle in puzzles))),
        dict(_ordered(Counter(puzzle.metadata.side for puzzle in puzzles))),
        dict(_ordered(Counter(puzzle.metadata.goal for puzzle in puzzles))),
        dict(_ordered(Counter(puzzle.metadata.source for puzzle in puzzles))),
        dict(_ordered(Counter(decided.get(puzzle.name, OPEN) for puzzle in puzzles))),
        tuple(puzzle.metadata.difficulty_score for puzzle in puzzles),
        _means(puzzles),
    )


def _ordered(counts: Counter[str]) -> Iterable[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _means(puzzles: Sequence[Puzzle]) -> dict[str, tuple[int, float]]:
    names = dict.fromkeys(name for puzzle in puzzles for name in puzzle.metadata.difficulty_parts)
    found = {
        name: [p.metadata.difficulty_parts[name] for p in puzzles if name in p.metadata.difficulty_parts] for name in names
    }
    return {name: (len(values), fmean(values)) for name, values in found.items()}
