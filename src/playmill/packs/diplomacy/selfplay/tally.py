"""What came of a run's games, counted as they end and told in a few lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from playmill.games.diplomacy.geography import POWERS
from playmill.packs.diplomacy.selfplay.records import GameRecord


@dataclass
class GameTally:
    """Counts over all games of a file: those that were kept, and why others were not."""

    kept: int = 0
    rejected: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    draws: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    years: list[int] = field(default_factory=list)
    phases: int = 0

    def keep(self, record: GameRecord) -> None:
        self.kept += 1
        if record.winner is None:
            self.draws[record.ended_by] += 1
        else:
            self.wins[record.winner] += 1
        self.years.append(record.final_year)
        self.phases += len(record.phases)

    def reject(self, reasons: list[str]) -> None:
        self.rejected += 1
        self.reasons.update(reasons)

    def lines(self) -> list[str]:
        """Games, wins, draws, lengths."""
        why = f" ({_counted(self.reasons)})" if self.rejected else ""
        found = [f"games: {self.kept} kept, {self.rejected} rejected{why}"]
        if self.kept:
            wins = {power: self.wins[power] for power in POWERS if self.wins[power]}
            found.append(f"wins: {_counted(wins) or 'none'}; draws: {_counted(self.draws) or 'none'}")
            found.append(self._lengths())
        return found

    def _lengths(self) -> str:
        mean, phases = sum(self.years) / self.kept, self.phases / self.kept
        return f"last year: {min(self.years)} to {max(self.years)}, mean {mean:.1f}; {phases:.1f} phases a game"


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())
