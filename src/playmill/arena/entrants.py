"""Bots by name: a checkpoint's file, `random`, or one that the game's pack brings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playmill.arena.match import MAX_BLOCK
from playmill.core.documents import fit
from playmill.core.errors import UsageError, suggestion, unknown_name
from playmill.core.extras import require_extra
from playmill.games.game import Game
from playmill.nets.pretrained import is_checkpoint, name_of, names_for
from playmill.play.bots import PolicyBot, RandomBot, SearchBot
from playmill.play.player import MakePlayer, Player
from playmill.search.kinds import PUCT, SEARCHES
from playmill.search.make import batch_rows, make_searcher, usual_search
from playmill.search.settings import SearchSettings, Temperature

if TYPE_CHECKING:
    from playmill.nets.checkpoint import Checkpoint
    from playmill.nets.evaluators import OpenEvaluator
    from playmill.nets.net_evaluator import NetEvaluator

POLICY = "policy"  # instead of a search: the network's first word
GUMBEL = "gumbel"  # puct, with selection: gumbel
HASH_DIGITS = 8
AUTO, CPU = "auto", "cpu"  # the fastest backend that is there; and where it runs
RANDOM = "random"  # the bot that every game has
SIMULATIONS = 48  # of a search that nobody has said more of

OpenBot = Callable[[Game, int], MakePlayer]  # a pack's bot, with so many threads for what has to be made first


def bot_from_checkpoint(path: Path, game: Game, search: SearchSettings | None, lanes: int, backend: str = AUTO) -> Player:
    """A bot that plays a checkpoint's network, greedily, for `lanes` games; without a search by its policy alone."""
    return NetworkMaker(read_checkpoint(path, game), game, search, backend)(lanes)


class NetworkMaker:
    """Makes players of one network and one search, for any number of threads: one evaluator is opened, and cloned for each.

    Without a search they play the bare policy; at temperature 0 moves are greedy. With an `opener` the network may answer
    elsewhere.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        game: Game,
        search: SearchSettings | None,
        backend: str = AUTO,
        device: str = CPU,
        temperature: float = 0.0,
        opener: OpenEvaluator | None = None,
    ) -> None:
        from playmill.nets.evaluators import open_evaluator

        if search is None and temperature:
            raise UsageError("temperature: the bare policy plays its most likely action; choose a search, or leave it at 0")
        self.checkpoint, self.game, self.search, self.backend, self.device = checkpoint, game, search, backend, device
        self.heat = Temperature(start=temperature) if temperature else None
        self.name = _name(checkpoint, game, backend)
        self.opener = opener or open_evaluator
        self._evaluator = self.opener(checkpoint, backend, device, game=game, rows=batch_rows(search, MAX_BLOCK))

    def __call__(self, lanes: int) -> Player:
        return _make_player(self.game, self.search, self._evaluator, self.heat, self.name, lanes)

    def __reduce__(self) -> tuple[type[partial[Player]], tuple[Any, ...]]:
        """Elsewhere it only makes players: the checkpoint with its optimizer, and who opened it, stay here."""
        return partial, (_make_player, self.game, self.search, self._evaluator, self.heat, self.name)

    def with_search(self, kind: str) -> NetworkMaker:
        """The same network with the search that `kind` names, greedily."""
        search = choose_search(kind, SIMULATIONS, self.game, self.checkpoint.meta.heads)
        return NetworkMaker(self.checkpoint, self.game, search, self.backend, self.device, opener=self.opener)


def _make_player(
    game: Game, search: SearchSettings | None, evaluator: NetEvaluator, heat: Temperature | None, name: str, lanes: int
) -> Player:
    own = evaluator.clone()
    if search is None:
        return PolicyBot(game, own, lanes, name)
    return SearchBot(make_searcher(game, search, own, lanes), heat, name)


def _name(checkpoint: Checkpoint, game: Game, backend: str) -> str:
    """What people call it, and the backend where one was asked for.

    That is a pretrained player's own name, or the file's with the weights' hash, since names of files are used again.
    """
    known = name_of(checkpoint.path) if checkpoint.path else None
    stem = checkpoint.path.name if checkpoint.path else game.name
    name = known or f"{stem}@{checkpoint.meta.weights_sha256[:HASH_DIGITS]}"
    return name if backend == AUTO else f"{name}/{backend}"


def read_checkpoint(path: Path, game: Game) -> Checkpoint:
    """The checkpoint, or a word about what is missing."""
    require_extra("nets", f"{path}: a checkpoint", ["torch"])
    from playmill.nets.checkpoint import load_checkpoint

    return load_checkpoint(path, game)


def check_bot(name: str, game: Game, bots: Mapping[str, OpenBot]) -> None:
    """Refuse a name that stands for no bot of the game, before anything is solved or compiled for it.

    `bots` are those of the game's pack.
    """
    known: tuple[str, ...] = (RANDOM, *bots)
    if name in known:
        return
    if not is_checkpoint(name) and not Path(name).suffix and not Path(name).exists():
        known = (*known, *names_for(game.name))
        raise UsageError(f"{game.name}: unknown bot '{name}'{suggestion(name, known)}; a checkpoint's name ends in .pt")
    read_checkpoint(Path(name), game)


def find_bot(
    name: str,
    game: Game,
    kind: str | SearchSettings = "auto",
    simulations: int = SIMULATIONS,
    bots: Mapping[str, OpenBot] | None = None,
    backend: str = AUTO,
    device: str = CPU,
    workers: int = 1,
    temperature: float = 0.0,
    opener: OpenEvaluator | None = None,
) -> MakePlayer:
    """The bot that `name` stands for: `random`, one of `bots`, which the game's pack brings, or a checkpoint's path."""
    own = bots or {}
    if name in (RANDOM, *own) and backend != AUTO:
        raise UsageError(f"backend {backend}: only a checkpoint has one, and {name} is none")
    if name == RANDOM:
        return lambda _lanes: RandomBot(game)
    if name in own:
        return own[name](game, workers)
    check_bot(name, game, own)
    checkpoint = read_checkpoint(Path(name), game)
    thinking = choose_search(kind, simulations, game, checkpoint.meta.heads)
    return NetworkMaker(checkpoint, game, thinking, backend, device, temperature, opener)


def choose_search(kind: str | SearchSettings, simulations: int, game: Game, heads: tuple[str, ...]) -> SearchSettings | None:
    """The search that `kind` is or names, None for the bare policy.

    `auto` solves turns where game and network allow it; `gumbel` is puct with that selection.
    """
    if isinstance(kind, SearchSettings):
        return kind
    if kind == POLICY:
        return None
    name = usual_search(game, heads) if kind == AUTO else PUCT if kind == GUMBEL else kind
    if name not in SEARCHES:
        raise unknown_name("search", name, (AUTO, GUMBEL, POLICY, *SEARCHES))
    selection = {"selection": GUMBEL} if kind == GUMBEL else {}
    return fit(SearchSettings, "search", {"kind": name, "puct": {"budget": simulations, **selection}})
