"""Waiting for another process to get somewhere, and holding it there."""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager, suppress

PATIENCE_S = 120.0  # nothing takes so long, however busy the machine is; only a failure waits for it


def wait_for(condition, patience_s=PATIENCE_S):
    """Return once `condition()` holds; fail if it takes too long."""
    deadline = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < deadline, f"nothing happened in {patience_s} s"
        time.sleep(0.005)


@contextmanager
def halted(pid):
    """Stop a process where it is, so that whoever looks at it has time."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):  # it was over before
            os.kill(pid, signal.SIGCONT)
