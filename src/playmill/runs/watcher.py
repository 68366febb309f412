"""Who looks on while a run works: a display, or nobody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from playmill.runs.entries import PhaseEntry
from playmill.runs.folder import Manifest
from playmill.runs.status import Status


class Tell(Protocol):
    """Hears how far a phase is, and what can be said so far: losses, a win rate. Any thread may call it."""

    def __call__(self, done: int, **facts: float) -> None: ...


class Watcher(Protocol):
    """Who hears how far the phases are."""

    def phase(self, name: str, total: int, done: int = 0) -> AbstractContextManager[Tell]:
        """The current iteration's phase `name` of `total` games or steps begins; `done` of them had been made before."""


class RunDisplay(Watcher, Protocol):
    """Who shows a run."""

    def begin(self, manifest: Manifest, status: Status) -> None:
        """A run begins or goes on. Both are the controller's own: they can be read at any time, and are never changed."""

    def finished(self, name: str, entry: PhaseEntry) -> None:
        """The phase came to `entry`."""


class Nobody:
    """Looks at nothing."""

    def begin(self, manifest: Manifest, status: Status) -> None:
        pass

    @contextmanager
    def phase(self, name: str, total: int, done: int = 0) -> Iterator[Tell]:
        yield lambda done, **facts: None

    def finished(self, name: str, entry: PhaseEntry) -> None:
        pass
