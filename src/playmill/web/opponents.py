"""Who may sit on the other side of a table: a game's bots, pretrained players, models that were named, the runs' best."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playmill.arena.entrants import RANDOM, find_bot
from playmill.core.errors import PlaymillError, UsageError, unknown_name
from playmill.core.executor import count_threads
from playmill.core.extras import is_installed, require_extra
from playmill.games.game import Game
from playmill.games.registry import game_names
from playmill.nets.pretrained import pretrained
from playmill.packs.registry import find_game, find_pack
from playmill.play.player import MakePlayer
from playmill.replay.saved_game import Opponent
from playmill.web.run_shelf import RunShelf

Networks = dict[str, tuple[str, Path]]  # by name: the game, and the file

OF_RUN = "run "  # what stands before a run's name


class Opponents:
    """Opponents by name; a name belongs to a game, and to no other's table."""

    def __init__(self, models: Mapping[str, Path], runs: RunShelf | None) -> None:
        self._models = {name: (_game_of(name, path), path) for name, path in models.items()}
        self._runs = runs

    def games(self) -> list[dict[str, Any]]:
        """The games that can be played, each with those who play it."""
        rows, networks = [], self._networks()
        for name in game_names():
            try:
                game = find_game(name)
            except PlaymillError:
                continue  # a package's game that is broken; `playmill games` says why
            rows.append({"name": name, "title": game.title, "players": game.players, "opponents": _choices(name, networks)})
        return rows

    def find(self, game: Game, name: str) -> str:
        """The bot that a name means, as `playmill play --against` takes it; one of another game is refused."""
        if name in (RANDOM, *find_pack(game.name).bots):
            return name
        known = self._networks()
        if name not in known:
            raise unknown_name(f"opponent for {game.name}", name, [each["name"] for each in _choices(game.name, known)])
        own, path = known[name]
        if own != game.name:
            raise UsageError(f"{name}: expected a model of {game.name}, got one of {own}; choose another opponent")
        return str(path)

    def open(self, game: Game, opponent: Opponent) -> MakePlayer:
        """The bot, with what it needs done once."""
        pack, threads = find_pack(game.name), count_threads(None)
        if opponent.bot in pack.bots and pack.preparation is not None:
            pack.preparation.run(threads, None)
        return find_bot(opponent.bot, game, opponent.search, opponent.simulations, pack.bots, workers=threads)

    def _networks(self) -> Networks:
        found = self._runs.best_networks() if self._runs else {}
        return _pretrained() | self._models | {OF_RUN + name: network for name, network in found.items()}


def _pretrained() -> Networks:
    """Players that come with the package, where their networks can be opened; kept games have their names, not paths."""
    if not is_installed("torch"):
        return {}
    return {name: (model.game, Path(name)) for name, model in pretrained().items()}


def _choices(game: str, networks: Networks) -> list[dict[str, str]]:
    bots = [{"name": bot, "kind": "bot"} for bot in (RANDOM, *find_pack(game).bots)]
    return bots + [{"name": name, "kind": "model"} for name, (own, _) in networks.items() if own == game]


def _game_of(name: str, path: Path) -> str:
    """The game of a model; a file that is none is refused by its name."""
    require_extra("nets", f"--model {name}", ["torch"])
    from playmill.packs.checkpoints import open_checkpoint

    return open_checkpoint(path).meta.game
