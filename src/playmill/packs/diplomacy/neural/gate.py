"""Whether a network may replace the best one: alone against six of those it must beat, every seat equally often.

A game's score is the share of its outcome (`matches.Ending.shares`); seven equal players get 1/7 each on average. Openings vary
and the interval is over rotations of the seats, as in the ladder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from pydantic import Field, model_validator

from playmill.core.settings import Settings
from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.games.diplomacy.state import FIRST_YEAR
from playmill.packs.diplomacy.players.ladder import (
    EVEN_SHARE,
    LadderSettings,
    Rung,
    most_opening_phases,
    play_one_against_six,
    summarise,
)
from playmill.packs.diplomacy.players.matches import Ending
from playmill.packs.diplomacy.players.team import OpenPlayer
from playmill.packs.diplomacy.selfplay.settings import SearchBudget


class SeatGateSettings(Settings):
    """How a candidate earns its place."""

    games: int = Field(70, ge=2 * POWER_COUNT, multiple_of=POWER_COUNT, description="Games, one in seven for each seat.")
    threshold: float = Field(EVEN_SHARE, gt=0, lt=1, description="The mean share of the outcome that promotes.")
    budget: SearchBudget = Field(SearchBudget(), description="Of a decision, the same for all; movetime is equal wall time.")
    max_year: int = Field(1912, ge=FIRST_YEAR, description="The last year; then the outcome is shared.")
    opening_phases: int = Field(
        1, ge=0, description="Movement phases at random before the players are asked, the same in all seats of a rotation."
    )

    @model_validator(mode="after")
    def _opening_leaves_a_phase(self) -> Self:
        most = most_opening_phases(self.max_year)
        if self.opening_phases > most:
            raise ValueError(f"opening_phases: expected at most {most} through {self.max_year}, got {self.opening_phases}")
        return self


@dataclass(frozen=True)
class SeatGateReport:
    """What the candidate got, and whether it is enough."""

    rung: Rung
    promote: bool
    reason: str


def run_gate(
    candidate: OpenPlayer,
    opponents: OpenPlayer,
    settings: SeatGateSettings,
    seed: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
    words: str = "the opponents",
    lanes: int = 1,
) -> SeatGateReport:
    """Play the games and judge; but for a budget in time, the same seed gives the same report with any threads and lanes.

    `words` say who the opponents are; `lanes` is how many games a thread plays at once.
    """
    rung = LadderSettings(
        settings.games,
        settings.max_year,
        seed=seed,
        threads=threads,
        budget=settings.budget.as_budget(),
        lanes=lanes,
        opening_phases=settings.opening_phases,
    )
    return judge(play_one_against_six(candidate, opponents, rung, progress), settings, words)


def judge(endings: list[Ending], settings: SeatGateSettings, words: str = "the opponents") -> SeatGateReport:
    """What the games come to, and whether it is enough."""
    rung = summarise("the candidate", words, endings)
    is_enough = rung.share.mean >= settings.threshold
    verdict = f"share {rung.share.mean:.4f} is {'at least' if is_enough else 'below'} {settings.threshold:.4f}"
    return SeatGateReport(rung, is_enough, f"against six of {words}, {verdict}")
