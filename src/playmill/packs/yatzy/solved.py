"""The solved solitaire game behind the pack's bots, appraisals and measurements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from playmill.arena.measure import Fields
from playmill.arena.standing import Progress as Standings
from playmill.core.executor import Progress
from playmill.games.game import Game
from playmill.games.state import State
from playmill.games.yatzy.oracle import Oracle
from playmill.packs.yatzy.appraiser import OracleAppraiser
from playmill.packs.yatzy.oracle_bot import OracleBot
from playmill.packs.yatzy.oracle_suite import oracle_suite
from playmill.play.player import MakePlayer

_loaded: list[Oracle] = []  # one at most: whoever asks again need not read its file again


def load_oracle(workers: int, progress: Progress | None = None) -> Oracle:
    """The oracle; solved if it never was on this machine, which `progress` hears board by board."""
    if not _loaded:
        _loaded.append(Oracle.load(workers, progress))
    return _loaded[0]


def open_bot(game: Game, workers: int) -> MakePlayer:
    oracle = load_oracle(workers)
    return lambda _lanes: OracleBot(oracle)


def open_appraiser(workers: int) -> OracleAppraiser:
    return OracleAppraiser(load_oracle(workers))


def measure(
    game: Game, bots: Sequence[MakePlayer], games: int, seed: int, workers: int, progress: Standings | None
) -> list[Fields]:
    """The suite's fields of each bot (`docs/formats.md`)."""
    reports = oracle_suite(bots, games, seed, workers, load_oracle(workers), progress, game)
    return [report.fields() for report in reports]


def action_values(state: State) -> np.ndarray[Any, Any]:
    """Points to come by action on the mover's own board, float64 [47]; NaN where illegal."""
    record, mover = state.record, state.to_move
    dice = [int(die) for die in record.dice]
    return load_oracle(1).action_values(int(record.avail[mover]), int(record.upper[mover]), dice, int(record.rerolls))
