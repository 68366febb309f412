"""Luck taken off the games of a gate, for games whose pack knows how: what the gate asks for, and what its report keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from playmill.arena.match import Match
from playmill.arena.statistics import Estimate
from playmill.search.decisions import Array


class FairWins(Protocol):
    """The candidate's results without luck; trials are pairs of games."""

    @property
    def fair(self) -> Estimate: ...  # its win rate

    @property
    def fair_points(self) -> Estimate: ...  # its points less the other's


class GateView(Protocol):
    """A dataclass that the gate's report keeps as it is: these results, and whatever else the pack has to say."""

    @property
    def wins(self) -> FairWins: ...

    def facts(self) -> dict[str, Any]:
        """What of it stands in the gate's event and in `run.json`."""


class Appraisal(Protocol):
    """What is known of the luck in a match."""

    def fair_wins(self, bot: int) -> Array:
        """A number a pair, float64 [games / 2]: its score less luck, unbiased on average."""


class Appraiser(Protocol):
    """Tells luck from skill; the same for any number of workers."""

    def appraise(self, match: Match, workers: int) -> Appraisal:
        """Walk through the games of a match."""

    def join(self, parts: Sequence[Any]) -> Appraisal:
        """One appraisal of several matches of the same bots, one after the other."""

    def view(self, appraisal: Any) -> GateView:
        """What the gate's report says: bot 0 is the candidate, bot 1 the best."""
