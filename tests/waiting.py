"""Waiting for another process to get somewhere."""

from __future__ import annotations

import time


def wait_for(condition, patience_s=120.0):
    """Return once `condition()` holds; fail if it takes too long."""
    deadline = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < deadline, f"nothing happened in {patience_s} s"
        time.sleep(0.005)
