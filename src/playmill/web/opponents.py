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
from playmill.nets.pretrained import is_checkpoint, pretrained
from playmill.packs.registry import find_game, find_pack
from playmill.play.player import MakePlayer
from playmill.replay.saved_game import Opponent
from playmill.runs.folder import RunFolder
from playmill.web.run_shelf import RunShelf

Networks = dict[str, tuple[str, Path]]  # by name: the game, and the file

OF_RUN = "run "  # what stands before a run's name
BOT, READY, NAMED, RUN = "bot", "pretrained", "model", "run"  # kinds of opponents


class Opponents:
    """Opponents by name; a name belongs to a game, and to no other's table."""

    def __init__(self, models: Mapping[str, Path], runs: RunShelf | None) -> None:
        self._models = {name: (_game_of(name, path), path) for name, path in models.items()}
        self._runs = runs

    def games(self) -> list[dict[str, Any]]:
        """The games that can be played, each with those who play it.

        One that only looks at another's rules with other features is no other game to a person, unless a network wants it.
        """
        rows, networks, rulesets = list[dict[str, Any]](), self._networks(), set[str]()
        for name in game_names():
            try:
                game = find_game(name)
            except PlaymillError:
                continue  # a package's game that is broken; `playmill games` says why
            opponents = self._choices(name, networks)
            if game.ruleset in rulesets and all(each["kind"] == BOT for each in opponents):
                continue
            rulesets.add(game.ruleset)
            rows.append({"name": name, "title": game.title, "players": game.players, "opponents": opponents})
        return rows

    def title(self, bot: str) -> str:
        """What people call a bot that kept games name by its file: a model's own name, the run that it is the best of."""
        if not is_checkpoint(bot) or bot in pretrained():
            return bot
        path = Path(bot)
        names = [name for name, (_, own) in self._models.items() if own == path]
        is_best = self._runs is not None and path == RunFolder(self._runs.folder / path.parent.parent.name).best
        return names[0] if names else f"best of {path.parent.parent.name}" if is_best else path.stem

    def adviser(self, game: Game, bot: str) -> str | None:
        """Whose network says what it thinks at a bot's table: its own, else that of a player that is there for the game.

        None where there is none, and where the solved game knows better.
        """
        if is_checkpoint(bot):
            return bot
        ready = [name for name, (own, _) in _pretrained().items() if own == game.name]
        return ready[0] if ready and find_pack(game.name).action_values is None else None

    def find(self, game: Game, name: str) -> str:
        """The bot that a name means, as `playmill play --against` takes it; one of another game is refused."""
        if name in (RANDOM, *find_pack(game.name).bots):
            return name
        known = self._networks()
        if name not in known:
            raise unknown_name(f"opponent for {game.name}", name, [each["name"] for each in self._choices(game.name, known)])
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

    def _choices(self, game: str, networks: Networks) -> list[dict[str, str]]:
        """Each with its kind, and how strong it is where that is known."""
        rows = [{"name": bot, "kind": BOT, "note": ""} for bot in (RANDOM, *find_pack(game).bots)]
        for name, (own, _) in networks.items():
            if own == game:
                kind = NAMED if name in self._models else READY if name in pretrained() else RUN
                rows.append({"name": name, "kind": kind, "note": pretrained()[name].strength if kind == READY else ""})
        return rows

    def _networks(self) -> Networks:
        found = self._runs.best_networks() if self._runs else {}
        return _pretrained() | self._models | {OF_RUN + name: network for name, network in found.items()}


def _pretrained() -> Networks:
    """Players that come with the package, where their networks can be opened; kept games have their names, not paths."""
    if not is_installed("torch"):
        return {}
    return {name: (model.game, Path(name)) for name, model in pretrained().items()}


def _game_of(name: str, path: Path) -> str:
    """The game of a model; a file that is none is refused by its name."""
    require_extra("nets", f"--model {name}", ["torch"])
    from playmill.packs.checkpoints import open_checkpoint

    return open_checkpoint(path).meta.game
