"""What came of asking a server to take in a network."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playmill.core.errors import PlaymillError, one_line


@dataclass(frozen=True)
class Reloaded:
    """One attempt."""

    address: str
    model: str  # SHA-256 of the network's weights
    ok: bool
    seconds: float
    error: str | None = None


OnReload = Callable[[Reloaded], None]


@contextmanager
def told_reload(on_reload: OnReload | None, address: str, model: str) -> Iterator[None]:
    """Inside the block a server is asked; how that ends is told, and errors go on."""
    began = time.monotonic()
    try:
        yield
    except PlaymillError as error:
        if on_reload is not None:
            on_reload(Reloaded(address, model, False, time.monotonic() - began, one_line(error)))
        raise
    if on_reload is not None:
        on_reload(Reloaded(address, model, True, time.monotonic() - began))
