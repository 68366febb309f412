"""Scalars as TensorBoard's event file: one file that grows, the same bytes in one go or in many."""

from __future__ import annotations

import os
from io import BytesIO, FileIO
from pathlib import Path
from typing import Any

from playmill.core.disk import writing
from playmill.exports.cursor import Cursor
from playmill.exports.scalars import Scalars


class TensorBoardFile:
    """`events.out.tfevents.*` in a folder. Whatever stands behind the cursor's bytes was torn by a kill, and is cut off."""

    def __init__(self, folder: Path, cursor: Cursor) -> None:
        self.path = folder / f"events.out.tfevents.{cursor.created_ms // 1000}.playmill"
        self.cursor = cursor
        with writing(self.path):
            self._file: FileIO = self.path.open("ab", buffering=0)
            self._file.truncate(cursor.written_bytes)
        if not cursor.written_bytes:
            self._append(_event(cursor.created_ms, file_version="brain.Event:2"))

    def tell(self, event: dict[str, Any], scalars: Scalars) -> None:
        """Write the numbers at the event's own time and step."""
        from tensorboardX.proto.summary_pb2 import Summary

        values = [Summary.Value(tag=name, simple_value=number) for name, number in scalars.items()]
        step = event.get("step", event.get("iteration", 0))
        self._append(_event(event["ts_ms"], step=step, summary=Summary(value=values)))

    def _append(self, message: Any) -> None:
        with writing(self.path):
            self._file.write(_framed(message.SerializeToString()))
        self.cursor.written_bytes = os.fstat(self._file.fileno()).st_size

    def flush(self) -> None:
        """Bring it to the disk."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def _event(time_ms: int, **fields: Any) -> Any:
    from tensorboardX.proto.event_pb2 import Event

    return Event(wall_time=time_ms / 1000, **fields)


def _framed(data: bytes) -> bytes:
    """A record with its length and checksums, as event files have them."""
    from tensorboardX.record_writer import RecordWriter

    writer = RecordWriter.__new__(RecordWriter)  # its own `__init__` would replace the file
    writer._writer = BytesIO()
    writer.write(data)
    framed: bytes = writer._writer.getvalue()
    return framed
