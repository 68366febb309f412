"""What a run or self-play counts for whoever scrapes it: plain numbers, changed as the phases tell how far they are."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from playmill.pipeline.rates import LIVE, SearchRates, search_rates
from playmill.runs.entries import GateEntry, PhaseEntry, SelfPlayEntry
from playmill.runs.folder import Manifest
from playmill.runs.status import Status
from playmill.runs.watcher import RunDisplay, Tell

if TYPE_CHECKING:
    from playmill.serve.opening import RemoteOpener

LOSS = "loss_"


@dataclass
class RunTally:
    """Of this process, since it began."""

    iteration: int = 0
    iterations: int = 0
    phase: str | None = None
    done: int = 0
    total: int = 0
    units: Counter[str] = field(default_factory=Counter)  # games or steps, by phase
    losses: dict[str, float] = field(default_factory=dict)
    gates: int = 0
    promotions: int = 0
    win_rate: float | None = None
    searched: Counter[str] = field(default_factory=Counter)  # by searches of self-play
    rates: SearchRates | None = None  # of the self-play under way, or the last one
    opener: RemoteOpener | None = None  # where servers are asked
    _before: Counter[str] = field(default_factory=Counter)  # what was searched before that self-play

    @contextmanager
    def in_phase(self, name: str, total: int, done: int = 0) -> Iterator[Tell]:
        """Count what is told of the phase; `done` of it had been made before this process."""
        before, began = self.units[name] - done, time.monotonic()
        self.phase, self.total, self.done, self._before = name, total, done, self.searched

        def tell(done: int, **facts: float) -> None:
            self.done, self.units[name] = done, before + done
            if losses := {key.removeprefix(LOSS): value for key, value in facts.items() if key.startswith(LOSS)}:
                self.losses = losses  # a new one: a scrape may be reading the old
            if name == "selfplay" and facts:
                counts = {key: int(value) for key, value in facts.items() if key not in LIVE}
                self.add_searches(counts, time.monotonic() - began)
            if name == "gate":
                self.win_rate = facts.get("win_rate", self.win_rate)

        yield tell
        self.phase = None

    def add_searches(self, stats: Mapping[str, int], seconds: float) -> None:
        """What the searches of this self-play have counted so far, in so many seconds."""
        self.searched = self._before + Counter(stats)  # a new one: a scrape may be reading the old
        self.rates = search_rates(stats, seconds)

    def add_entry(self, entry: PhaseEntry) -> None:
        """What a phase came to."""
        match entry:
            case SelfPlayEntry():
                self.add_searches(entry.stats, entry.seconds)
            case GateEntry():
                self.gates += 1
                self.promotions += entry.promote
                self.win_rate = entry.win_rate


class MeteredDisplay:
    """A display that is also counted for; it hands on all that it hears."""

    def __init__(self, display: RunDisplay, tally: RunTally) -> None:
        self.display, self.tally = display, tally

    def begin(self, manifest: Manifest, status: Status) -> None:
        self.manifest = manifest
        self.tally.iteration, self.tally.iterations = manifest.iterations_done, status.iterations
        self.display.begin(manifest, status)

    @contextmanager
    def phase(self, name: str, total: int, done: int = 0) -> Iterator[Tell]:
        self.tally.iteration = self.manifest.iterations_done
        with self.display.phase(name, total, done) as shown, self.tally.in_phase(name, total, done) as counted:

            def tell(done: int, **facts: float) -> None:
                counted(done, **facts)
                shown(done, **facts)

            yield tell

    def finished(self, name: str, entry: PhaseEntry) -> None:
        self.tally.add_entry(entry)
        self.display.finished(name, entry)
