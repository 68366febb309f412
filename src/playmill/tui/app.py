"""The screen as a whole: which parts there are, and what holds for all of them."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import ModalScreen

from playmill.core.errors import PlaymillError, one_line
from playmill.runs.shelf import Shelf
from playmill.tui.picker import PickerScreen
from playmill.tui.processes import RunProcesses
from playmill.tui.too_small import LEAST, TooSmall

NARROW, WIDE, SHORT, HIGH = "-narrow", "-wide", "-short", "-high"


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # heeded, so that the terminal is as it was


class MillApp(App[None]):
    """Runs of one folder. It owns no run: all that it shows is read from their files, and their processes outlive it."""

    TITLE = "playmill"
    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, NARROW), (110, WIDE)]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, SHORT), (36, HIGH)]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit", show=False)]

    def __init__(self, root: Path) -> None:
        super().__init__()
        self.shelf = Shelf(root)
        self.processes = RunProcesses()

    def on_mount(self) -> None:
        with suppress(NotImplementedError, RuntimeError):  # other systems, other threads
            for number in ENDING:
                asyncio.get_running_loop().add_signal_handler(number, self.exit)
        self.push_screen(PickerScreen(self.shelf))
        self._fit(self.size)
        self.set_interval(1.0, self._reap)
        self.set_interval(1.0, self._heed_the_terminal)

    def on_resize(self, event: events.Resize) -> None:
        if any(isinstance(screen, PickerScreen) for screen in self.screen_stack):
            self._fit(event.size)

    def _fit(self, size: Size) -> None:
        """A terminal that is too small for anything says so, until it is larger."""
        is_small = size.width < LEAST[0] or size.height < LEAST[1]
        if is_small and not isinstance(self.screen, TooSmall):
            self.push_screen(TooSmall())
        elif not is_small and isinstance(self.screen, TooSmall):
            self.pop_screen()

    def _reap(self) -> None:
        """Tell of processes that were started here and ended in an error; the others' runs say themselves how they ended."""
        for line in self.processes.ended():
            self.notify(line, severity="error", timeout=15, markup=False)

    def _heed_the_terminal(self) -> None:
        """End with it: one that goes without a signal would leave a process that nobody sees, and that waits to be read."""
        if not self.is_headless and sys.__stdin__ is not None and not sys.__stdin__.isatty():
            self.exit()

    def say(self, problem: PlaymillError | str) -> None:
        """A problem in a line, for a while."""
        self.notify(one_line(problem), severity="error", timeout=10, markup=False)

    @property
    def has_dialog(self) -> bool:
        return isinstance(self.screen, ModalScreen)
