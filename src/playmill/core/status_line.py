"""One line on stderr about what takes a while. It loads nothing heavy: a command asks for it before anything else."""

from __future__ import annotations

import sys
import time
from typing import TextIO

REPEAT_S = 10.0  # between two lines where a line can't be written over
_is_announcing = False


def announce() -> None:
    """Tell on stderr from now on what takes a while; commands do, whoever imports playmill as a library hears nothing."""
    global _is_announcing
    _is_announcing = True


def is_announcing() -> bool:
    return _is_announcing


class StatusLine:
    """One line on stderr: written over on a terminal, now and then repeated elsewhere."""

    def __init__(self) -> None:
        self.is_begun = False
        self._last = -REPEAT_S

    def show(self, text: str) -> None:
        self.is_begun = True
        terminal = _own_terminal()
        if terminal is not None:
            terminal.write(f"\r\033[K{text}")
            terminal.flush()
        elif sys.stderr is not None and time.monotonic() - self._last >= REPEAT_S:
            self._last = time.monotonic()
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        terminal = _own_terminal()
        if self.is_begun and terminal is not None:
            terminal.write("\r\033[K")
            terminal.flush()


def _own_terminal() -> TextIO | None:
    """The terminal on stderr, unless a live display is up: that stands in for stderr and shows whole lines above itself."""
    stream = sys.__stderr__
    return stream if stream is not None and stream is sys.stderr and stream.isatty() else None
