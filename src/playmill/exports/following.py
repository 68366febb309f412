"""A log read from any place on, once or for as long as its run works."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playmill.core.events import parse_event
from playmill.runs.view import RunView

POLL_S = 0.5

Told = tuple[dict[str, Any], int]  # an event, and how many bytes of the log end with it


def read_from(path: Path, begin: int) -> Iterator[Told]:
    """The whole events behind the first `begin` bytes; a line that is still being written, or is no event, is left out."""
    if not path.exists():
        return
    with path.open("rb") as file:
        file.seek(begin)
        for line in file:
            if not line.endswith(b"\n"):
                return
            begin += len(line)
            if (event := parse_event(line)) is not None:
                yield event, begin


def follow(root: Path, path: Path, begin: int = 0, is_live: bool = False) -> Iterator[Told | None]:
    """The events of a run's log. Live: until the run is no longer at work, with None whenever there is nothing new."""
    while True:
        is_last = not (is_live and _is_at_work(root))  # asked before reading, so that nothing is missed at the end
        for event, begin in read_from(path, begin):  # noqa: B020
            yield event, begin
        if is_last:
            return
        yield None
        time.sleep(POLL_S)


def _is_at_work(root: Path) -> bool:
    return RunView(root).state.name in ("running", "new")
