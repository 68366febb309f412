"""A progress bar on stderr, where somebody is looking."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class TellsProgress(Protocol):
    """Hears how many are done; what else is said about them, a bar has no room for."""

    def __call__(self, done: int, **facts: float) -> None: ...


@contextmanager
def progress_bar(label: str, total: int) -> Iterator[TellsProgress | None]:
    """A function to call with the number done so far; None where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done, **facts: bar.update(task, completed=done)
