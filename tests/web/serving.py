"""A running `playmill puzzles browse` or `playmill studio`."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def served(path, *words: str) -> Iterator[tuple[str, subprocess.Popen]]:
    """The address that is printed for a file of puzzles and the process, which ends with the block."""
    with serving("puzzles", "browse", str(path), *words) as found:
        yield found


@contextmanager
def serving(*words: str, cwd=None) -> Iterator[tuple[str, subprocess.Popen]]:
    """The address that a command prints and its process, which ends with the block."""
    command = [sys.executable, "-m", "playmill.cli.main", *words, "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd)
    try:
        line = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line)
        assert address, line or process.communicate(timeout=300)[1]
        yield address[0], process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=300)
