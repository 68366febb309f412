"""Measures: what figures say of a bot of one game, and how display and report show them. A game's pack brings them.

A measure plays and counts in its own way. What it returns are plain values, its *fields*, which a run keeps in `run.json`;
whoever shows a run knows of them only what the measure's columns and curves say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from playmill.arena.standing import Progress
from playmill.games.game import Game
from playmill.play.player import MakePlayer
from playmill.replay.tables import GamesTable
from playmill.selfplay.settings import SelfPlaySettings

Fields = dict[str, Any]


class Interval(NamedTuple):
    """A figure, and the interval around it where one is known."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Column:
    """A column in the tables of iterations, on the screen and in the report."""

    header: str
    cell: Callable[[Fields], str]
    min_width: int = 0  # of a terminal, in characters: on a narrower one the screen leaves it out


@dataclass(frozen=True)
class Curve:
    """A figure over a run's iterations: a chart of the report. The first curve is also the screen's line of strength."""

    title: str
    note: str  # a sentence below the title
    point: Callable[[Fields], Interval]
    form: str = "{:g}"  # how a value is written
    unit: str = ""  # behind it
    reference: Callable[[Fields], tuple[float, str]] | None = None  # a level to compare with, and its words
    limits: tuple[float, float] | None = None  # of the chart
    is_by_time: bool = False  # drawn over minutes, too


@dataclass(frozen=True)
class Breakdown:
    """A measurement taken apart: a table of the report, and a histogram for each of its rows."""

    title: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    histograms: tuple[tuple[str, tuple[tuple[str, float], ...]], ...] = ()  # a name, and for each bar its label and share


class RunMeasure(Protocol):
    """Plays `games` games with each of the bots, all on the same seeds, and returns each one's fields.

    A network's bot has the run's own search; `NetworkMaker.with_search` gives it another.
    """

    def __call__(
        self, game: Game, bots: Sequence[MakePlayer], games: int, seed: int, workers: int, progress: Progress | None, /
    ) -> list[Fields]: ...


def _no_figures(fields: Fields) -> list[tuple[str, str]]:
    return []


def _no_breakdowns(fields: Fields) -> list[Breakdown]:
    return []


class RunSummary(Protocol):
    """Looks at games of self-play, a table a shard, that were played by these settings, and returns its fields."""

    def __call__(self, game: Game, games: Sequence[GamesTable], settings: SelfPlaySettings, /) -> Fields: ...


@dataclass(frozen=True)
class Shown:
    """What a pack has figures of, and how they are shown."""

    name: str
    about: str  # for people, such as "against best play"
    run: Callable[..., Any]
    words: Callable[[Fields], str]  # what a measurement came to, in a line
    columns: tuple[Column, ...] = ()
    curves: tuple[Curve, ...] = ()
    figures: Callable[[Fields], list[tuple[str, str]]] = _no_figures  # for the top of the report: a figure and its words
    breakdowns: Callable[[Fields], list[Breakdown]] = _no_breakdowns  # of the last measurement, for the report


@dataclass(frozen=True)
class Measure(Shown):
    """One way to measure bots of a game; the same fields for any number of workers."""

    run: RunMeasure
    matches: int = 1  # of so many games each, for each bot
    is_of_best: bool = False  # whether only the best is measured, and no candidate that was not promoted
    baseline: str | None = None  # a bot of the same pack that is measured beside the networks: best play, a simple rule


@dataclass(frozen=True)
class GamesSummary(Shown):
    """What a pack says of an iteration's games of self-play, counted from their shards: the same after any resume.

    A run keeps its fields among the `details` of the iteration's self-play, under its name.
    """

    run: RunSummary
