"""Families of networks: what those of a game are made for, how their files are read, and what answers for them.

Every game of the contract has one (`family_of`). A game that is searched and learnt otherwise brings its own with its pack, and
whoever only hands rows on, such as a server, need not know the difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.games.game import Game
from playmill.nets.net_evaluator import NetEvaluator

if TYPE_CHECKING:
    from playmill.nets.checkpoint import AnyNet


@dataclass(frozen=True)
class NetFamily:
    """The networks of one game. Its functions import PyTorch when they are called."""

    game: str
    ruleset: str
    action_space: str
    feature_schema: int
    feature_type: str  # how small a feature may be made on its way
    players: int
    max_legal: int  # the most logits that a search asks for with a position; 0: always all
    read: Callable[[Path], AnyNet]  # refuses a file of any other game by name
    open: Callable[[AnyNet, str, str, int], NetEvaluator]  # by backend, device, and how many rows are asked for at a time


def family_of(game: Game) -> NetFamily:
    """The family of a game of the contract."""

    def read(path: Path) -> AnyNet:
        from playmill.nets.checkpoint import load_checkpoint

        return load_checkpoint(path, game)

    def open_network(checkpoint: AnyNet, backend: str, device: str, rows: int) -> NetEvaluator:
        from playmill.nets.checkpoint import Checkpoint
        from playmill.nets.evaluators import open_evaluator

        assert isinstance(checkpoint, Checkpoint)
        return open_evaluator(checkpoint, backend, device, game=game, rows=rows)

    return NetFamily(
        game.name, game.ruleset, game.action_space, game.feature_schema, game.feature_type, game.players, game.max_legal,
        read, open_network,
    )  # fmt: skip
