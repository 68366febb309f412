"""The checks before a run is started, as they are made, with their remedies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from playmill.core.errors import one_line
from playmill.pipeline.preflight import Check, preflight
from playmill.runs.folder import RunFolder
from playmill.tui.background import Background

if TYPE_CHECKING:
    from playmill.tui.app import MillApp


class PreflightDialog(ModalScreen[bool], Background):
    """True where all is well and somebody wants to go on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Start"),
        Binding("r", "look", "Check again"),
        Binding("escape", "dismiss(False)", "Leave"),
    ]
    app: MillApp

    def __init__(self, folder: RunFolder, config: Path) -> None:
        super().__init__()
        self.folder, self.config = folder, config
        self.checks: list[Check] = []
        self.is_over = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(f"Before {self.folder.root.name} is started", classes="head", markup=False)
            with VerticalScroll():
                yield Static("", id="checks")
            yield Static("", id="keys", classes="keys", markup=False)

    def on_mount(self) -> None:
        self.action_look()

    def action_look(self) -> None:
        self.checks, self.is_over = [], False
        self._draw()
        self.look()

    @work(thread=True, exclusive=True)
    def look(self) -> None:
        """Make the checks, beside the screen's own thread: a server may take its time to answer."""
        try:
            for check in preflight(self.folder, self.config):
                self.later(self._add, check)
        except Exception as error:  # a bug in a check must not take the screen down
            self.later(self._add, Check("checks", False, f"{type(error).__name__}: {one_line(error)}"))
        self.later(self._end)

    def _add(self, check: Check) -> None:
        self.checks.append(check)
        self._draw()

    def _end(self) -> None:
        self.is_over = True
        self._draw()

    @property
    def is_ready(self) -> bool:
        return self.is_over and all(check.ok for check in self.checks)

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        text = Text()
        for check in self.checks:
            text.append("✓ " if check.ok else "✗ ", style="green" if check.ok else "bold red").append(
                f"{check.name}: ", style="bold"
            )
            text.append(f"{check.line}\n", style="" if check.ok else "red")
            if check.remedy:
                text.append(f"    {check.remedy}\n", style="yellow")
        self.query_one("#checks", Static).update(text if self.is_over else text.append("…", style="dim"))
        start = "Enter: start    " if self.is_ready else "" if not self.is_over else "it can't start like this    "
        self.query_one("#keys", Static).update(f"{start}r: check again    Esc: leave")

    def action_start(self) -> None:
        if self.is_ready:
            self.dismiss(True)
