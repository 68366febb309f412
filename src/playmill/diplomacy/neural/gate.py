"""Whether a network may replace the best one: alone against six of those it must beat, every seat equally often.

A game's score is the share of its outcome (`matches.Ending.shares`); seven equal players get 1/7 each on average.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from playmill.arena.statistics import Estimate, estimate
from playmill.core.crew import Crew
from playmill.core.seeds import mix
from playmill.diplomacy.matches import Ending, Match
from playmill.diplomacy.players import Player
from playmill.diplomacy.selfplay_settings import SearchBudget
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.games.diplomacy.state import FIRST_YEAR

EVEN_SHARE = 1 / POWER_COUNT
MakePlayer = Callable[[], Player]


class GateSettings(BaseModel):
    """How a candidate earns its place."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    games: int = Field(70, ge=2 * POWER_COUNT, multiple_of=POWER_COUNT, description="Games, one in seven for each seat.")
    threshold: float = Field(EVEN_SHARE, gt=0, lt=1, description="The mean share of the outcome that promotes.")
    budget: SearchBudget = Field(SearchBudget(), description="Of a decision, the same for all; movetime is equal wall time.")
    max_year: int = Field(1912, ge=FIRST_YEAR, description="The last year; then the outcome is shared.")


@dataclass(frozen=True)
class GateReport:
    """What the candidate got."""

    games: int
    share: Estimate
    solos: int
    survived: int
    centres: float
    final_year: float
    promote: bool
    reason: str

    def fields(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def run_gate(
    candidate: MakePlayer,
    opponents: MakePlayer,
    settings: GateSettings,
    seed: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> GateReport:
    """Play the games and judge; but for a budget in time, the same seed gives the same report with any number of threads."""
    return judge(play_games(candidate, opponents, settings, seed, threads, progress), settings)


def play_games(
    candidate: MakePlayer,
    opponents: MakePlayer,
    settings: GateSettings,
    seed: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[Ending]:
    """Play one against six; game g seats the candidate at power g mod 7. Each thread makes its own two players."""
    own, endings, is_halted = threading.local(), dict[int, Ending](), threading.Event()

    def work(first: int, count: int) -> int:
        if not hasattr(own, "table"):
            own.table = _Table(candidate(), opponents(), settings)
        for game in range(first, first + count):
            if is_halted.is_set():
                return game - first
            endings[game] = own.table.play(game, mix(seed, game))
        return count

    if not Crew(0, settings.games, work, is_halted.set).run(threads, progress=progress):
        raise KeyboardInterrupt
    return [endings[game] for game in range(settings.games)]


class _Table:
    """The players of one thread."""

    def __init__(self, one: Player, six: Player, settings: GateSettings) -> None:
        self._one, self._six, self._settings = one, six, settings
        self._match = Match(one.settings.rules)

    def play(self, game: int, stream: int) -> Ending:
        seats = [self._six] * POWER_COUNT
        seats[game % POWER_COUNT] = self._one
        return self._match.play(seats, self._settings.max_year, stream, self._settings.budget.as_budget())


def judge(endings: list[Ending], settings: GateSettings) -> GateReport:
    """What the games come to, and whether it is enough."""
    seats = np.arange(len(endings)) % POWER_COUNT
    own = np.array([ending.centres[seat] for ending, seat in zip(endings, seats, strict=True)])
    share = estimate(np.array([ending.shares[seat] for ending, seat in zip(endings, seats, strict=True)]))
    is_enough = share.mean >= settings.threshold
    return GateReport(
        games=len(endings),
        share=share,
        solos=sum(int(ending.winner == seat) for ending, seat in zip(endings, seats, strict=True)),
        survived=int((own > 0).sum()),
        centres=float(own.mean()),
        final_year=float(np.mean([ending.year for ending in endings])),
        promote=is_enough,
        reason=f"share {share.mean:.4f} is {'at least' if is_enough else 'below'} {settings.threshold:.4f}",
    )
