"""Positions to measure on: unfinished ones, out of random games, spread over the opening plies."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.core.jit import kernel
from playmill.core.seeds import mix
from playmill.games.game import Game
from playmill.search.decisions import Array
from playmill.search.nodes import ask_logits
from playmill.sim import PlayoutOptions, Simulator, uniform_random

PLIES = 7  # no game of connect four is over before its seventh move, none of Yatzy before its thirtieth


def positions(game: Game, count: int) -> Any:
    """`count` records, each 0 to PLIES - 1 random moves into a game of its own."""
    return np.array([_after(game, i, i % PLIES).record for i in range(count)], game.state)


def _after(game: Game, seed: int, plies: int) -> Any:
    state = game.new(mix(0, seed))
    return Simulator(uniform_random, PlayoutOptions(max_events=plies)).playout(state).final if plies else state


def features_of(game: Game, count: int) -> Array:
    """Those positions as a network sees them: float32 [count, features]."""
    rows = [_after(game, i, i % PLIES).features().ravel() for i in range(count)]
    return np.stack(rows).astype(np.float32)


def asked_of(game: Game, count: int, asked: Array) -> None:
    """Name the logits that a search wants of those positions, as it does: `asked` int32 [count, actions or 0, 2]."""
    if asked.shape[1]:
        _ask(game, positions(game, count), np.zeros(game.max_legal, np.int32), asked)


@kernel
def _ask(game: Game, records: Any, actions: Array, asked: Array) -> None:
    for i in range(len(records)):
        ask_logits(game, records[i], actions, asked[i])
