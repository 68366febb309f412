"""Whether a game is worth learning from: it looks at who owns the centres at the end of each year."""

from __future__ import annotations

from collections.abc import Sequence

from playmill.games.diplomacy.geography import POWER_COUNT
from playmill.packs.diplomacy.selfplay.records import Quality
from playmill.packs.diplomacy.selfplay.settings import DiplomacyGameSettings

STILL_YEARS = 3  # so many in a row without a centre changing its owner are a stalemate


class Watch:
    """Follows one game. `owners` are the owners of the centres, always in the same order; -1 is nobody."""

    def __init__(self, settings: DiplomacyGameSettings, owners: Sequence[int]) -> None:
        self._settings = settings
        self._owners = list(owners)
        self._still_years = 0
        self._stalemate_year: int | None = None
        self._is_dominated = False

    @property
    def is_stalemate(self) -> bool:
        return self._stalemate_year is not None

    def end_year(self, year: int, owners: Sequence[int]) -> None:
        """Look at the centres as they are after a year's fall."""
        now = list(owners)
        self._still_years = self._still_years + 1 if now == self._owners else 0
        self._owners = now
        if self._still_years == STILL_YEARS and not self.is_stalemate:
            self._stalemate_year = year
        largest = max(now.count(power) for power in range(POWER_COUNT))
        if year < self._settings.domination_year and largest >= self._settings.domination_centres:
            self._is_dominated = True

    def quality(self) -> Quality:
        """The verdict so far."""
        year = self._stalemate_year
        return Quality(
            stalemate=self.is_stalemate,
            early_stalemate=year is not None and year < self._settings.min_stalemate_year,
            early_domination=self._is_dominated,
        )
