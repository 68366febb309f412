"""What a terminal shows that has no room for anything else."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.widgets import Static

LEAST = 60, 18  # columns and lines


class TooSmall(ModalScreen[None]):
    """It goes by itself when there is room."""

    def compose(self) -> ComposeResult:
        yield Static(id="small")

    def on_mount(self) -> None:
        self.on_resize()

    def on_resize(self) -> None:
        now = self.app.size
        self.query_one("#small", Static).update(
            f"this terminal is too small\n{now.width} x {now.height} now, {LEAST[0]} x {LEAST[1]} at least"
        )
