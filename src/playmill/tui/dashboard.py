"""One run: what its iterations came to, what is under way, what happened."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Static, Tab, Tabs

from playmill.core.errors import PlaymillError
from playmill.core.events import EventTail
from playmill.packs.event_text import event_line, is_trouble
from playmill.packs.iteration_table import shown_columns
from playmill.packs.plot_lines import plot_lines
from playmill.pipeline.roles import NAMES, roles_in
from playmill.runs.folder import Manifest, RunFolder
from playmill.runs.steering import Steering, drop_draft, last_words, start_run, stop_run
from playmill.runs.view import RunView
from playmill.tui.background import Background
from playmill.tui.dialogs import AskNumber, Confirm
from playmill.tui.live import Readings, draw_live
from playmill.tui.plot import in_a_grid
from playmill.tui.preflight import PreflightDialog

if TYPE_CHECKING:
    from playmill.search.roles import Roles
    from playmill.tui.app import MillApp

EVERY_S = 1.0
PANELS = {"history": "Iterations", "plots": "Plots", "events": "Events"}
KEPT_EVENTS = 500


class RunScreen(Screen[None], Background):
    """It reads the run's files every second, and keeps nothing of its own but what the last minutes' rates were."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Runs"),
        Binding("s", "start", "Start"),
        Binding("x", "stop", "Stop"),
        Binding("g", "games", "Games"),
        Binding("r", "roots", "Searches"),
        Binding("1", "panel('history')", "Iterations", show=False),
        Binding("2", "panel('plots')", "Plots", show=False),
        Binding("3", "panel('events')", "Events", show=False),
    ]
    app: MillApp

    def __init__(self, folder: RunFolder) -> None:
        super().__init__()
        self.folder = folder
        self.view: RunView | None = None
        self.readings = Readings()
        self.roles: Roles = NAMES
        self.steering = Steering(folder)
        self._tail = EventTail(folder.metrics)
        self._shown: tuple[Any, ...] = ()
        self._lines: list[Text] = []

    def compose(self) -> ComposeResult:
        yield Static(f" {self.folder.root}", classes="title", id="head", markup=False)
        yield Tabs(*(Tab(words, id=f"tab-{name}") for name, words in PANELS.items()), id="tabs")
        with Container(id="body"):
            with Vertical(id="right"):
                with Vertical(id="live", classes="panel"):
                    yield Static("reading the run …", id="now")
                with VerticalScroll(id="events", classes="panel"):
                    yield Static(id="told")
            with Vertical(id="left"):
                with Container(id="history", classes="panel chosen"):
                    yield DataTable(cursor_type="row")
                with VerticalScroll(id="plots", classes="panel"):
                    yield Static(id="drawn")
        yield Footer()

    def on_mount(self) -> None:
        for name, words in {**PANELS, "live": "Now"}.items():
            self.query_one(f"#{name}").border_title = words
        self.query_one("#events", VerticalScroll).anchor()
        self.steering.take()
        self.look()
        self.set_interval(EVERY_S, self.look)

    def on_unmount(self) -> None:
        self.steering.release()

    # ------------------------------------------------------------------ looking

    @work(thread=True, exclusive=True, group="look")
    def look(self) -> None:
        """Read the run's files, beside the screen's own thread."""
        try:
            view = RunView(self.folder.root)
            roles = roles_in(self.folder.config)
            drop_draft(self.folder)
        except PlaymillError as error:
            is_starting = self.app.processes.is_starting(self.folder)
            words = f"the run is being started … {last_words(self.folder)}" if is_starting else str(error)
            self.later(self.show_problem, words, "" if is_starting else "red")
            return
        self.later(self.show, view, roles, self._tail.take())

    def show_problem(self, line: str, style: str) -> None:
        if self.is_mounted:
            self.query_one("#now", Static).update(Text(line, style=style))

    def show(self, view: RunView, roles: Roles, events: list[dict[str, Any]]) -> None:
        """Bring all panels up to date."""
        if not self.is_mounted:
            return
        self.view, self.roles = view, roles
        self.readings.take(view.status)
        self._show_head(view)
        self.draw()
        self._add_events(events, view.manifest)

    def draw(self) -> None:
        """The panels for the room that they have now."""
        if self.view is None:
            return
        now = self.query_one("#now", Static)
        now.update(draw_live(self.view, self.readings, max(now.size.width, 30)))
        self._draw_history(self.view.manifest)
        self._draw_plots(self.view.manifest)

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    def _show_head(self, view: RunView) -> None:
        manifest, status = view.manifest, view.status
        total = status.iterations if status else len(manifest.iterations)
        facts = f"{manifest.iterations_done} of {total} iterations · {manifest.selfplay_games:,} games"
        best = (manifest.best or "none")[:8]
        self.query_one("#head", Static).update(f" {self.folder.root.name} · {manifest.game} · {facts} · best {best}")

    # ------------------------------------------------------------------ iterations and plots

    def _draw_history(self, manifest: Manifest) -> None:
        """The table, made anew where something in it changed; the newest iteration is chosen unless somebody looks back."""
        table = self.query_one("#history DataTable", DataTable)
        columns = shown_columns(manifest, self.roles, max(table.size.width + 16, 60))
        rows = [tuple(column.cell(entry) for column in columns) for entry in manifest.iterations]
        shown = ([column.header for column in columns], rows)
        if shown == self._shown:
            return
        is_last = table.cursor_row >= table.row_count - 1
        place, self._shown = table.cursor_row, shown
        table.clear(columns=True)
        for column in columns:
            table.add_column(Text(column.header, justify=column.justify))
        for row in rows:
            cells = (Text.from_markup(cell) for cell in row)
            table.add_row(*(_justified(cell, column.justify) for cell, column in zip(cells, columns, strict=True)))
        table.move_cursor(row=table.row_count - 1 if is_last else place)

    def _draw_plots(self, manifest: Manifest) -> None:
        panel = self.query_one("#drawn", Static)
        room = self.query_one("#plots").scrollable_content_region
        panel.update(in_a_grid(plot_lines(manifest), room.width, room.height) if room.width and room.height > 3 else "")

    # ------------------------------------------------------------------ events

    def _add_events(self, events: list[dict[str, Any]], manifest: Manifest) -> None:
        """Those that say something, behind the others; whoever has not scrolled back sees the last."""
        lines = [line for event in events if (line := _told(event, manifest.game, self.roles))]
        if not lines:
            return
        self._lines = [*self._lines, *lines][-KEPT_EVENTS:]
        self.query_one("#told", Static).update(Text("\n").join(self._lines))

    # ------------------------------------------------------------------ keys

    def action_back(self) -> None:
        self.app.pop_screen()

    def may_steer(self) -> bool:
        """Whether this screen may start and stop the run; if not, it says why."""
        if not self.steering.take():
            self.app.say(self.steering.refusal)
            return False
        return True

    def action_start(self) -> None:
        """Carry the run on; one that has had its iterations is given more."""
        if self.view is None or not self.may_steer():
            return
        state, done = self.view.state.name, self.view.manifest.iterations_done
        if state == "running" or self.app.processes.is_starting(self.folder):
            self.app.say(f"{self.folder.root.name} is at work already; x stops it")
        elif state == "done":
            question = f"{self.folder.root.name} has had its {done} iterations. How many is it to have in all?"
            self.app.push_screen(AskNumber(question, 2 * done, done + 1), self._give_more)
        else:
            self.app.push_screen(PreflightDialog(self.folder, self.folder.config), self._go_on)

    def _go_on(self, is_ready: bool | None) -> None:
        if is_ready:
            self.launch(self.folder.config)

    def _give_more(self, iterations: int | None) -> None:
        if iterations is not None:
            self.launch(self.folder.config, ["--set", f"iterations={iterations}"])

    def launch(self, config: Path, words: Sequence[str] = ()) -> None:
        """Start the run's process."""
        try:
            self.app.processes.add(self.folder, start_run(self.folder, config, words))
        except PlaymillError as error:
            self.app.say(error)
            return
        self.notify(f"{self.folder.root.name} is started; it goes on when this screen is left", markup=False)

    def action_stop(self) -> None:
        """Stop the run as Ctrl-C does, if somebody is sure."""
        is_working = self.view is not None and self.view.state.name == "running"
        if not (is_working or self.app.processes.is_starting(self.folder)):
            self.app.say(f"{self.folder.root.name} is not at work; s starts it")
        elif self.may_steer():
            self.app.push_screen(Confirm(f"Stop {self.folder.root.name}? It can be carried on later."), self._stop)

    def _stop(self, is_sure: bool | None) -> None:
        if not is_sure:
            return
        try:
            stop_run(self.folder)
        except PlaymillError as error:
            if not self.app.processes.interrupt(self.folder):
                self.app.say(error)
                return
        self.notify(f"{self.folder.root.name} is being stopped", markup=False)

    def action_games(self) -> None:
        """Step through the run's games."""
        from playmill.tui.viewer import ViewerScreen

        if self.view is not None:
            self.app.push_screen(ViewerScreen(self.folder))

    def action_roots(self) -> None:
        """Step through the log of searched roots."""
        from playmill.tui.roots import RootsScreen

        if self.view is not None:
            self.app.push_screen(RootsScreen(self.folder))

    def action_panel(self, name: str) -> None:
        """Go to a panel, which can be scrolled then; on a narrow screen it is shown below the live one."""
        self.query_one(Tabs).active = f"tab-{name}"
        panel = self.query_one("#history DataTable" if name == "history" else f"#{name}")
        self.call_after_refresh(panel.focus)

    @on(Tabs.TabActivated)
    def _choose(self, event: Tabs.TabActivated) -> None:
        chosen = (event.tab.id or "").removeprefix("tab-")
        for name in PANELS:
            self.query_one(f"#{name}").set_class(name == chosen, "chosen")
        self.set_class(chosen == "events", "events")
        self.call_after_refresh(self.draw)


def _told(event: dict[str, Any], game: str, roles: Roles) -> Text | None:
    line = event_line(event, game, roles)
    if line is None:
        return None
    clock = time.strftime("%H:%M:%S ", time.localtime(event["ts_ms"] / 1000))
    return Text().append(clock, style="dim").append(line, style="red" if is_trouble(event) else "")


def _justified(text: Text, justify: Any) -> Text:
    text.justify = justify
    return text
