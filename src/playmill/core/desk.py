"""What a task can have of whoever runs it: `worker_local`, `tell`, `stop_sign`. See `executor.py`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from playmill.core.errors import PlaymillError

T = TypeVar("T")


class Stopped(PlaymillError):
    """A task gave up because it was told to stop; it has no result, and that is no error."""


class Stop:
    """The sign that a run should end. `flag[0]` is 1 then, for kernels; arrays of others can be linked to it."""

    def __init__(self) -> None:
        import numpy as np  # not with the module: commands load it to say how many threads there are, and must start at once

        self.flag = np.zeros(1, np.int8)
        self._linked: list[Any] = []
        self._lock = threading.Lock()

    def set(self) -> None:
        with self._lock:
            self.flag[0] = 1
            for flag in self._linked:
                flag[0] = 1

    def is_set(self) -> bool:
        return bool(self.flag[0])

    def link(self, flag: Any) -> None:
        """Have flag[0] say the same from now on."""
        with self._lock:
            flag[0] = self.flag[0]
            if not any(linked is flag for linked in self._linked):
                self._linked.append(flag)

    def check(self) -> None:
        """Raise Stopped if the sign is set."""
        if self.is_set():
            raise Stopped("the run was told to stop")


@dataclass(frozen=True)
class WorkerDesk:
    """What a worker has at hand while it works on a task."""

    local: dict[Hashable, Any]
    stop: Stop
    tell: Callable[[Any], None]


_own = threading.local()


def worker_local(key: Hashable, make: Callable[[], T]) -> T:
    """What this worker made under the key, made now if it is new. Kept as long as the executor; outside of a run not at all."""
    desk: WorkerDesk | None = getattr(_own, "desk", None)
    if desk is None:
        return make()
    if key not in desk.local:
        desk.local[key] = make()
    found: T = desk.local[key]
    return found


def tell(news: Any) -> None:
    """Tell whoever waits for results how the task gets on."""
    desk: WorkerDesk | None = getattr(_own, "desk", None)
    if desk is not None:
        desk.tell(news)


def stop_sign() -> Stop:
    """The sign of the run that this task belongs to; outside of a run one that nobody sets."""
    desk: WorkerDesk | None = getattr(_own, "desk", None)
    return Stop() if desk is None else desk.stop


@contextmanager
def seated(desk: WorkerDesk) -> Iterator[None]:
    """Let this thread work at the desk; a task may itself run tasks, so what was before comes back."""
    before = getattr(_own, "desk", None)
    _own.desk = desk
    try:
        yield
    finally:
        _own.desk = before
