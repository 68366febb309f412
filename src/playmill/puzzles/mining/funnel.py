"""The funnel: how many games, positions and candidates there were, and what became of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Funnel:
    """Sums over records. Rejected are candidates, by reason; unusable are games that the cleaner refused."""

    records: int = 0
    games: int = 0
    unusable: int = 0
    positions: int = 0
    candidates: int = 0
    accepted: int = 0
    rejected: Counter[str] = field(default_factory=Counter)

    def add(self, row: dict[str, Any]) -> None:
        """Add a row of the progress file."""
        self.records += 1
        self.games += row["games"]
        self.unusable += len(row["unusable"])
        self.positions += row["positions"]
        self.candidates += row["accepted"] + sum(row["rejected"].values())
        self.accepted += row["accepted"]
        self.rejected.update(row["rejected"])

    def fields(self) -> dict[str, Any]:
        """For JSON; the most frequent reasons first."""
        return {**vars(self), "rejected": dict(self.rejected.most_common())}

    def counts(self) -> dict[str, int]:
        """What a progress bar shows."""
        rejected = sum(self.rejected.values())
        return {"positions": self.positions, "candidates": self.candidates, "rejected": rejected, "accepted": self.accepted}

    def line(self) -> str:
        """In one line for people."""
        return (
            f"{self.games:,} games, {self.positions:,} positions, {self.candidates:,} candidates, "
            f"{sum(self.rejected.values()):,} rejected, {self.accepted:,} accepted"
        )
