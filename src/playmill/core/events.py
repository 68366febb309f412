"""NDJSON: one JSON object a line, appended. A reader may look at any time, also after a kill."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from io import FileIO
from pathlib import Path
from typing import Any

from playmill.core.disk import writing
from playmill.core.lines import append_line, drop_torn_line


class EventLog:
    """Appends events to one file. Each line is one write, so readers never see two lines mixed.

    The file is made by its first event: work that is refused before it begins leaves nothing behind.
    """

    def __init__(self, path: Path, head: Mapping[str, Any] | None = None) -> None:
        """`head`: what every event says besides its own, such as whose it is."""
        self.path, self.head = path, dict(head or {})
        self._opened: FileIO | None = None

    def write(self, event: str, **fields: Any) -> None:
        """Append `{"event": event, "ts_ms": now, **head, **fields}`; a value JSON can't hold (NaN too) is an error."""
        line = {"event": event, "ts_ms": time.time_ns() // 1_000_000, **self.head, **fields}
        with writing(self.path):
            append_line(self._file(), (json.dumps(line, allow_nan=False) + "\n").encode())

    def _file(self) -> FileIO:
        if self._opened is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            drop_torn_line(self.path)
            self._opened = self.path.open("ab", buffering=0)
        return self._opened

    def read(self) -> Iterator[dict[str, Any]]:
        """The events so far, those of earlier processes with them."""
        return read_events(self.path)

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def __enter__(self) -> EventLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_events(path: Path) -> Iterator[dict[str, Any]]:
    """The events of the file, in order. What is none (a last line torn by a kill, damage anywhere) is left out."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            event = parse_event(line)
            if event is not None:
                yield event


class EventTail:
    """Reads a log that grows: each call has the events since the last one."""

    def __init__(self, path: Path) -> None:
        self.path, self._place = path, 0

    def take(self) -> list[dict[str, Any]]:
        """The new events; of a log that was written anew, all of them."""
        try:
            with self.path.open("rb") as file:
                if file.seek(0, 2) < self._place:
                    self._place = 0
                file.seek(self._place)
                data = file.read()
        except OSError:
            return []
        whole = data[: data.rfind(b"\n") + 1]
        self._place += len(whole)
        return [event for line in whole.splitlines(keepends=True) if (event := parse_event(line)) is not None]


def parse_event(line: bytes) -> dict[str, Any] | None:
    """The event in a line, None if it is not a whole one."""
    try:
        found = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("event"), str) else None
