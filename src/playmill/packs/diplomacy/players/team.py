"""Who plays the games of one thread: a player that is asked game by game, or a team that is asked for many games at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from playmill.packs.diplomacy.players.player import Decision
from playmill.packs.diplomacy.search.budgets import Budget


class Decider(Protocol):
    """Who plays: `DiplomacyPlayer`, or anything else with this one method."""

    def decide(
        self, state: Any, powers: Sequence[int] | None = None, stream: int = 0, budget: Budget | None = None
    ) -> Decision: ...


class Team(ABC):
    """Plays up to `lanes` games side by side. What it decides in a game does not depend on the other games."""

    lanes: int

    @abstractmethod
    def decide_round(
        self,
        states: Sequence[Any],
        streams: Sequence[int],
        budget: Budget | None,
        powers: Sequence[Sequence[int]] | None = None,
    ) -> list[Decision]:
        """Orders for 1 to `lanes` games: for all powers, or in each game for some."""

    @property
    @abstractmethod
    def stops(self) -> list[Any]:
        """Arrays: a thread may set the first number of each to 1, and searches end at once."""


class Alone(Team):
    """One player, who decides in one game after the other."""

    def __init__(self, player: Decider, lanes: int = 1) -> None:
        self._player, self.lanes = player, lanes

    def decide_round(
        self,
        states: Sequence[Any],
        streams: Sequence[int],
        budget: Budget | None,
        powers: Sequence[Sequence[int]] | None = None,
    ) -> list[Decision]:
        asked: Sequence[Sequence[int] | None] = powers or [None] * len(states)
        return [
            self._player.decide(state, own, stream, budget) for state, own, stream in zip(states, asked, streams, strict=True)
        ]

    @property
    def stops(self) -> list[Any]:
        stop = getattr(self._player, "stop", None)
        return [] if stop is None else [stop]


OpenPlayer = Callable[[], Decider | Team]


def open_team(open_player: OpenPlayer, lanes: int = 1) -> Team:
    """What was asked for, as a team; a single player serves `lanes` games."""
    made = open_player()
    return made if isinstance(made, Team) else Alone(made, lanes)
