"""The runs of a folder in a table, to pick one or to make one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Static

from playmill.core.errors import PlaymillError
from playmill.packs.plot_lines import strength_words
from playmill.runs.shelf import DRAFT, Shelf, ShelfEntry
from playmill.tui.background import Background

if TYPE_CHECKING:
    from playmill.runs.folder import RunFolder
    from playmill.runs.settings_form import SettingsForm
    from playmill.tui.app import MillApp

EVERY_S = 1.0
COLOURS = {"running": "bold cyan", "done": "green", "failed": "bold red", "damaged": "bold red", DRAFT: "magenta"}
WORDS = {"running": "at work"}
COLUMNS = ("run", "state", "game", "iterations", "strength", "since")


class RunTable(DataTable[Text]):
    """A table whose key for a row is shown below."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select_cursor", "Open")]


class PickerScreen(Screen[None], Background):
    """It looks at the folder every second."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new", "New run"),
        Binding("e", "edit", "Edit draft"),
        Binding("q", "app.quit", "Quit"),
    ]
    app: MillApp

    def __init__(self, shelf: Shelf) -> None:
        super().__init__()
        self.shelf = shelf
        self.entries: dict[str, ShelfEntry] = {}

    def compose(self) -> ComposeResult:
        yield Static(f" playmill · {self.shelf.root}", classes="title", markup=False)
        yield RunTable(id="runs", cursor_type="row", zebra_stripes=False)
        yield Static("no runs here yet\n\npress n to make one", id="none")
        yield Static("", id="about", classes="note", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        for name in COLUMNS:
            table.add_column(name, key=name)
        self.show([])
        self.look()
        self.set_interval(EVERY_S, self.look)

    def on_screen_resume(self) -> None:
        self.look()

    @work(thread=True, exclusive=True, group="look")
    def look(self) -> None:
        """Read what changed, beside the screen's own thread."""
        found = self.shelf.look()
        self.later(self.show, found)

    def show(self, entries: list[ShelfEntry]) -> None:
        """Bring the table up to date; the chosen row stays chosen."""
        if not self.is_mounted:
            return
        table, chosen = self.query_one(DataTable), self.chosen
        rows = {entry.name: _row(entry) for entry in entries}
        if list(rows) != list(self.entries):
            table.clear()
            for name, cells in rows.items():
                table.add_row(*cells, key=name)
            if chosen is not None and chosen.name in rows:
                table.move_cursor(row=list(rows).index(chosen.name))
        else:
            for name, cells in rows.items():
                for column, cell in zip(COLUMNS, cells, strict=True):
                    table.update_cell(name, column, cell, update_width=True)
        self.entries = {entry.name: entry for entry in entries}
        table.display, self.query_one("#none").display = bool(entries), not entries
        if entries and self.focused is None:
            table.focus()
        self._tell()

    @property
    def chosen(self) -> ShelfEntry | None:
        table = self.query_one(DataTable)
        names = list(self.entries)
        return self.entries[names[table.cursor_row]] if 0 <= table.cursor_row < len(names) else None

    @on(DataTable.RowHighlighted)
    def _tell(self) -> None:
        """The chosen run in a line."""
        chosen = self.chosen
        self.query_one("#about", Static).update("" if chosen is None else chosen.text)

    @on(DataTable.RowSelected)
    def open_chosen(self) -> None:
        """A run is watched, a draft goes on being written."""
        from playmill.tui.dashboard import RunScreen

        chosen = self.chosen
        if chosen is None:
            return
        if chosen.state == DRAFT:
            self.action_edit()
        else:
            self.app.push_screen(RunScreen(chosen.folder))

    def action_edit(self) -> None:
        """Open the settings of a draft."""
        from playmill.pipeline.starting_points import open_form
        from playmill.tui.form import FormScreen

        chosen = self.chosen
        if chosen is None or chosen.state != DRAFT:
            self.app.say("only a draft's settings can be changed; n makes a new run, also as a copy of another")
            return
        try:
            form = open_form(chosen.folder.draft, chosen.name)
        except PlaymillError as error:
            self.app.say(error)
            return
        self.app.push_screen(FormScreen(chosen.folder, form, is_saved=True))

    def action_new(self) -> None:
        """Choose what a new run is made of."""
        from playmill.pipeline.starting_points import starting_points
        from playmill.tui.creator import CreatorDialog

        self.app.push_screen(CreatorDialog(self.shelf.root, starting_points(self.entries.values())), self._made)

    def _made(self, made: tuple[RunFolder, SettingsForm] | None) -> None:
        from playmill.tui.form import FormScreen

        if made is not None:
            self.app.push_screen(FormScreen(*made, is_saved=False))


def _row(entry: ShelfEntry) -> list[Text]:
    state = Text(WORDS.get(entry.state, entry.state), style=COLOURS.get(entry.state, "yellow"))
    manifest = entry.view.manifest if entry.view else None
    done = f"{manifest.iterations_done}/{_total(entry)}" if manifest else ""
    strength = strength_words(manifest) if manifest else ""
    since = time.strftime("%d %b %H:%M", time.localtime(entry.changed_ms / 1000))
    right = [Text(cell, justify="right") for cell in (done, strength)]
    return [Text(entry.name, style="bold"), state, Text(entry.game), *right, Text(since, style="dim")]


def _total(entry: ShelfEntry) -> str:
    assert entry.view is not None
    return str(entry.view.status.iterations) if entry.view.status else "?"
