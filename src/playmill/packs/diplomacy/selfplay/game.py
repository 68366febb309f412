"""One game of self-play under way: a small object, so that a thread may have several side by side.

    game = SelfPlayGame(number, settings, table)
    while not game.is_over:
        game.step(player)
    record = game.record()

`step` asks a player and plays what it says. Who asks for many games at once calls `play` with the decisions instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.seeds import mix
from playmill.games.diplomacy.board import RULES
from playmill.games.diplomacy.dfen import write_dfen
from playmill.games.diplomacy.dson import write_orders
from playmill.games.diplomacy.geography import CENTRES, NOBODY, POWER_COUNT, POWERS
from playmill.games.diplomacy.phases import advance
from playmill.games.diplomacy.plain import Plain
from playmill.games.diplomacy.state import UNIT_LIMIT, count_centres, start_states, winner
from playmill.games.diplomacy.verdicts import RESULT
from playmill.games.diplomacy.work import new_work
from playmill.packs.diplomacy.players.player import ALL_POWERS, Decision, split_orders
from playmill.packs.diplomacy.players.team import Decider
from playmill.packs.diplomacy.search.heuristics import is_movement
from playmill.packs.diplomacy.search.random_orders import RandomOrders
from playmill.packs.diplomacy.selfplay.quality import Watch
from playmill.packs.diplomacy.selfplay.records import (
    VALUE_DIGITS,
    EndedBy,
    GameRecord,
    Orders,
    PhaseRecord,
    describe_phase,
    powers_dict,
)
from playmill.packs.diplomacy.selfplay.settings import DiplomacyGameSettings

PLAYER, WHETHER, RANDOM = range(3)  # streams of a phase: the player's, who plays at random, and what
SEED_SHIFT = 11  # a game's seed has 53 bits, so that readers with floats for numbers keep it whole
UNIT = 2.0**-53

ByPower = dict[int, np.ndarray]


class GameTable:
    """The memory that the games of one thread share."""

    def __init__(self, settings: DiplomacyGameSettings) -> None:
        self.rules = RULES[settings.rules]
        self.random = RandomOrders(self.rules)
        self._work, self._results = new_work(), np.zeros(UNIT_LIMIT, RESULT)

    def advance(self, state: Any, orders: np.ndarray) -> None:
        """Carry out a phase in place."""
        advance(state, orders, orders.size, self.rules, self._work[0], self._results)


class SelfPlayGame:
    """A game from 1901 to a solo, a stalemate or the end of the last year."""

    def __init__(self, number: int, settings: DiplomacyGameSettings, table: GameTable) -> None:
        self.number, self.settings = number, settings
        self.seed = mix(settings.seed, number) >> SEED_SHIFT
        self._table = table
        self._states = start_states(1)
        self.budget = settings.budget.as_budget()
        self._watch = Watch(settings, self._owners())
        self._phases: list[PhaseRecord] = []

    @property
    def state(self) -> Any:
        """The position, a record."""
        return self._states[0]

    @property
    def stream(self) -> int:
        """Where this phase's random words come from: the game's seed and the phase's number, nothing else."""
        return mix(self.seed, len(self._phases))

    @property
    def player_stream(self) -> int:
        """Where the random words of this phase's player come from."""
        return mix(self.stream, PLAYER)

    @property
    def ended_by(self) -> EndedBy | None:
        """What ended the game; None while it goes on."""
        if winner(self.state) != NOBODY:
            return "solo"
        if self._watch.is_stalemate:
            return "stalemate"
        return "max_year" if self.state.year > self.settings.max_year else None

    @property
    def is_over(self) -> bool:
        return self.ended_by is not None

    def step(self, player: Decider) -> None:
        """Play one phase with what the player decides for all powers."""
        self.play(player.decide(self.state, None, self.player_stream, self.budget))

    def play(self, decision: Decision) -> None:
        """Play one phase: the decision's orders, or random ones where the temperature says so."""
        random = self._random_orders()
        orders = {power: random.get(power, decision.orders[power]) for power in ALL_POWERS}
        advised = {power: decision.orders[power] for power in random}
        self._phases.append(self._phase_record(orders, advised, decision.values))
        year = int(self.state.year)
        self._table.advance(self.state, np.concatenate(list(orders.values())).astype(np.int32))
        if self.state.year > year or winner(self.state) != NOBODY:
            self._watch.end_year(year, self._owners())

    def record(self) -> GameRecord:
        """The game, once it is over."""
        end, power = self.ended_by, int(winner(self.state))
        if end is None:
            raise ValueError(f"game {self.number} is not over")
        return GameRecord(
            game_id=self.number,
            seed=self.seed,
            reproducible=self.settings.budget.is_reproducible,
            winner=None if power == NOBODY else POWERS[power],
            ended_by=end,
            final_year=self._phases[-1].year,
            final_sc_counts=powers_dict(self._counts()),
            final_dfen=write_dfen(Plain.of(self._states)),
            quality=self._watch.quality(),
            settings=self.settings.as_json(),
            phases=self._phases,
        )

    # ------------------------------------------------------------------ parts of a phase

    def _random_orders(self) -> ByPower:
        """Random order sets for the powers whose turn it is to explore; retreats and builds are never random."""
        if not is_movement(self.state):
            return {}
        chance = self.settings.random_chance(int(self.state.year))
        words = mix(self.stream, WHETHER)
        powers = [power for power in ALL_POWERS if (mix(words, power) >> SEED_SHIFT) * UNIT < chance]
        if not powers:
            return {}
        drawn = self._table.random.draw(self.state, mix(self.stream, RANDOM))
        return {power: own for power, own in split_orders(self.state, drawn, powers).items() if own.size}

    def _phase_record(self, orders: ByPower, advised: ByPower, values: np.ndarray) -> PhaseRecord:
        plain = Plain.of(self._states)
        dfen = write_dfen(plain)
        year, season, kind = describe_phase(dfen)
        return PhaseRecord(
            dfen=dfen,
            year=year,
            season=season,
            phase=kind,
            orders=_texts(orders, plain),
            advised=_texts(advised, plain),
            values=powers_dict(round(value, VALUE_DIGITS) for value in values.tolist()),
            sc_counts=powers_dict(self._counts()),
        )

    def _counts(self) -> list[int]:
        counts = np.zeros(POWER_COUNT, np.int64)
        count_centres(self.state, counts)
        found: list[int] = counts.tolist()
        return found

    def _owners(self) -> list[int]:
        found: list[int] = self.state.owner[CENTRES].tolist()
        return found


def _texts(orders: ByPower, plain: Plain) -> Orders:
    """DSON by power, of those that have orders."""
    return {POWERS[power]: write_orders(own.tolist(), plain) for power, own in orders.items() if own.size}
