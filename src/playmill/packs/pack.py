"""The contract of packs: what a game may bring besides its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playmill.arena.appraisal import Appraiser
    from playmill.arena.entrants import OpenBot
    from playmill.arena.measure import GamesSummary, Measure
    from playmill.core.executor import Progress
    from playmill.games.heads import Head
    from playmill.games.state import State
    from playmill.games.trackers import Tracker
    from playmill.nets.families import NetFamily
    from playmill.nets.kinds import NetKind
    from playmill.runs.kind import RunKind
    from playmill.search.decisions import Array
    from playmill.search.kinds import SearchKind


@dataclass(frozen=True)
class Preparation:
    """Work that a pack's bots and measures need done once, such as solving the game; later calls find it done."""

    words: str  # what is counted, for a progress bar
    total: int
    run: Callable[[int, Progress | None], object]  # with so many threads


@dataclass(frozen=True)
class Preset:
    """Settings with a name, such as a size of the network and what suits it: `playmill run GAME --preset NAME`."""

    about: str  # a line for people
    values: Mapping[str, Any]  # by their dotted key; they stand over the pack's `presets`


@dataclass(frozen=True)
class RunOption:
    """What an option of `playmill run` is short for: a flag for all that it `sets`, an option with a value for one `key`."""

    sets: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = None
    needs: str | None = None  # another option, without which it says nothing
    bars: tuple[str, ...] = ()  # options that say something else
    undone: Mapping[str, Any] = field(default_factory=dict)  # values of settings with which nothing is left of a flag


@dataclass(frozen=True)
class Pack:
    """All but the games may be left out. It is imported whenever its game is looked up: heavy imports belong in functions."""

    games: tuple[str, ...]  # the names that it serves: a game, and variants of it
    heads: tuple[Head, ...] = ()  # what its networks answer that no other game's do
    tracker: Tracker | None = None  # what is counted in its games, and the reward terms that follow
    nets: Mapping[str, NetKind] = field(default_factory=dict)
    family: Callable[[], NetFamily] | None = None  # of its networks, where they are not those of the contract
    searches: Mapping[str, SearchKind] = field(default_factory=dict)
    bots: Mapping[str, OpenBot] = field(default_factory=dict)
    appraiser: Callable[[int], Appraiser] | None = None  # with so many threads; a gate may then take luck off its games
    measures: tuple[Measure, ...] = ()
    summaries: tuple[GamesSummary, ...] = ()  # what is told of each iteration's games of self-play
    run: RunKind | None = None  # how its training runs differ from the engine's
    presets: Mapping[str, Any] = field(default_factory=dict)  # settings that suit a first run, by their dotted key
    named_presets: Mapping[str, Preset] = field(default_factory=dict)
    options: Mapping[str, RunOption] = field(default_factory=dict)  # of `playmill run`, besides those that all games have
    suggest: Callable[[str, str], list[str]] | None = None  # commands to type after a run: of the game, with its best network
    preparation: Preparation | None = None
    action_values: Callable[[State], Array] | None = None  # what each action is truly worth to the mover; NaN: illegal
