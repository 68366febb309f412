"""Games by name: the built-in ones, and those that other packages register under the entry point group `playmill.games`.

    [project.entry-points."playmill.games"]
    mygame = "mygame:GAME"

A game is imported when it is asked for, so one package that is broken never hides the others.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from playmill.core.errors import ContractError, PlaymillError, UsageError, unknown_name
from playmill.games.game import Game

GROUP = "playmill.games"
BUILT_IN = {
    "connect_four": "playmill.games.connect_four:CONNECT_FOUR",
    "exchange": "playmill.games.exchange.rules:EXCHANGE",
    "go13": "playmill.games.go.rules:GO13",
    "go19": "playmill.games.go.rules:GO19",
    "go9": "playmill.games.go.rules:GO9",
    "tictactoe": "playmill.games.tictactoe:TICTACTOE",
    "yatzy": "playmill.games.yatzy.rules:YATZY",
    "yatzy_rich": "playmill.games.yatzy.rich:YATZY_RICH",
}


@dataclass(frozen=True)
class GameInfo:
    """One line of the list of games; `problem` says why a registered game can't be used, and then the numbers are 0."""

    name: str
    title: str
    players: int
    actions: int | None  # None where they can't be numbered
    source: str
    problem: str | None = None


# All powers move at once, so it is no game of the contract and has commands of its own.
DIPLOMACY = GameInfo("diplomacy", "seven powers, all at once; commands of its own: `playmill diplomacy`", 7, None, "built in")


def get_game(name: str) -> Game:
    """The game registered under `name`, or the one at "module:ATTR" for a game that is not registered."""
    if not isinstance(name, str):
        raise UsageError(f"game: expected a name or 'module:ATTR', got {name!r}")
    return _at_address(name) if ":" in name else _registered(name)


def is_built_in(game: Game) -> bool:
    """Whether the game comes with the package; `make test` has held those to the contract."""
    return game.name in BUILT_IN and _built_in(game.name) is game


def game_names() -> list[str]:
    """The names that `get_game` knows, in alphabetical order; a package's game may still turn out to be broken."""
    return sorted({*BUILT_IN, *(entry.name for entry in _entries())})


def list_games() -> list[GameInfo]:
    """One row for each built-in game, Diplomacy too, and for each entry point, by name; broken ones carry their problem."""
    rows = [_info(_built_in(name), "built in") for name in BUILT_IN]
    rows.append(DIPLOMACY)
    rows += [_entry_info(entry) for entry in _entries()]
    return sorted(rows, key=lambda row: (row.name, row.source))


@functools.cache
def address_of(game: Game) -> str:
    """What `get_game` finds this very game by, in another process too: its name, else "module:ATTR"."""
    try:
        if _registered(game.name) is game:
            return game.name
    except PlaymillError:
        pass  # not registered, or by a package that is broken
    module = sys.modules.get(game.module)
    for attribute, value in vars(module).items() if module else ():
        if value is game:
            return f"{game.module}:{attribute}"
    raise UsageError(f"{game.name}: the game must be a global of its module '{game.module}' to be found by other processes")


def load_address(kind: str, address: str) -> Any:
    """What stands at "module:ATTR"; the working directory counts as importable, as it does for `python -m`."""
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.append(os.getcwd())
    module, _, attribute = address.partition(":")
    if module.endswith(".py"):
        name = module.removesuffix(".py").replace("/", ".")
        raise UsageError(f"{kind} '{address}': expected a module as Python imports it, got a file; write '{name}:{attribute}'")
    try:
        return getattr(import_module(module), attribute)
    except (Exception, SystemExit) as error:
        raise UsageError(f"{kind} '{address}' can't be loaded: {_in_one_line(error)}") from error


@functools.cache
def _registered(name: str) -> Game:
    """Only what was found is remembered, so a package that is installed later is seen."""
    if name in BUILT_IN:
        return _built_in(name)
    if name == DIPLOMACY.name:
        raise UsageError(f"game '{name}': all powers move at once, so it has commands of its own; see `playmill {name} --help`")
    entries = [entry for entry in _entries() if entry.name == name]
    if not entries:
        raise unknown_name("game", name, game_names())
    if len(entries) > 1:
        packages = " and ".join(sorted(_package(entry) for entry in entries))
        raise UsageError(f"game '{name}' is registered by two packages, {packages}; uninstall one")
    return _load(entries[0])


def _built_in(name: str) -> Game:
    module, attribute = BUILT_IN[name].split(":")
    game: Game = getattr(import_module(module), attribute)
    return game


def _at_address(address: str) -> Game:
    found = load_address("game", address)
    if not isinstance(found, Game):
        raise ContractError(f"game '{address}': expected a Game, got {type(found).__name__}")
    return found


# ------------------------------------------------------------------ other packages


def _entries() -> Iterable[EntryPoint]:
    return entry_points(group=GROUP)


def _load(entry: EntryPoint) -> Game:
    """The entry's game, or one line that names the package at fault."""
    where = f"game '{entry.name}' from package {_package(entry)}"
    if entry.name in BUILT_IN:
        raise ContractError(f"{where}: a built-in game has that name; the package must choose another")
    try:
        found = entry.load()
    except (Exception, SystemExit) as error:
        raise ContractError(f"{where} can't be loaded from '{entry.value}': {_in_one_line(error)}") from error
    if not isinstance(found, Game):
        raise ContractError(f"{where}: expected a Game at '{entry.value}', got {type(found).__name__}")
    if found.name != entry.name:
        raise ContractError(f"{where}: the Game at '{entry.value}' calls itself '{found.name}'; both names must be the same")
    return found


def _info(game: Game, source: str) -> GameInfo:
    return GameInfo(game.name, game.title, game.players, game.actions, source)


def _entry_info(entry: EntryPoint) -> GameInfo:
    try:
        return _info(_load(entry), _package(entry))
    except PlaymillError as error:
        return GameInfo(entry.name, "", 0, 0, _package(entry), problem=str(error))


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "unknown"


def _in_one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
