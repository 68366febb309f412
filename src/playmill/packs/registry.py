"""Packs by the name of their game: the built-in ones, and those of other packages, by the entry point group `playmill.packs`.

    [project.entry-points."playmill.packs"]
    mygame = "mygame.pack:PACK"

A pack is loaded when its game is looked up from above, once, and then its rows stand in the tables of the rooms below.
"""

from __future__ import annotations

import functools
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from playmill.core.errors import ContractError, PlaymillError, UsageError, raised_where
from playmill.games.game import Game
from playmill.games.registry import get_game
from playmill.packs.entering import enter_pack
from playmill.packs.pack import Pack

GROUP = "playmill.packs"
_GO = "playmill.packs.go.pack:PACK"
_YATZY = "playmill.packs.yatzy.pack:PACK"
BUILT_IN = {
    "diplomacy": "playmill.packs.diplomacy.pack:PACK",
    "exchange": "playmill.packs.exchange.pack:PACK",
    "go13": _GO,
    "go19": _GO,
    "go9": _GO,
    "yatzy": _YATZY,
    "yatzy_rich": _YATZY,
}


def find_game(name: str) -> Game:
    """The game that `get_game` finds, with its pack loaded: whatever the pack brings is known from then on."""
    game = get_game(name)
    find_pack(game.name)
    return game


def pack_of(name: str) -> Pack:
    """The pack of a game given by its name, or by "module:ATTR"; whether there is such a game is not asked."""
    return find_pack(get_game(name).name if ":" in name else name)


@functools.cache
def find_pack(game: str) -> Pack:
    """The pack of the game with this name, loaded; an empty one where it has none."""
    entries = _entries(game)
    sources = sorted([*(["playmill itself"] if game in BUILT_IN else []), *(_package(entry) for entry in entries)])
    if len(sources) > 1:
        raise UsageError(f"game '{game}' has two packs, of {' and '.join(sources)}; uninstall one")
    if game in BUILT_IN:
        return _built_in(game)
    return _load(entries[0]) if entries else Pack((game,))


def package_of_pack(game: str) -> str | None:
    """The package, with its version, that brings the pack of the game; None where it has none, or one of playmill's own."""
    return next((_package(entry) for entry in _entries(game)), None)


def load_packs() -> list[Pack]:
    """All packs of playmill itself, each once; lists of what there is are whole from then on."""
    return list({id(pack): pack for pack in map(find_pack, BUILT_IN)}.values())


def enter_packs() -> None:
    """Load every pack that is installed: what a worker of a cluster does first, as it can't know whose tasks will come."""
    load_packs()
    for entry in entry_points(group=GROUP):
        find_pack(entry.name)


def _built_in(game: str) -> Pack:
    module, _, attribute = BUILT_IN[game].partition(":")
    pack: Pack = getattr(import_module(module), attribute)
    enter_pack(pack)
    return pack


def _entries(game: str) -> list[EntryPoint]:
    return [entry for entry in entry_points(group=GROUP) if entry.name == game]


def _load(entry: EntryPoint) -> Pack:
    """The entry's pack, or one line that names the package at fault."""
    where = f"the pack of game '{entry.name}' from package {_package(entry)}"
    try:
        found = entry.load()
    except (Exception, SystemExit) as error:
        raise ContractError(f"{where} can't be loaded from '{entry.value}': {raised_where(error)}") from error
    if not isinstance(found, Pack):
        raise ContractError(f"{where}: expected a Pack at '{entry.value}', got {type(found).__name__}")
    if not isinstance(found.games, tuple) or entry.name not in found.games:
        raise ContractError(f"{where}: the Pack at '{entry.value}' serves {found.games!r}; name the game there")
    try:
        enter_pack(found)
    except PlaymillError as error:
        raise ContractError(f"{where}: {error}") from None
    return found


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown package"
