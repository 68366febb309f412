"""playmill turns play into data, players and puzzles.

The names below are loaded on first use, so that importing playmill costs nothing (`docs/api.md` has an example of each):

    import playmill
    state = playmill.get_game("connect_four").new(seed=7)
    batch = playmill.Simulator(playmill.uniform_random).playout_many(state, 10_000, workers=2)
    print(playmill.search(state, simulations=100))
"""

from __future__ import annotations

import importlib

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in `typing`, which takes longer to load than all of this
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from playmill.api import Evaluation as Evaluation
    from playmill.api import Model as Model
    from playmill.api import load_model as load_model
    from playmill.api import search as search
    from playmill.api import uniform_evaluator as uniform_evaluator
    from playmill.core.errors import ContractError as ContractError
    from playmill.core.errors import IllegalAction as IllegalAction
    from playmill.core.errors import PlaymillError as PlaymillError
    from playmill.core.errors import UnknownName as UnknownName
    from playmill.core.errors import UsageError as UsageError
    from playmill.core.evaluation import Evaluator as Evaluator
    from playmill.core.evaluation import LocalEvaluator as LocalEvaluator
    from playmill.games.diplomacy.board import Board as Board
    from playmill.games.game import Game as Game
    from playmill.games.registry import game_names as game_names
    from playmill.games.registry import get_game as get_game
    from playmill.games.state import State as State
    from playmill.games.yatzy.oracle import Oracle as Oracle
    from playmill.nets.meta import CheckpointError as CheckpointError
    from playmill.search.position import SearchResult as SearchResult
    from playmill.search.settings import SearchSettings as SearchSettings
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

_ROOMS = {
    "playmill.games.game": ("Game",),
    "playmill.games.registry": ("game_names", "get_game"),
    "playmill.games.state": ("State",),
    "playmill.games.yatzy.oracle": ("Oracle",),
    "playmill.games.diplomacy.board": ("Board",),
    "playmill.sim": (
        "BranchingObserver", "PlayoutBatch", "PlayoutOptions", "PlayoutResult", "Simulator", "TerminalReason",
        "TranspositionSet", "all_legal", "composite", "first_legal", "randomized", "uniform_random",
    ),
    "playmill.search.position": ("SearchResult",),
    "playmill.search.settings": ("SearchSettings",),
    "playmill.core.evaluation": ("Evaluator", "LocalEvaluator"),
    "playmill.api": ("Evaluation", "Model", "load_model", "uniform_evaluator"),
    "playmill.core.errors": ("ContractError", "IllegalAction", "PlaymillError", "UnknownName", "UsageError"),
    "playmill.nets.meta": ("CheckpointError",),
}  # fmt: skip
_HOMES = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = ["__version__", "search", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'playmill' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


class _SearchRoom(type(importlib)):  # type: ignore[misc]
    """The room `playmill.search`, which can be called, too: `playmill.search(state)`.

    A package and a function can't share a name: importing any file of the package sets the name to the package. So there is
    one object, the package, whatever is imported first.
    """

    def __call__(
        self,
        state: State,
        model: Model | Evaluator | Path | str | None = None,
        simulations: int = 100,
        *,
        kind: str | SearchSettings = "auto",
    ) -> SearchResult:
        """What a search makes of a state (`playmill.api.search`)."""
        found: SearchResult = importlib.import_module("playmill.api").search(state, model, simulations, kind=kind)
        return found


importlib.import_module("playmill.search").__class__ = _SearchRoom
