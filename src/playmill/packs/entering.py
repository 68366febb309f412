"""Entering a pack's rows into the tables of the rooms below, once it is known that all names in it mean something."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from playmill.core.errors import UsageError, unknown_name
from playmill.core.sections import KindSettings
from playmill.core.table import NameTable
from playmill.games.game import Game
from playmill.games.heads import HEADS, OUTCOME_PART, VALUE_HEADS, Head, enter_head
from playmill.games.trackers import enter_tracker
from playmill.nets.kinds import NET_KINDS
from playmill.nets.spec import NetSpec
from playmill.packs.pack import Pack
from playmill.search.kinds import SEARCHES
from playmill.search.settings import SearchSettings

_entered: list[Pack] = []  # a pack of several games is entered once


def enter_pack(pack: Pack) -> None:
    """Check what the pack names, and enter its rows; they serve its own games alone. A second time nothing happens."""
    if any(known is pack for known in _entered):
        return
    _check(pack)
    for head in pack.heads:
        enter_head(_for_games(head, pack.games))
    for name, kind in pack.nets.items():
        NET_KINDS.enter(name, replace(kind, games=pack.games))
    for name, search in pack.searches.items():
        SEARCHES.enter(name, replace(search, games=pack.games))
    if pack.tracker is not None:
        for name in pack.games:
            enter_tracker(name, pack.tracker)
    _entered.append(pack)


def _check(pack: Pack) -> None:
    """Refuse a pack that names what nobody has, or takes another's name, before anything of it is entered."""
    _check_rows(pack)
    _check_presets(pack)
    for measure in pack.measures:
        if measure.baseline is not None:
            NameTable("bot", pack.bots).find(measure.baseline)


def _check_rows(pack: Pack) -> None:
    """The names of what it brings are free, and its networks answer heads that there are."""
    for table, names in ((HEADS, _names(pack.heads)), (NET_KINDS, pack.nets), (SEARCHES, pack.searches)):
        for name in names:
            table.require_free(name)
    for settings, names in ((NetSpec, pack.nets), (SearchSettings, pack.searches)):
        for name in names:
            _require_no_setting(settings, name)
    for kind in pack.nets.values():
        for head in kind.heads:
            _require(HEADS, head, _names(pack.heads))


def _check_presets(pack: Pack) -> None:
    """The names that its settings for a first run choose are known."""
    own_values = _names(head for head in pack.heads if head.part == OUTCOME_PART)
    for key, table, own in (
        ("net.kind", NET_KINDS, pack.nets),
        ("net.value", VALUE_HEADS, own_values),
        ("search.kind", SEARCHES, pack.searches),
    ):
        if key in pack.presets:
            _require(table, pack.presets[key], own)
    if "measure.name" in pack.presets:
        NameTable("measure", {measure.name: measure for measure in pack.measures}).find(pack.presets["measure.name"])


def _names(heads: Iterable[Head]) -> list[str]:
    return [head.name for head in heads]


def _require_no_setting(settings: type[KindSettings], name: str) -> None:
    """Refuse a name that a setting has: the section of the kind would stand under the same key."""
    if name in settings.model_fields:
        raise UsageError(f"{settings.kinds.what} '{name}' would have the name of a setting beside it; choose another")


def _require(table: NameTable[Any], name: str, own: Iterable[str]) -> None:
    known = {*table, *own}
    if name not in known:
        raise unknown_name(table.what, name, known)


def _for_games(head: Head, games: tuple[str, ...]) -> Head:
    """The head, which other games lack: their replay has no column for it."""

    def lacks(game: Game) -> str | None:
        return head.lacks(game) if game.name in games else f"the game {' or '.join(games)}"

    return replace(head, lacks=lacks)
