"""What native libraries write to stderr, kept in a file while a run works.

C code (ONNX Runtime, torch, CUDA, the C library itself) writes to file descriptor 2, past Python. So the descriptor is pointed
at a file, and Python's own stderr at where it pointed before. Nothing stands in between: what a library says before it takes
the process down is in the file, and a live screen is not written over.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from playmill.core import leaving

STDERR = 2
SHOWN = 1 << 16  # bytes of it, at most, that are shown afterwards


@contextmanager
def native_output_in(path: Path) -> Iterator[None]:
    """Inside, what C code writes to stderr is added to the file; afterwards it is shown. A disk may refuse it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    except OSError:
        yield
        return
    before, python = os.fstat(log).st_size, sys.stderr
    with suppress(OSError, ValueError):
        python.flush()
    console = os.dup(STDERR)
    os.dup2(log, STDERR)
    sys.stderr = _moved(python, console)
    leaving.speak_through(console)
    try:
        yield
    finally:
        leaving.speak_through(STDERR)
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        sys.stderr = python
        os.dup2(console, STDERR)
        for number in (console, log):
            os.close(number)
        _show(path, before)


def _moved(stream: TextIO, number: int) -> TextIO:
    """The stream with another descriptor, where it is the one of stderr."""
    try:
        is_ours = stream.fileno() == STDERR
    except (OSError, ValueError):  # in a test or a notebook it may be anything
        return stream
    if not is_ours or not isinstance(stream, io.TextIOWrapper):
        return stream
    return open(number, "w", buffering=1, encoding=stream.encoding, errors=stream.errors, closefd=False)


def _show(path: Path, before: int) -> None:
    """Show what was added to the file behind `before`; one that is empty is taken away."""
    with suppress(OSError), path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        if size == 0:
            path.unlink()
        elif size > before:
            file.seek(max(before, size - SHOWN))
            os.write(STDERR, file.read())
