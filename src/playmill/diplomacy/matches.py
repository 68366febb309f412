"""A game from the start to its end, seven seats, each with a player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.core.seeds import mix
from playmill.diplomacy.budgets import Budget
from playmill.diplomacy.players import Player
from playmill.games.diplomacy.geography import NOBODY, POWER_COUNT
from playmill.games.diplomacy.phases import advance
from playmill.games.diplomacy.state import UNIT_LIMIT, count_centres, start_states, winner
from playmill.games.diplomacy.verdicts import RESULT
from playmill.games.diplomacy.work import new_work


@dataclass(frozen=True)
class Ending:
    """How a game ended."""

    centres: np.ndarray  # int64 [7]
    winner: int  # -1 without a solo
    year: int  # the last one that was played
    phases: int
    nodes: int

    @property
    def shares(self) -> np.ndarray:
        """Float64 [7], summing to 1: all to a solo; without one, by the squares of the centres."""
        if self.winner != NOBODY:
            squares = np.arange(POWER_COUNT) == self.winner
        else:
            squares = self.centres.astype(np.float64) ** 2
        shares: np.ndarray = squares / squares.sum()
        return shares


class Match:
    """Plays games; made once a thread. Seats that share a player object are asked in one call."""

    def __init__(self, rules: int) -> None:
        self._rules = rules
        self._work, self._results = new_work(), np.zeros(UNIT_LIMIT, RESULT)
        self._orders = np.zeros(UNIT_LIMIT, np.int32)

    def play(self, seats: Sequence[Player], max_year: int, stream: int, budget: Budget | None = None) -> Ending:
        """Play from 1901 to a solo or through `max_year`."""
        states = start_states(1)
        phases = nodes = 0
        while int(states[0].year) <= max_year and winner(states[0]) == NOBODY:
            nodes += self.play_phase(states[0], seats, mix(stream, phases), budget)
            phases += 1
        centres = np.zeros(POWER_COUNT, np.int64)
        count_centres(states[0], centres)
        # The position after a game's last builds is already in the next year.
        return Ending(centres, int(winner(states[0])), min(int(states[0].year), max_year), phases, nodes)

    def play_phase(self, state: Any, seats: Sequence[Player], stream: int, budget: Budget | None = None) -> int:
        """Ask all seats and carry the phase out in place; return how many nodes that took."""
        count = nodes = 0
        for number, (player, powers) in enumerate(_by_player(seats)):
            decision = player.decide(state, powers, mix(stream, number), budget)
            nodes += decision.nodes
            for orders in decision.orders.values():
                self._orders[count : count + orders.size] = orders
                count += orders.size
        advance(state, self._orders, count, self._rules, self._work[0], self._results)
        return nodes


def _by_player(seats: Sequence[Player]) -> list[tuple[Player, list[int]]]:
    """The different players with their powers, in the order of their first seats."""
    found: dict[int, tuple[Player, list[int]]] = {}
    for power, player in enumerate(seats):
        found.setdefault(id(player), (player, []))[1].append(power)
    return list(found.values())
