"""Standard input, output and errors as a command wants them, whatever they are when it starts."""

from __future__ import annotations

import io
import os
import sys

NAMES = ("stdin", "stdout", "stderr")


def prepare_streams() -> None:
    """Point closed streams at nothing, and let no character that the terminal can't show be an error."""
    for number, name in enumerate(NAMES):
        _open_closed(number, name)
    for stream, errors in ((sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # what we read there is JSON or plain English


def _open_closed(number: int, name: str) -> None:
    """Without this the next file that is opened would get the number, and lines meant for people would end up in it."""
    try:
        os.fstat(number)
    except OSError:
        os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if getattr(sys, name) is None:
        mode = "r" if name == "stdin" else "w"
        setattr(sys, name, open(number, mode, encoding="utf-8", errors="replace"))  # noqa: SIM115


def forget_output() -> None:
    """Drop what standard output still holds: Python would complain once more while it flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
