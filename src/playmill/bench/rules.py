"""How fast the rules of a game answer what a search asks of every position."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.bench.measure import Paced, best_rates
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.core.jit import kernel
from playmill.games import kernels
from playmill.games.yatzy.hands import CATEGORY_COUNT
from playmill.games.yatzy.rules import score_of

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


@benchmark("rules.tictactoe.legal", "positions/s")
def tictactoe_legal(setup: Setup) -> Measured:
    """Legal actions of positions of random tic-tac-toe games listed, on one core."""
    return _legal("tictactoe", setup)


@benchmark("rules.connect_four.legal", "positions/s")
def connect_four_legal(setup: Setup) -> Measured:
    """The same in connect four."""
    return _legal("connect_four", setup)


@benchmark("rules.yatzy.legal", "positions/s")
def yatzy_legal(setup: Setup) -> Measured:
    """The same in Yatzy."""
    return _legal("yatzy", setup)


@benchmark("rules.exchange.legal", "positions/s")
def exchange_legal(setup: Setup) -> Measured:
    """The same in EXCHANGE."""
    return _legal("exchange", setup)


@benchmark("rules.go9.legal", "positions/s")
def go9_legal(setup: Setup) -> Measured:
    """The same in Go on 9x9."""
    return _legal("go9", setup)


@benchmark("rules.yatzy.scores", "hands/s")
def yatzy_scores(setup: Setup) -> Measured:
    """All hands of five dice scored in all fifteen categories of Yatzy, on one core."""
    from itertools import combinations_with_replacement

    hands = np.array(list(combinations_with_replacement(range(1, 7), 5)), np.int8)
    out = np.zeros(CATEGORY_COUNT, np.int64)

    def score(rounds: int) -> int:
        score_all(hands, out, rounds)
        return rounds * len(hands)

    rate = best_rates({"ours": Paced(score)}, setup.seconds)["ours"]
    return Measured(rate, {"hands": len(hands), "categories": CATEGORY_COUNT})


def _legal(name: str, setup: Setup) -> Measured:
    from playmill.games.registry import get_game

    game = get_game(name)
    records, actions = _positions(game), np.empty(game.max_legal, np.int32)
    counts = [list_all(game, records, actions, 1)]

    def list_them(rounds: int) -> int:
        list_all(game, records, actions, rounds)
        return rounds * len(records)

    rate = best_rates({"ours": Paced(list_them)}, setup.seconds)["ours"]
    return Measured(rate, {"positions": len(records), "mean_actions": counts[0] / len(records)})


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


@kernel
def list_all(game: Any, records: Any, actions: Any, rounds: Any) -> Any:
    """List the legal actions of all positions, so many times over; return how many there were."""
    total = 0
    for _ in range(rounds):
        for i in range(records.size):
            total += kernels.legal(game, records[i], actions)
    return total


@kernel
def score_all(hands: Any, out: Any, rounds: Any) -> None:
    """Score all hands in all categories, so many times over."""
    for _ in range(rounds):
        for i in range(len(hands)):
            for category in range(CATEGORY_COUNT):
                out[category] += score_of(hands[i], category)
