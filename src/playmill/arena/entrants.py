"""Bots by name: a checkpoint's file, `random`, or `oracle` for Yatzy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from playmill.arena.match import MAX_BLOCK
from playmill.arena.oracle_bot import OracleBot
from playmill.core.documents import fit
from playmill.core.errors import UsageError, unknown_name
from playmill.core.extras import require_extra
from playmill.games.game import Game
from playmill.games.yatzy.oracle import Oracle
from playmill.play.bots import PolicyBot, RandomBot, SearchBot
from playmill.play.player import MakePlayer, Player
from playmill.search.make import batch_rows, make_searcher
from playmill.search.settings import SearchSettings

if TYPE_CHECKING:
    from playmill.nets.checkpoint import Checkpoint

SEARCHES = ("auto", "puct", "exact_turn", "policy")
HASH_DIGITS = 8
AUTO, CPU = "auto", "cpu"  # the fastest backend that is there; and where it runs


def bot_from_checkpoint(path: Path, game: Game, search: SearchSettings | None, lanes: int, backend: str = AUTO) -> Player:
    """A bot that plays a checkpoint's network, greedily, for `lanes` games; without a search by its policy alone."""
    return checkpoint_maker(read_checkpoint(path, game), game, search, backend)(lanes)


def checkpoint_maker(
    checkpoint: Checkpoint, game: Game, search: SearchSettings | None, backend: str = AUTO, device: str = CPU
) -> MakePlayer:
    """The same for any number of threads: one evaluator is opened, and cloned for each bot."""
    from playmill.nets.evaluators import open_evaluator

    evaluator = open_evaluator(checkpoint, backend, device, game=game, rows=batch_rows(search, MAX_BLOCK))
    name = _name(checkpoint, game, backend)

    def make(lanes: int) -> Player:
        own = evaluator.clone()
        return PolicyBot(game, own, name) if search is None else SearchBot(make_searcher(game, search, own, lanes), name=name)

    return make


def _name(checkpoint: Checkpoint, game: Game, backend: str) -> str:
    """The file's name for people, the weights' hash since names are used again, and the backend where one was asked for."""
    stem = checkpoint.path.name if checkpoint.path else game.name
    name = f"{stem}@{checkpoint.meta.weights_sha256[:HASH_DIGITS]}"
    return name if backend == AUTO else f"{name}/{backend}"


def read_checkpoint(path: Path, game: Game) -> Checkpoint:
    """The checkpoint, or a word about what is missing."""
    require_extra("nets", f"{path}: a checkpoint", ["torch"])
    from playmill.nets.checkpoint import load_checkpoint

    return load_checkpoint(path, game)


def check_bot(name: str, game: Game) -> None:
    """Refuse a name that stands for no bot of the game, before anything is solved or compiled for it."""
    if name == "oracle" and game.name != "yatzy":
        raise UsageError(f"{game.name}: there is no oracle for this game; only yatzy is solved")
    if name not in ("random", "oracle"):
        read_checkpoint(Path(name), game)


def find_bot(
    name: str,
    game: Game,
    kind: str | SearchSettings = "auto",
    simulations: int = 48,
    oracle: Oracle | None = None,
    backend: str = AUTO,
    device: str = CPU,
) -> MakePlayer:
    """The bot that `name` stands for: `random`, `oracle` (where there is one), or a checkpoint's path."""
    if name in ("random", "oracle") and backend != AUTO:
        raise UsageError(f"backend {backend}: only a checkpoint has one, and {name} is none")
    if name == "random":
        return lambda _lanes: RandomBot(game)
    if name == "oracle":
        if oracle is None:
            raise UsageError(f"{game.name}: there is no oracle for this game; only yatzy is solved")
        return lambda _lanes: OracleBot(oracle)
    checkpoint = read_checkpoint(Path(name), game)
    thinking = choose_search(kind, simulations, game, checkpoint.meta.heads)
    return checkpoint_maker(checkpoint, game, thinking, backend, device)


def choose_search(kind: str | SearchSettings, simulations: int, game: Game, heads: tuple[str, ...]) -> SearchSettings | None:
    """The search that `kind` is or names, None for the bare policy; `auto` solves turns where game and network allow it."""
    if isinstance(kind, SearchSettings):
        return kind
    if kind not in SEARCHES:
        raise unknown_name("search", kind, SEARCHES)
    if kind == "policy":
        return None
    is_exact = kind == "exact_turn" or (kind == "auto" and game.name == "yatzy" and "togo_opp" in heads)
    return fit(SearchSettings, "search", {"kind": "exact_turn" if is_exact else "puct", "puct": {"budget": simulations}})
