"""What wakes the thread at the sockets: a pipe that it waits for beside them, and any thread may write to."""

from __future__ import annotations

import os
import select
from contextlib import suppress

ROOM = 4096  # rings that are heard at once; a full pipe wakes its reader just as well


class Bell:
    """Rings until it is silenced, however often it was rung."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        self._poll = select.poll()
        self._poll.register(self._reader, select.POLLIN)

    def fileno(self) -> int:
        return self._reader

    def ring(self) -> None:
        with suppress(BlockingIOError):
            os.write(self._writer, b"\0")

    def wait(self, wait_ms: float) -> bool:
        """Whether it rings, now or within the time."""
        return bool(self._poll.poll(wait_ms))

    def silence(self) -> None:
        with suppress(BlockingIOError):
            os.read(self._reader, ROOM)

    def close(self) -> None:
        os.close(self._reader)
        os.close(self._writer)
