"""Recorded games as samples: positions, the orders that were given there, and what became of everybody.

Where a record says what the search advised, that is what is learnt; the random orders that were played instead are not. Which
games are kept for validation hangs on each game's own seed, so a game never changes sides when others come and go.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.core.errors import UsageError
from playmill.core.seeds import below, mix
from playmill.games.diplomacy.dfen import read_dfen
from playmill.games.diplomacy.dson import read_orders
from playmill.games.diplomacy.geography import POWER_COUNT, POWERS
from playmill.games.diplomacy.state import STATE
from playmill.packs.diplomacy.selfplay.records import GameRecord, PhaseRecord

VALIDATION = 0xFFFF_FFFF_FFFF_FF30  # the stream that tells which games are kept for validation
THOUSAND = 1000


@dataclass(frozen=True)
class PhaseSamples:
    """Positions and what they teach. The orders of position i are those from `starts[i]` to `starts[i + 1]`."""

    states: Any  # [n] STATE
    outcomes: np.ndarray  # [n, 7] float32: shares of the game's outcome
    estimates: np.ndarray  # [n, 7] float32: what the search expected
    starts: np.ndarray  # [n + 1] int64
    orders: np.ndarray  # [orders] int32

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, rows: slice) -> PhaseSamples:
        """Neighbouring ones; they share the memory."""
        begin, end, _ = rows.indices(len(self))
        starts = self.starts[begin : end + 1]
        orders = self.orders[starts[0] : starts[-1]]
        return PhaseSamples(self.states[rows], self.outcomes[rows], self.estimates[rows], starts - starts[0], orders)


def outcome_shares(record: GameRecord) -> np.ndarray:
    """What each power got, summing to 1: a winner all of it, else by the squares of the final centres."""
    if record.winner is not None:
        squares = np.array([power == record.winner for power in POWERS], np.float64)
    else:
        squares = np.array([record.final_sc_counts[power] for power in POWERS], np.float64) ** 2
    shares: np.ndarray = squares / squares.sum()
    return shares


def is_for_validation(record: GameRecord, share: float) -> bool:
    """Whether a game is among the `share` of all that are not trained on."""
    return below(mix(record.seed, VALIDATION), THOUSAND) < round(share * THOUSAND)


def make_samples(records: Iterable[GameRecord]) -> PhaseSamples:
    """The samples of some games, in order."""
    states, outcomes, estimates, starts, orders = [], [], [], [0], list[int]()
    for record in records:
        share = outcome_shares(record)
        for phase in record.phases:
            states.append(_state(record, phase))
            outcomes.append(share)
            estimates.append([phase.values[power] for power in POWERS])
            orders += _orders(record, phase, int(states[-1]["phase"][0]))
            starts.append(len(orders))
    return PhaseSamples(
        states=np.concatenate(states) if states else np.zeros(0, STATE),
        outcomes=np.array(outcomes, np.float32).reshape(-1, POWER_COUNT),
        estimates=np.array(estimates, np.float32).reshape(-1, POWER_COUNT),
        starts=np.array(starts, np.int64),
        orders=np.array(orders, np.int32),
    )


def _state(record: GameRecord, phase: PhaseRecord) -> Any:
    try:
        return read_dfen(phase.dfen).states()
    except UsageError as error:
        raise UsageError(f"game {record.game_id}: {error}") from None


def _orders(record: GameRecord, phase: PhaseRecord, number: int) -> list[int]:
    """The orders that are worth learning, as numbers; an advised one goes before what was played."""
    try:
        texts = {**phase.orders, **phase.advised}.values()
        return [written.order for text in texts for written in read_orders(text, number)]
    except UsageError as error:
        raise UsageError(f"game {record.game_id}: {phase.dfen[:6]}: {error}") from None
