"""playmill turns play into data, players and puzzles.

The names below are loaded on first use, so that importing playmill costs nothing:

    import playmill
    state = playmill.get_game("connect_four").new(seed=7)
    batch = playmill.Simulator(playmill.uniform_random).playout_many(state, 10_000, workers=2)
"""

from __future__ import annotations

import importlib

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in `typing`, which takes longer to load than all of this
if TYPE_CHECKING:
    from typing import Any

    from playmill.games.game import Game as Game
    from playmill.games.registry import game_names as game_names
    from playmill.games.registry import get_game as get_game
    from playmill.games.state import State as State
    from playmill.games.yatzy.oracle import Oracle as Oracle
    from playmill.sim import BranchingObserver as BranchingObserver
    from playmill.sim import PlayoutBatch as PlayoutBatch
    from playmill.sim import PlayoutOptions as PlayoutOptions
    from playmill.sim import PlayoutResult as PlayoutResult
    from playmill.sim import Simulator as Simulator
    from playmill.sim import TerminalReason as TerminalReason
    from playmill.sim import TranspositionSet as TranspositionSet
    from playmill.sim import all_legal as all_legal
    from playmill.sim import composite as composite
    from playmill.sim import first_legal as first_legal
    from playmill.sim import randomized as randomized
    from playmill.sim import uniform_random as uniform_random

_HOMES = {
    "Game": "playmill.games.game",
    "game_names": "playmill.games.registry",
    "get_game": "playmill.games.registry",
    "State": "playmill.games.state",
    "Oracle": "playmill.games.yatzy.oracle",
    **dict.fromkeys(
        (
            "BranchingObserver", "PlayoutBatch", "PlayoutOptions", "PlayoutResult", "Simulator", "TerminalReason",
            "TranspositionSet", "all_legal", "composite", "first_legal", "randomized", "uniform_random",
        ),
        "playmill.sim",
    ),
}  # fmt: skip

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'playmill' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
