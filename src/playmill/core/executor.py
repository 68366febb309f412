"""One way to work through many tasks at once: `run(function, tasks, workers)` yields (task number, result) as they finish.

`function` is a function of a module, a task describes what to do, and both, like the result, can be pickled; nothing else is
shared. So it matters to nobody where a task runs: threads of this process (`Threads`; kernels release the GIL) are one
executor, the machines of a Ray cluster another (`cluster/`), and `using` chooses it for all that goes through `run` and
`open_executor`. Inside a task three things can be had of the executor:

    worker_local(key, make)    what is costly to make and no result depends on (evaluators, trees): made once a worker, by key
    tell(news)                 progress: whatever can be pickled, told to `hear` in the thread that waits for results
    stop_sign()                asked by long tasks: whoever waits wants no more; `check()` raises Stopped

The first Ctrl-C, an error in a task, or `cancel` stops a run: waiting tasks never begin, running ones see the sign. What they
still give back is yielded; then KeyboardInterrupt or the error of the lowest task number is raised. A run that was cancelled
just ends, since the one who cancelled knows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator
from contextlib import closing, contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar

from playmill.core.desk import Stop as Stop
from playmill.core.desk import Stopped as Stopped
from playmill.core.desk import stop_sign as stop_sign
from playmill.core.desk import tell as tell
from playmill.core.desk import worker_local as worker_local
from playmill.core.errors import require_workers
from playmill.core.task_run import Cancel as Cancel
from playmill.core.task_run import Hear as Hear
from playmill.core.task_run import ThreadRun

T = TypeVar("T")
R = TypeVar("R")
Progress = Callable[[int], None]  # how many are done


class Executor(Protocol):
    """Runs tasks somewhere. What is `worker_local` lasts as long as this object, or until it is closed."""

    def run(
        self,
        function: Callable[[T], R],
        tasks: Iterable[T],
        *,
        hear: Hear | None = None,
        cancel: Cancel | None = None,
        in_order: bool = False,
    ) -> Generator[tuple[int, R], None, None]:
        """Yield (number, result) of each task as it finishes, or in order; `hear` is told (number, news) in between."""


class Threads:
    """Runs tasks on threads of this process, one run at a time."""

    def __init__(self, workers: int) -> None:
        self.workers = require_workers(workers)
        self._local: list[dict[Hashable, Any]] = [{} for _ in range(workers)]

    def run(
        self,
        function: Callable[[T], R],
        tasks: Iterable[T],
        *,
        hear: Hear | None = None,
        cancel: Cancel | None = None,
        in_order: bool = False,
    ) -> Generator[tuple[int, R], None, None]:
        """As in `Executor`. Tasks are taken from the iterator as workers get free; one alone is done in this thread."""
        results = ThreadRun(function, enumerate(tasks), self._local, hear or hear_nothing, cancel).results()
        return put_in_order(results) if in_order else results


# ------------------------------------------------------------------ which executor


class Workforce(Protocol):
    """Where tasks can be done: it opens executors."""

    def count(self) -> int:
        """How many workers to have where nobody says it."""

    def open(self, workers: int) -> Executor: ...


class LocalThreads:
    """This process."""

    def count(self) -> int:
        return os.cpu_count() or 1

    def open(self, workers: int) -> Executor:
        return Threads(workers)


HERE = LocalThreads()
_workforce: ContextVar[Workforce] = ContextVar("workforce", default=HERE)


@contextmanager
def using(workforce: Workforce) -> Iterator[None]:
    """Have `run` and `open_executor` work elsewhere for a while. `Threads` are threads of this process in any case."""
    token = _workforce.set(workforce)
    try:
        yield
    finally:
        _workforce.reset(token)


def works_here() -> bool:
    """Whether tasks are done in this process now."""
    return _workforce.get() is HERE


def open_executor(workers: int) -> Executor:
    """An executor with so many workers, wherever tasks are done now."""
    return _workforce.get().open(workers)


def count_workers(workers: int | None) -> int:
    """How many workers to have: as many as were asked for, else as many as there can be where tasks are done now."""
    return _workforce.get().count() if workers is None else require_workers(workers)


def count_threads(workers: int | None) -> int:
    """How many threads of this process to start: as many as were asked for, else one a core."""
    return HERE.count() if workers is None else require_workers(workers)


def run(
    function: Callable[[T], R],
    tasks: Iterable[T],
    workers: int,
    *,
    hear: Hear | None = None,
    cancel: Cancel | None = None,
    in_order: bool = False,
) -> Generator[tuple[int, R], None, None]:
    """Run tasks with as many workers as asked, once."""
    return open_executor(workers).run(function, tasks, hear=hear, cancel=cancel, in_order=in_order)


def counting(progress: Progress | None, before: int = 0) -> Hear:
    """For tasks that tell how many more they have done: `progress` hears the sum, and `before` with it."""
    done = [before]

    def hear(_: int, more: int) -> None:
        done[0] += more
        if progress is not None:
            progress(done[0])

    return hear


def hear_nothing(_: int, __: Any) -> None:
    """For those who don't listen."""


def put_in_order(results: Generator[tuple[int, R], None, None]) -> Generator[tuple[int, R], None, None]:
    """Hold each result back until all with lower numbers have come."""
    held: dict[int, R] = {}
    due = 0
    with closing(results):
        for number, result in results:
            held[number] = result
            while due in held:
                yield due, held.pop(due)
                due += 1
