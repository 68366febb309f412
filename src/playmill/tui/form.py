"""The settings of a run that has not begun, as a form; kept as a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from playmill.core.errors import PlaymillError
from playmill.runs.folder import RunFolder
from playmill.runs.settings_form import SettingsForm, group_of_problem
from playmill.runs.steering import Steering, save_draft
from playmill.tui.dialogs import Confirm
from playmill.tui.fields import FieldRow

if TYPE_CHECKING:
    from playmill.tui.app import MillApp


class FormScreen(Screen[None]):
    """Groups of settings on the left, those of one group on the right; what is wrong is said at once, in place."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "Save draft"),  # both behind the keys that a field has not heard yet
        Binding("f5", "start", "Check and start"),
        Binding("f6", "turn", "Groups/fields", priority=True),
        Binding("escape", "back", "Runs"),
    ]
    app: MillApp

    def __init__(self, folder: RunFolder, form: SettingsForm, is_saved: bool) -> None:
        super().__init__()
        self.folder, self.form, self.is_saved = folder, form, is_saved
        self.steering = Steering(folder)
        self.group = next(iter(form.groups))
        self.wanted = ""  # the field to go to once its group is shown
        self.problems: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        yield Static(f" {self.folder.root} · draft", classes="title", id="head", markup=False)
        with Horizontal():
            yield OptionList(*(Option(name, id=name) for name in self.form.groups), id="groups", compact=True)
            yield VerticalScroll(id="fields", can_focus=False)
        yield Static("", id="verdict", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        if self.folder.root.exists():
            self.steering.take()
        self.query_one("#groups", OptionList).highlighted = 0
        self.query_one("#groups").focus()
        if self.form.stray:
            self.app.say(f"no setting is called {', '.join(self.form.stray)}: left out here")

    def on_unmount(self) -> None:
        self.steering.release()

    # ------------------------------------------------------------------ fields

    @on(OptionList.OptionHighlighted)
    async def _show_group(self, event: OptionList.OptionHighlighted) -> None:
        self.group = event.option.id or self.group
        fields = self.query_one("#fields")
        await fields.remove_children()
        about = Static(self.form.groups[self.group] + "\n", classes="about", markup=False)
        rows = [FieldRow(field, self.form.value(field.path)) for field in self.form.fields_in(self.group)]
        await fields.mount(about, *rows)
        self.judge()
        self._go_to_wanted()

    @on(OptionList.OptionSelected)
    def _enter_group(self) -> None:
        self.action_turn()

    def action_turn(self) -> None:
        """From the groups to the first field, and back."""
        groups = self.query_one("#groups")
        if self.focused is groups:
            self.focus_next()
        else:
            groups.focus()

    def go_to(self, path: str) -> None:
        """Show the group of a setting, and go to its field."""
        self.wanted = path
        known = self.form.groups
        groups, place = self.query_one("#groups", OptionList), list(known).index(group_of_problem(path, known))
        if groups.highlighted == place:
            self._go_to_wanted()
        else:
            groups.highlighted = place  # its fields come with it

    def _go_to_wanted(self) -> None:
        for row in self.query(FieldRow):
            if row.field.path == self.wanted:
                row.enter()
        self.wanted = ""

    @on(FieldRow.Changed)
    def _put(self, event: FieldRow.Changed) -> None:
        self.form.put(event.path, event.value)
        self.is_saved = False
        self.judge()

    def judge(self) -> None:
        """Say what is wrong: at the field, at its group, and the first of all below."""
        self.problems = self.form.problems()
        for row in self.query(FieldRow):
            row.say(self.problems.get(row.field.path, ""), self.form.is_changed(row.field.path))
        self._mark_groups()
        verdict = self.query_one("#verdict", Static)
        verdict.set_class(bool(self.problems), "wrong")
        first = next(((path, line) for path, line in self.problems.items()), None)
        more = f" (and {len(self.problems) - 1} more)" if len(self.problems) > 1 else ""
        state = "saved" if self.is_saved else "not saved yet"
        verdict.update(f"{first[0]}: {first[1]}{more}" if first else f"all settings are valid; {state}")

    def _mark_groups(self) -> None:
        groups, known = self.query_one("#groups", OptionList), self.form.groups
        wrong = {group_of_problem(path, known) for path in self.problems}
        for name in known:
            style, mark = ("bold red", " !") if name in wrong else ("", "")
            indent = "  " * name.count(".")
            groups.replace_option_prompt(name, Text(f"{indent}{name.rpartition('.')[2]}{mark}", style=style))

    # ------------------------------------------------------------------ keys

    def settle(self) -> None:
        """Take over all that stands in the fields."""
        for row in self.query(FieldRow):
            self.form.put(row.field.path, row.settle())
        self.judge()

    def action_save(self) -> bool:
        """Keep the draft, be it wrong; whether it was kept."""
        self.settle()
        try:
            self.folder.root.mkdir(parents=True, exist_ok=True)
            if not self.steering.is_ours and not self.steering.take():
                self.app.say(self.steering.refusal)
                return False
            save_draft(self.folder, self.form.text())
        except (PlaymillError, OSError) as error:
            self.app.say(str(error))
            return False
        self.is_saved = True
        self.notify(f"saved as {self.folder.draft}", markup=False)
        self.judge()
        return True

    def action_start(self) -> None:
        """Save, look whether all that the run needs is there, and start it."""
        self.settle()
        if self.problems:
            path, line = next(iter(self.problems.items()))
            self.go_to(path)
            self.app.say(f"{path}: {line}")
        elif self.action_save():
            self.begin()

    def begin(self) -> None:
        """Start the run, if all that it needs is there."""
        from playmill.tui.preflight import PreflightDialog

        self.app.push_screen(PreflightDialog(self.folder, self.folder.draft), self._started)

    def _started(self, is_ready: bool | None) -> None:
        from playmill.tui.dashboard import RunScreen

        if not is_ready:
            return
        self.steering.release()  # the next screen takes it
        screen = RunScreen(self.folder)
        self.app.switch_screen(screen)
        screen.launch(self.folder.draft)

    def action_back(self) -> None:
        if self.is_saved:
            self.app.pop_screen()
        else:
            self.app.push_screen(Confirm("Leave without saving? What was changed is lost."), self._leave)

    def _leave(self, is_sure: bool | None) -> None:
        if is_sure:
            self.app.pop_screen()
