"""What `playmill run` shows while it works: a live screen on a terminal, else a line for each phase that is done."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from playmill.cli.screen import Screen, fitted
from playmill.packs.phase_words import closing_line
from playmill.pipeline.roles import roles_in
from playmill.runs.entries import PhaseEntry
from playmill.runs.folder import PHASES, RunFolder
from playmill.runs.phase_text import clock
from playmill.runs.watcher import Nobody

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from playmill.runs.folder import Manifest
    from playmill.runs.status import Status
    from playmill.search.roles import Roles

REFRESH_HZ = 6


def open_display(run: Path) -> PlainDisplay | Live:
    """A live screen where stderr is a terminal, else lines."""
    return Live(run) if sys.stderr.isatty() else PlainDisplay(run)


# ------------------------------------------------------------------ displays


class PlainDisplay(Nobody):
    """A line on stderr for each phase that is done."""

    def __init__(self, run: Path) -> None:
        self.run = run

    def begin(self, manifest: Manifest, status: Status) -> None:
        self.manifest, self.status, self.roles = manifest, status, roles_in(RunFolder(self.run).config)

    def finished(self, name: str, entry: PhaseEntry) -> None:
        where = f"iteration {self.manifest.iterations_done + 1}/{self.status.iterations} {PHASES[name]}"
        print(f"{where}: {closing_line(entry, self.manifest.game, self.roles)}", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Live(Nobody):
    """The whole run on one screen, on stderr. The run's own threads change what it draws; Rich's own thread draws it."""

    def __init__(self, run: Path, console: Console | None = None) -> None:
        from rich.console import Console
        from rich.live import Live as RichLive

        self.run = run
        self.shown: tuple[Manifest, Status, Roles] | None = None
        self.began = time.monotonic()
        self.console = console or Console(stderr=True)
        self._live = RichLive(get_renderable=self.render, console=self.console, refresh_per_second=REFRESH_HZ)

    def begin(self, manifest: Manifest, status: Status) -> None:
        self.shown = manifest, status, roles_in(RunFolder(self.run).config)

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def render(self) -> RenderableType:
        """The screen as it is now."""
        from rich.text import Text

        if self.shown is None:
            return Text(f"{self.run}: opening the run …", style="dim")
        foot = f"running for {clock(time.monotonic() - self.began)}"
        manifest, status, roles = self.shown
        return fitted(Screen(self.run, manifest, status, foot, roles), self.console)
