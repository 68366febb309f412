"""Locks on files: they go with the process that holds them, however it ends, and say who that is."""

from __future__ import annotations

import fcntl
import os
import re
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from playmill.core.disk import writing

TRIES, BETWEEN_S = 5, 0.04  # whoever only asks who holds a lock has it for a moment
HOLDER = re.compile(r"process (\d+) on (\S+)")


@dataclass(frozen=True)
class Holder:
    """Who holds a lock."""

    words: str

    @property
    def pid(self) -> int | None:
        """The process, if it is one of this machine."""
        found = HOLDER.fullmatch(self.words)
        return int(found[1]) if found and found[2] == socket.gethostname() else None

    def __str__(self) -> str:
        return self.words


class FileLock:
    """One lock; its folder is there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None

    def take(self) -> Holder | None:
        """Take it, or say who holds it."""
        with writing(self.path):
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        for left in reversed(range(TRIES)):
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if left:
                    time.sleep(BETWEEN_S)
                    continue
                holder = _read(handle)
                os.close(handle)
                return holder
        self._handle = handle
        return None

    @property
    def is_taken(self) -> bool:
        return self._handle is not None

    def sign(self) -> None:
        """Write down who holds it."""
        assert self._handle is not None
        with writing(self.path):
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)

    def release(self) -> None:
        """Give it back, if it was taken."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def holder_of(path: Path) -> Holder | None:
    """Who holds the lock now; None if nobody does."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(handle)
    finally:
        os.close(handle)
    return None


def _read(handle: int) -> Holder:
    return Holder(os.pread(handle, 200, 0).decode(errors="replace").strip() or "another process")
