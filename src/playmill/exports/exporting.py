"""One export: from the cursor to the end of the log, or along with a run at work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from playmill.exports.cursor import Cursor
from playmill.exports.following import follow
from playmill.exports.scalars import Scalars, scalars_of
from playmill.runs.view import RunView

SAVE_ROWS = 500  # the cursor is brought up to date so often, and whenever there is nothing to wait for


class Sink(Protocol):
    """Where scalars go."""

    def tell(self, event: dict[str, Any], scalars: Scalars) -> None: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


def export_events(
    view: RunView, folder: Path, cursor: Cursor, sink: Sink, is_live: bool, progress: Callable[[int], None] | None = None
) -> int:
    """Tell the sink every event behind the cursor that has numbers; return how many there were."""
    before, unsaved = cursor.rows, 0

    def save() -> None:
        sink.flush()
        cursor.save(folder)

    try:
        for told in follow(view.folder.root, view.folder.metrics, cursor.read_bytes, is_live):
            if told is not None:
                unsaved += _tell(sink, cursor, *told)
            if (told is None and unsaved) or unsaved >= SAVE_ROWS:
                save()
                unsaved = 0
            if progress is not None:
                progress(cursor.rows - before)
    finally:
        sink.close()
        cursor.save(folder)
    return cursor.rows - before


def _tell(sink: Sink, cursor: Cursor, event: dict[str, Any], end: int) -> int:
    if scalars := scalars_of(event):
        sink.tell(event, scalars)
        cursor.rows += 1
    cursor.read_bytes = end
    return bool(scalars)
