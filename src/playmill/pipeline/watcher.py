"""Who looks on while a run works: a display, or nobody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from playmill.pipeline.folder import Manifest
from playmill.pipeline.settings import RunSettings


class Tell(Protocol):
    """Hears how far a phase is, and what can be said so far: losses, a win rate. Any thread may call it."""

    def __call__(self, done: int, **facts: float) -> None: ...


class Watcher(Protocol):
    """A display."""

    def begin(self, manifest: Manifest, settings: RunSettings) -> None:
        """A run begins or goes on. The manifest is the controller's own: it can be read at any time."""

    def phase(self, name: str, total: int, done: int = 0) -> AbstractContextManager[Tell]:
        """The current iteration's phase `name` of `total` games or steps begins; `done` of them had been made before."""

    def finished(self, name: str, entry: dict[str, Any]) -> None:
        """The phase came to `entry`."""


class Nobody:
    """Looks at nothing."""

    def begin(self, manifest: Manifest, settings: RunSettings) -> None:
        pass

    @contextmanager
    def phase(self, name: str, total: int, done: int = 0) -> Iterator[Tell]:
        yield lambda done, **facts: None

    def finished(self, name: str, entry: dict[str, Any]) -> None:
        pass
