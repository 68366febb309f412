"""What a new run is made of, and what it is called."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from playmill.core.errors import PlaymillError
from playmill.pipeline.starting_points import StartingPoint, open_form
from playmill.runs.folder import RunFolder
from playmill.runs.settings_form import SettingsForm
from playmill.runs.steering import free_name, new_folder

LABEL = 30  # characters of the list's first column


class CreatorDialog(ModalScreen[tuple[RunFolder, SettingsForm] | None]):
    """A list of configurations, games and runs to copy; then a name."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Leave")]

    def __init__(self, root: Path, points: list[StartingPoint]) -> None:
        super().__init__()
        self.root, self.points = root, points

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static("A new run: what is it made of?", classes="head")
            yield OptionList(*(Option(_prompt(point), id=str(number)) for number, point in enumerate(self.points)))
            yield Static("", id="point", markup=False)
            yield Input(id="name", placeholder="a name for its folder", compact=True)
            yield Static("", classes="problem", markup=False)
            yield Static("Enter: choose, name it, set it up    Esc: leave", classes="keys")

    @property
    def chosen(self) -> StartingPoint:
        return self.points[self.query_one(OptionList).highlighted or 0]

    @on(OptionList.OptionHighlighted)
    def _propose(self) -> None:
        self.query_one("#point", Static).update(f"{self.chosen.about}\n\nIts folder in {self.root} is called:")
        self.query_one("#name", Input).value = free_name(self.root, self.chosen.name)

    @on(OptionList.OptionSelected)
    def _to_name(self) -> None:
        self.query_one("#name").focus()

    @on(Input.Submitted)
    def _make(self, event: Input.Submitted) -> None:
        try:
            folder = new_folder(self.root, event.value.strip())
            form = open_form(self.chosen.open(), folder.root.name)
        except PlaymillError as error:
            self.query_one(".problem", Static).update(str(error))
            return
        self.dismiss((folder, form))


def _prompt(point: StartingPoint) -> Text:
    """One line each, as much of it as there is room for; all that there is to say stands below the list."""
    return Text(f"{point.label:<{LABEL}}").append(point.about, style="dim")
