"""Work beside the screen's own thread, and how what it found comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual import on
from textual.dom import DOMNode
from textual.message import Message


class ThreadResult(Message, bubble=False):
    """What a thread found, to be shown by a call in the screen's own thread."""

    def __init__(self, show: Callable[..., None], words: tuple[Any, ...]) -> None:
        super().__init__()
        self.show, self.words = show, words


class Background(DOMNode):
    """For screens that read files in threads. It is the last of their bases: the first hands down its styles and keys.

    A thread leaves a message and goes on: one that waited for the screen would wait for ever once the screen is gone, and the
    process with it.
    """

    def later(self, show: Callable[..., None], *words: Any) -> None:
        """Call `show` in the screen's own thread, if it is still there."""
        self.post_message(ThreadResult(show, words))

    @on(ThreadResult)
    def _show_found(self, event: ThreadResult) -> None:
        if self.is_attached:
            event.show(*event.words)
