"""A game from an opening to its end, seven seats, each with a player.

Players that draw nothing play the same game again from the same position. So an opening's orders are drawn, and a game carries
a key by which a repetition is found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from playmill.core.seeds import mix
from playmill.games.diplomacy.geography import NOBODY, POWER_COUNT
from playmill.games.diplomacy.phases import advance
from playmill.games.diplomacy.state import UNIT_LIMIT, count_centres, start_states, winner
from playmill.games.diplomacy.verdicts import RESULT
from playmill.games.diplomacy.work import new_work
from playmill.packs.diplomacy.players.player import Decision, DiplomacyPlayer
from playmill.packs.diplomacy.players.team import Alone, Team
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


class Asked(NamedTuple):
    """A phase of one game: who is asked for which powers, in this order."""

    state: Any
    stream: int
    seating: Sequence[tuple[int, list[int]]]  # the number of a team, and its powers


class SeatedGame:
    """A game from an opening to a solo or through its last year: a small object, so that a thread may have several."""

    def __init__(
        self, match: DiplomacyMatch, seats: Sequence[int], max_year: int, stream: int, opening: Opening, number: int = 0
    ) -> None:
        """`seats` are the numbers of the teams, one for each power; `number` is the game's own, for whoever counts."""
        self.number, self._match, self._max_year, self._stream = number, match, max_year, stream
        self._seating = seating(seats)
        self._states = match.open(opening)
        self._key = hashlib.blake2b(self._states.tobytes(), digest_size=KEY_BYTES)
        self._phases = self._nodes = 0

    @property
    def is_over(self) -> bool:
        return int(self._states[0].year) > self._max_year or winner(self._states[0]) != NOBODY

    def asked(self) -> Asked:
        """What the players are asked now."""
        return Asked(self._states[0], mix(self._stream, self._phases), self._seating)

    def play(self, orders: np.ndarray, nodes: int) -> None:
        """Carry out a phase, which took so many nodes."""
        # In an order that does not depend on who was asked first.
        self._key.update(np.sort(orders).tobytes() + b"|")
        self._match.advance(self._states[0], orders)
        self._nodes += nodes
        self._phases += 1

    def ending(self) -> Ending:
        """How it ended, once it is over."""
        state, centres = self._states[0], np.zeros(POWER_COUNT, np.int64)
        count_centres(state, centres)
        # The position after a game's last builds is already in the next year.
        year = min(int(state.year), self._max_year)
        return Ending(centres, int(winner(state)), year, self._phases, self._nodes, self._key.digest())


class DiplomacyMatch:
    """Plays games; made once a thread."""

    def __init__(self, rules: int) -> None:
        self._rules = rules
        self._random = RandomOrders(rules)
        self._work, self._results = new_work(), np.zeros(UNIT_LIMIT, RESULT)

    def play(
        self,
        seats: Sequence[DiplomacyPlayer],
        max_year: int,
        stream: int,
        budget: Budget | None = None,
        opening: Opening | None = None,
    ) -> Ending:
        """Play from 1901 to a solo or through `max_year`; each seat has the budget, also where seats share a player."""
        teams, numbers = _as_teams(seats)
        game = SeatedGame(self, numbers, max_year, stream, opening or Opening())
        while not game.is_over:
            self.play_round(teams, [game], budget)
        return game.ending()

    def play_round(self, teams: Sequence[Team], games: Sequence[SeatedGame], budget: Budget | None = None) -> None:
        """Play a phase of each game, every team asked once for all of them; each seat has the budget."""
        each = replace(budget or Budget(), is_each=True)
        for game, (orders, nodes) in zip(games, ask(teams, [game.asked() for game in games], each), strict=True):
            game.play(orders, nodes)

    def open(self, opening: Opening) -> Any:
        """The position after an opening, one record."""
        states = start_states(1)
        moves = phases = 0
        while moves < opening.phases:
            moves += bool(is_movement(states[0]))
            self.advance(states[0], self._random.draw(states[0], mix(opening.stream, phases)))
            phases += 1
        return states

    def play_phase(self, state: Any, seats: Sequence[DiplomacyPlayer], stream: int, budget: Budget | None = None) -> int:
        """Ask all seats and carry the phase out in place; return how many nodes that took."""
        teams, numbers = _as_teams(seats)
        ((orders, nodes),) = ask(teams, [Asked(state, stream, seating(numbers))], budget)
        self.advance(state, orders)
        return nodes

    def advance(self, state: Any, orders: np.ndarray) -> None:
        """Carry out a phase in place."""
        advance(state, orders, orders.size, self._rules, self._work[0], self._results)


def ask(teams: Sequence[Team], games: Sequence[Asked], budget: Budget | None) -> list[tuple[np.ndarray, int]]:
    """The orders of each game's phase, int32, and the nodes that they took; a team is asked once for all its games."""
    decisions: dict[tuple[int, int], Decision] = {}
    for number, team in enumerate(teams):
        places = [(i, place) for i, game in enumerate(games) for place, (who, _) in enumerate(game.seating) if who == number]
        if not places:
            continue
        states = [games[i].state for i, _ in places]
        streams = [mix(games[i].stream, place) for i, place in places]
        powers = [games[i].seating[place][1] for i, place in places]
        decisions |= zip(places, team.decide_round(states, streams, budget, powers), strict=True)
    return [_together([decisions[i, place] for place in range(len(game.seating))]) for i, game in enumerate(games)]


def _together(decisions: list[Decision]) -> tuple[np.ndarray, int]:
    parts = [orders for decision in decisions for orders in decision.orders.values()]
    return np.concatenate([np.zeros(0, np.int32), *parts]).astype(np.int32), sum(decision.nodes for decision in decisions)


def seating(seats: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The different teams with their powers, in the order of their first seats."""
    found: dict[int, list[int]] = {}
    for power, number in enumerate(seats):
        found.setdefault(number, []).append(power)
    return list(found.items())


def _as_teams(seats: Sequence[DiplomacyPlayer]) -> tuple[list[Team], list[int]]:
    """A team for each different player, and the seats by their numbers; seats that share a player are asked in one call."""
    players = list({id(player): player for player in seats}.values())
    numbers = {id(player): number for number, player in enumerate(players)}
    return [Alone(player) for player in players], [numbers[id(player)] for player in seats]
