"""Recorded games as samples: positions, the orders that were given there, and what became of everybody.

Where a record says what the search advised, that is what is learnt; the random orders that were played instead are not. Which
games are kept for validation hangs on each game's own seed, so a game never changes sides when others come and go.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from playmill.core.errors import PlaymillError, UsageError
from playmill.core.seeds import below, mix
from playmill.diplomacy.records import GameRecord, PhaseRecord, read_records
from playmill.games.diplomacy.dfen import read_dfen
from playmill.games.diplomacy.dson import read_orders
from playmill.games.diplomacy.geography import POWER_COUNT, POWERS
from playmill.games.diplomacy.state import STATE

VALIDATION = 0xFFFF_FFFF_FFFF_FF30  # the stream that tells which games are kept for validation
THOUSAND = 1000


@dataclass(frozen=True)
class Samples:
    """Positions and what they teach. The orders of position i are those from `starts[i]` to `starts[i + 1]`."""

    states: Any  # [n] STATE
    outcomes: np.ndarray  # [n, 7] float32: shares of the game's outcome
    estimates: np.ndarray  # [n, 7] float32: what the search expected
    starts: np.ndarray  # [n + 1] int64
    orders: np.ndarray  # [orders] int32
    games: int

    def __len__(self) -> int:
        return len(self.states)


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


def read_samples(paths: Sequence[Path], validation: float = 0.0) -> tuple[Samples, Samples]:
    """The samples of all games in the files: those to train on, and those for validation."""
    sides: tuple[list[GameRecord], list[GameRecord]] = ([], [])
    for path in paths:
        for record in read_records(path, skip_torn=True):
            sides[is_for_validation(record, validation)].append(record)
    if not sides[0]:
        raise PlaymillError(f"{', '.join(map(str, paths))}: expected games to train on, got none; play some games first")
    return make_samples(sides[0]), make_samples(sides[1])


def make_samples(records: Iterable[GameRecord]) -> Samples:
    """The samples of some games, in order."""
    states, outcomes, estimates, starts, orders = [], [], [], [0], list[int]()
    games = 0
    for record in records:
        games += 1
        share = outcome_shares(record)
        for phase in record.phases:
            states.append(_state(record, phase))
            outcomes.append(share)
            estimates.append([phase.values[power] for power in POWERS])
            orders += _orders(record, phase, int(states[-1]["phase"][0]))
            starts.append(len(orders))
    return Samples(
        states=np.concatenate(states) if states else np.zeros(0, STATE),
        outcomes=np.array(outcomes, np.float32).reshape(-1, POWER_COUNT),
        estimates=np.array(estimates, np.float32).reshape(-1, POWER_COUNT),
        starts=np.array(starts, np.int64),
        orders=np.array(orders, np.int32),
        games=games,
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


def hash_files(paths: Sequence[Path]) -> list[list[str]]:
    """Name and SHA-256 of each file, as a training's plan records them."""
    return [[path.name, _hash(path)] for path in paths]


def _hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UsageError(f"{path}: can't be read ({error.strerror})") from error
