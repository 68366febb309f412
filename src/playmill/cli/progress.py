"""A progress bar on stderr, where somebody is looking."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol


class TellsProgress(Protocol):
    """Hears how many are done, and facts about them; a bar shows those that it was made for."""

    def __call__(self, done: int, **facts: Any) -> None: ...


@contextmanager
def progress_bar(label: str, total: int, facts: Sequence[str] = ()) -> Iterator[TellsProgress | None]:
    """A function to call with the number done so far; None where stderr is not a terminal. `facts` are shown beside it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    beside = [TextColumn(f"{{task.fields[{name}]:,}} {name}") for name in facts]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), *beside, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        nothing_yet: dict[str, Any] = dict.fromkeys(facts, 0)
        task = bar.add_task(label, total=total, **nothing_yet)
        yield lambda done, **told: bar.update(task, completed=done, **told)
