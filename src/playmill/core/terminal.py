"""What the terminal that standard output is can show: colours, and how many columns."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

USUAL_COLUMNS = 80
_room: ContextVar[int | None] = ContextVar("room", default=None)


def wants_colour() -> bool:
    """Whether somebody looks on who has not asked for none (`NO_COLOR`)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def columns() -> int:
    """How wide a line may be: the room somebody named, else the terminal's width, or COLUMNS; into a pipe the usual width."""
    room = _room.get()
    if room is not None:
        return room
    is_measured = sys.stdout.isatty() or "COLUMNS" in os.environ
    return shutil.get_terminal_size((USUAL_COLUMNS, 24)).columns if is_measured else USUAL_COLUMNS


@contextmanager
def in_room(width: int) -> Iterator[None]:
    """What is drawn meanwhile stands in a part of the terminal, so many columns wide."""
    token = _room.set(width)
    try:
        yield
    finally:
        _room.reset(token)


def painted(words: str, colour: str, is_coloured: bool | None = None) -> str:
    """The words in a colour such as "1;32" where colours are wanted."""
    return f"\x1b[{colour}m{words}\x1b[0m" if (wants_colour() if is_coloured is None else is_coloured) else words
