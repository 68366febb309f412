"""One setting in a form: its name, what it is typed or chosen with, its sentence, and what is wrong with it."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Input, Select, Static, Switch

from playmill.runs.settings_form import FormField

NOTHING = "(none)"


class NumberInput(Input):
    """A typed number that the arrows step up and down."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(True)", "More", show=False),
        Binding("down", "step(False)", "Less", show=False),
    ]

    class Stepped(Message):
        """Somebody wants the next round number."""

        def __init__(self, up: bool) -> None:
            super().__init__()
            self.up = up

    def action_step(self, up: bool) -> None:
        self.post_message(self.Stepped(up))


class StepButton(Button, can_focus=False):
    """For the mouse; who types has the arrows, and one field less to tab over."""


class FieldRow(Vertical):
    """It tells what was typed by `Changed`."""

    class Changed(Message):
        """The setting has another value."""

        def __init__(self, path: str, value: Any) -> None:
            super().__init__()
            self.path, self.value = path, value

    def __init__(self, field: FormField, value: Any) -> None:
        super().__init__(classes="field")
        self.field, self.value = field, value

    def compose(self) -> ComposeResult:
        with Horizontal(classes="line"):
            yield Static(self.field.key.name, classes="name", markup=False)
            yield from self._control()
        yield Static(self.field.about, classes="about", markup=False)
        yield Static("", classes="problem", markup=False)

    def _control(self) -> ComposeResult:
        field = self.field
        if field.control == "switch":
            yield Switch(bool(self.value))
        elif field.control == "choice":
            yield self._select()
        elif field.control == "number":
            yield NumberInput(field.shown(self.value), placeholder="default" if field.is_optional else "", compact=True)
            yield StepButton("-", classes="step less", compact=True)
            yield StepButton("+", classes="step more", compact=True)
        else:
            yield Input(field.shown(self.value), placeholder="none" if field.is_optional else "", compact=True)

    def _select(self) -> Select[str]:
        choices = [*([NOTHING] if self.field.is_optional else []), *self.field.choices]
        shown = NOTHING if self.value is None else str(self.value)
        if shown not in choices:  # what a file says, be it wrong
            choices.append(shown)
        return Select(((choice, choice) for choice in choices), value=shown, allow_blank=False, compact=True)

    def enter(self) -> None:
        """Put the cursor into it."""
        self.query("Input, Select, Switch").first().focus()

    def settle(self) -> Any:
        """Take what stands in it, and return that: keys may come faster than the news of what they changed."""
        control = self.query("Input, Select, Switch").first()
        assert isinstance(control, Input | Select | Switch)
        self.value = self._read(control.value)
        return self.value

    def _read(self, shown: Any) -> Any:
        """The value that a control's own stands for."""
        if self.field.control == "switch":
            return shown
        if self.field.control == "choice":
            return None if shown == NOTHING else shown
        return self.field.read(shown)

    def say(self, problem: str, is_changed: bool) -> None:
        """Show what is wrong with the value, if anything is."""
        self.set_class(bool(problem), "wrong")
        self.set_class(is_changed, "changed")
        self.query_one(".problem", Static).update(problem)

    @on(Input.Changed)
    @on(Switch.Changed)
    @on(Select.Changed)
    def _changed(self, event: Input.Changed | Switch.Changed | Select.Changed) -> None:
        event.stop()
        value = self._read(event.value)
        if value != self.value or type(value) is not type(self.value):
            self.value = value
            self.post_message(self.Changed(self.field.path, value))

    @on(NumberInput.Stepped)
    def _stepped(self, event: NumberInput.Stepped) -> None:
        event.stop()
        self._step(event.up)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self._step(event.button.has_class("more"))

    def _step(self, up: bool) -> None:
        """The input shows the next number, and tells of it."""
        self.query_one(Input).value = self.field.shown(self.field.step(self.value, up))
