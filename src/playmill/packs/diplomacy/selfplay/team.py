"""Who plays the games of one thread: a player for one game at a time, or a team that is asked for many games at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from playmill.packs.diplomacy.players.player import Decision
from playmill.packs.diplomacy.search.budgets import Budget
from playmill.packs.diplomacy.selfplay.game import Decider


class Team(ABC):
    """Plays up to `lanes` games side by side. What it decides in a game does not depend on the other games."""

    lanes: int

    @abstractmethod
    def decide_round(self, states: Sequence[Any], streams: Sequence[int], budget: Budget) -> list[Decision]:
        """Orders for all powers of 1 to `lanes` games."""

    @property
    @abstractmethod
    def stops(self) -> list[Any]:
        """Arrays: a thread may set the first number of each to 1, and searches end at once."""


class Alone(Team):
    """One player with one game."""

    lanes = 1

    def __init__(self, player: Decider) -> None:
        self._player = player

    def decide_round(self, states: Sequence[Any], streams: Sequence[int], budget: Budget) -> list[Decision]:
        return [self._player.decide(states[0], None, streams[0], budget)]

    @property
    def stops(self) -> list[Any]:
        stop = getattr(self._player, "stop", None)
        return [] if stop is None else [stop]
