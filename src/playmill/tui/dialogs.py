"""Short questions over a screen."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static


class Confirm(ModalScreen[bool]):
    """Yes or no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self.question, markup=False)
            yield Static("y or Enter: yes    n or Esc: no", classes="keys")

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)


class AskNumber(ModalScreen[int | None]):
    """A whole number, at least so large."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Leave")]

    def __init__(self, question: str, value: int, least: int) -> None:
        super().__init__()
        self.question, self.value, self.least = question, value, least

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self.question, classes="head", markup=False)
            yield Input(str(self.value), type="integer")
            yield Static("", classes="problem", markup=False)
            yield Static("Enter: go on    Esc: leave", classes="keys")

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if text.isascii() and text.isdecimal() and len(text) < 13 and int(text) >= self.least:
            self.dismiss(int(text))
        else:
            self.query_one(".problem", Static).update(f"expected a whole number, at least {self.least}, got '{text[:40]}'")
