"""Files of lines that grow: each line is there as a whole or not at all, and one process writes at a time."""

from __future__ import annotations

import fcntl
import os
from io import FileIO
from pathlib import Path

from playmill.core.errors import PlaymillError, UsageError


def open_alone(path: Path) -> FileIO:
    """A file to append to, without a buffer; refused while another process has it. The lock ends with the process."""
    if path.exists() and not path.is_file():
        raise UsageError(f"{path}: expected an ordinary file")
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("ab", buffering=0)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise PlaymillError(f"{path}: another process is writing to it; wait for it or stop it") from None
    return file


def append_line(file: FileIO, line: bytes) -> None:
    """Write all of the line or nothing: a disk that becomes full takes the beginning of it without a word."""
    size = os.fstat(file.fileno()).st_size
    written = 0
    try:
        while written < len(line):
            written += file.write(line[written:])
    except OSError:
        file.truncate(size)
        raise


def drop_torn_line(path: Path, block: int = 1 << 16) -> None:
    """Cut the file back to its last newline, so that what is appended next starts a line of its own."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        end = file.seek(0, 2)
        while end > 0:
            start = max(0, end - block)
            file.seek(start)
            newline = file.read(end - start).rfind(b"\n")
            if newline >= 0:
                file.truncate(start + newline + 1)
                return
            end = start
        file.truncate(0)
