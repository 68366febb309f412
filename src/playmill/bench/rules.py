"""How fast the rules of a game answer what a search asks of every position."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.bench.measure import Paced, best_rates
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.core.jit import kernel
from playmill.games import kernels

GAMES = 24


@benchmark("rules.exchange.encode", "positions/s")
def exchange_encode(setup: Setup) -> Measured:
    """Positions of random EXCHANGE games encoded for a network, with their legal moves, on one core."""
    from playmill.games.registry import get_game

    game = get_game("exchange")
    records, planes = _positions(game), np.zeros(game.feature_count, np.float32)
    actions = np.empty(game.max_legal, np.int32)

    def encode(rounds: int) -> int:
        encode_all(game, records, planes, actions, rounds)
        return rounds * len(records)

    rate = best_rates({"ours": Paced(encode)}, setup.seconds)["ours"]
    return Measured(rate, {"positions": len(records), "planes": game.features[0]})


def _positions(game: Any) -> Any:
    """All positions of some random games in which somebody is to move."""
    from playmill.games.golden import random_action

    found = []
    for seed in range(GAMES):
        state = game.new(seed)
        while not state.is_over:
            found.append(state.record)
            state = state.apply(random_action(state))
    return np.array(found, game.state)


@kernel
def encode_all(game: Any, records: Any, planes: Any, actions: Any, rounds: Any) -> Any:
    """What a search does with every new position, so many times over."""
    for _ in range(rounds):
        for i in range(records.size):
            planes[:] = 0
            kernels.encode(game, records[i], planes)
            kernels.legal(game, records[i], actions)
