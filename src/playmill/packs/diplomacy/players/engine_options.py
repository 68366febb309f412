"""The options of the engine process: their kinds, limits and values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from playmill.core.errors import UsageError
from playmill.games.diplomacy.board import RULES
from playmill.games.diplomacy.order_words import shortened
from playmill.packs.diplomacy.players.player import KINDS, MAX_STRENGTH, DiplomacyPlayer, make_player
from playmill.packs.diplomacy.search.settings import MAX_CANDIDATES, MAX_SEASONS, OrderSearchSettings

MOST_DIGITS = 20  # that a number may have; Python refuses to read thousands of them


def read_whole(text: str) -> int | None:
    """The whole number that a text is, or None if it is none, or longer than any number that is asked for."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


@dataclass(frozen=True)
class Option:
    """An option by its name in the protocol: a whole number within limits, one of several words, or any text."""

    name: str
    default: str
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    is_text: bool = False

    def line(self) -> str:
        """As the protocol lists it."""
        if self.is_text:
            return f"name {self.name} type string default {self.default}"
        if self.words:
            choices = " ".join(f"var {word}" for word in self.words)
            return f"name {self.name} type combo default {self.default} {choices}"
        return f"name {self.name} type spin default {self.default} min {self.low} max {self.high}"

    def read(self, text: str) -> str:
        """The value, or an error that says what was expected."""
        if self.is_text:
            return text
        if self.words:
            if text.lower() not in self.words:
                raise UsageError(f"setoption: {self.name}: expected one of {', '.join(self.words)}, got '{text}'")
            return text.lower()
        number = read_whole(text)
        if number is None or not self.low <= number <= self.high:
            got = shortened(text)
            raise UsageError(f"setoption: {self.name}: expected a whole number, {self.low} to {self.high}, got '{got}'")
        return text


DEFAULTS = OrderSearchSettings()
NO_NETWORK = "<empty>"  # how protocols of this family write an empty text
OPTIONS = {
    option.name.lower(): option
    for option in (
        Option("Strength", str(MAX_STRENGTH), 0, MAX_STRENGTH),
        Option("Search", "auto", words=("auto", *KINDS)),
        Option("Network", NO_NETWORK, is_text=True),
        Option("Candidates", str(DEFAULTS.candidates), 2, MAX_CANDIDATES),
        Option("Seasons", str(DEFAULTS.seasons), 1, MAX_SEASONS),
        Option("Rules", "3.x", words=tuple(RULES)),
        Option("Seed", "0", 0, (1 << 64) - 1),
    )
}


@dataclass(frozen=True)
class EngineOptions:
    """What is set; values as they were written."""

    values: tuple[tuple[str, str], ...] = tuple((name, option.default) for name, option in OPTIONS.items())

    def __getitem__(self, name: str) -> str:
        return dict(self.values)[name]

    @property
    def seed(self) -> int:
        return int(self["seed"])

    def changed(self, name: str, text: str) -> EngineOptions:
        """These options with one of them set anew."""
        option = OPTIONS.get(name.lower())
        if option is None:
            raise UsageError(f"setoption: expected one of {', '.join(o.name for o in OPTIONS.values())}, got '{name}'")
        return replace(self, values=tuple({**dict(self.values), name.lower(): option.read(text)}.items()))

    def make_player(self) -> DiplomacyPlayer:
        """The player that they ask for."""
        settings = replace(
            DEFAULTS, candidates=int(self["candidates"]), seasons=int(self["seasons"]), rules=RULES[self["rules"]]
        )
        network = None if self["network"] == NO_NETWORK else Path(self["network"])
        return make_player(self["search"], int(self["strength"]), settings, network=network)
