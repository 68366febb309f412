"""A game from an opening to its end, seven seats, each with a player.

Players that draw nothing play the same game again from the same position. So an opening's orders are drawn, and a game carries
a key by which a repetition is found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from playmill.core.seeds import mix
from playmill.games.diplomacy.geography import NOBODY, POWER_COUNT
from playmill.games.diplomacy.phases import advance
from playmill.games.diplomacy.state import UNIT_LIMIT, count_centres, start_states, winner
from playmill.games.diplomacy.verdicts import RESULT
from playmill.games.diplomacy.work import new_work
from playmill.packs.diplomacy.players.player import DiplomacyPlayer
from playmill.packs.diplomacy.search.budgets import Budget
from playmill.packs.diplomacy.search.heuristics import is_movement
from playmill.packs.diplomacy.search.random_orders import RandomOrders

KEY_BYTES = 16


@dataclass(frozen=True)
class Opening:
    """The first movement phases of a game, and retreats between them, at random: any legal order of a unit is as likely."""

    phases: int = 0  # movement phases
    stream: int = 0  # where its random words come from: the same stream, the same opening


@dataclass(frozen=True)
class Ending:
    """How a game ended."""

    centres: np.ndarray  # int64 [7]
    winner: int  # -1 without a solo
    year: int  # the last one that was played
    phases: int
    nodes: int
    key: bytes  # of the position after the opening and of all orders since: the same for the same game

    @property
    def shares(self) -> np.ndarray:
        """Float64 [7], summing to 1: all to a solo; without one, by the squares of the centres."""
        if self.winner != NOBODY:
            squares = np.arange(POWER_COUNT) == self.winner
        else:
            squares = self.centres.astype(np.float64) ** 2
        shares: np.ndarray = squares / squares.sum()
        return shares


class DiplomacyMatch:
    """Plays games; made once a thread. Seats that share a player object are asked in one call."""

    def __init__(self, rules: int) -> None:
        self._rules = rules
        self._random = RandomOrders(rules)
        self._work, self._results = new_work(), np.zeros(UNIT_LIMIT, RESULT)
        self._orders = np.zeros(UNIT_LIMIT, np.int32)

    def play(
        self,
        seats: Sequence[DiplomacyPlayer],
        max_year: int,
        stream: int,
        budget: Budget | None = None,
        opening: Opening | None = None,
    ) -> Ending:
        """Play from 1901 to a solo or through `max_year`; each seat has the budget, also where seats share a player."""
        states = self.open(opening or Opening())
        each = replace(budget or Budget(), is_each=True)
        key = hashlib.blake2b(states.tobytes(), digest_size=KEY_BYTES)
        phases = nodes = 0
        while int(states[0].year) <= max_year and winner(states[0]) == NOBODY:
            count, used = self._ask(states[0], seats, mix(stream, phases), each)
            # In an order that does not depend on who was asked first.
            key.update(np.sort(self._orders[:count]).tobytes() + b"|")
            self._advance(states[0], count)
            nodes += used
            phases += 1
        centres = np.zeros(POWER_COUNT, np.int64)
        count_centres(states[0], centres)
        # The position after a game's last builds is already in the next year.
        year = min(int(states[0].year), max_year)
        return Ending(centres, int(winner(states[0])), year, phases, nodes, key.digest())

    def open(self, opening: Opening) -> Any:
        """The position after an opening, one record."""
        states = start_states(1)
        moves = phases = 0
        while moves < opening.phases:
            moves += bool(is_movement(states[0]))
            drawn = self._random.draw(states[0], mix(opening.stream, phases))
            self._orders[: drawn.size] = drawn
            self._advance(states[0], drawn.size)
            phases += 1
        return states

    def play_phase(self, state: Any, seats: Sequence[DiplomacyPlayer], stream: int, budget: Budget | None = None) -> int:
        """Ask all seats and carry the phase out in place; return how many nodes that took."""
        count, nodes = self._ask(state, seats, stream, budget)
        self._advance(state, count)
        return nodes

    def _ask(self, state: Any, seats: Sequence[DiplomacyPlayer], stream: int, budget: Budget | None) -> tuple[int, int]:
        """Fill the orders of all seats; return how many there are, and the nodes that took."""
        count = nodes = 0
        for number, (player, powers) in enumerate(_by_player(seats)):
            decision = player.decide(state, powers, mix(stream, number), budget)
            nodes += decision.nodes
            for orders in decision.orders.values():
                self._orders[count : count + orders.size] = orders
                count += orders.size
        return count, nodes

    def _advance(self, state: Any, count: int) -> None:
        advance(state, self._orders, count, self._rules, self._work[0], self._results)


def _by_player(seats: Sequence[DiplomacyPlayer]) -> list[tuple[DiplomacyPlayer, list[int]]]:
    """The different players with their powers, in the order of their first seats."""
    found: dict[int, tuple[DiplomacyPlayer, list[int]]] = {}
    for power, player in enumerate(seats):
        found.setdefault(id(player), (player, []))[1].append(power)
    return list(found.values())
