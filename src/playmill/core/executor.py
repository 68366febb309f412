"""One way to work through many tasks at once: `run(function, tasks, workers)` yields (task number, result) as they finish.

`function` is a function of a module, a task describes what to do, and both, like the result, can be pickled; nothing else is
shared. So it matters to nobody where a task runs: threads of this process (`Threads`; kernels release the GIL) are one
executor, a cluster can be another behind the same `run`. Inside a task three things can be had of the executor:

    worker_local(key, make)    what is costly to make and no result depends on (evaluators, trees): made once a worker, by key
    tell(news)                 progress: whatever can be pickled, told to `hear` in the thread that waits for results
    stop_sign()                asked by long tasks: whoever waits wants no more; `check()` raises Stopped

The first Ctrl-C, an error in a task, or `cancel` stops a run: waiting tasks never begin, running ones see the sign. What they
still give back is yielded; then KeyboardInterrupt or the error of the lowest task number is raised. A run that was cancelled
just ends, since the one who cancelled knows.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, Generic, Protocol, TypeVar

from playmill.core.errors import PlaymillError, require_workers

T = TypeVar("T")
R = TypeVar("R")
Hear = Callable[[int, Any], None]  # task number, news
Progress = Callable[[int], None]  # how many are done

POLL_S = 0.05  # how often `cancel` is looked at
AHEAD = 2  # tasks handed out for each worker: one that it works on, one that it finds when it is done


class Stopped(PlaymillError):
    """A task gave up because it was told to stop; it has no result, and that is no error."""


class Cancel(Protocol):
    """Something that is set when a run should end, such as a threading.Event."""

    def is_set(self) -> bool: ...


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


# ------------------------------------------------------------------ inside a task


@dataclass(frozen=True)
class _Desk:
    """What a worker has at hand while it works on a task."""

    local: dict[Hashable, Any]
    stop: Stop
    tell: Callable[[Any], None]


_own = threading.local()


def worker_local(key: Hashable, make: Callable[[], T]) -> T:
    """What this worker made under the key, made now if it is new. Kept as long as the executor; outside of a run not at all."""
    desk: _Desk | None = getattr(_own, "desk", None)
    if desk is None:
        return make()
    if key not in desk.local:
        desk.local[key] = make()
    found: T = desk.local[key]
    return found


def tell(news: Any) -> None:
    """Tell whoever waits for results how the task gets on."""
    desk: _Desk | None = getattr(_own, "desk", None)
    if desk is not None:
        desk.tell(news)


def stop_sign() -> Stop:
    """The sign of the run that this task belongs to; outside of a run one that nobody sets."""
    desk: _Desk | None = getattr(_own, "desk", None)
    return Stop() if desk is None else desk.stop


@contextmanager
def _seated(desk: _Desk) -> Iterator[None]:
    """Let this thread work at the desk; a task may itself run tasks, so what was before comes back."""
    before = getattr(_own, "desk", None)
    _own.desk = desk
    try:
        yield
    finally:
        _own.desk = before


# ------------------------------------------------------------------ executors


class Executor(Protocol):
    """Runs tasks somewhere."""

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


def count_threads(workers: int | None) -> int:
    """How many threads to start: as many as were asked for, else one a core."""
    return (os.cpu_count() or 1) if workers is None else require_workers(workers)


class Threads:
    """Runs tasks on threads of this process, one run at a time. What is `worker_local` lasts as long as this object."""

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
        results = _Run(function, enumerate(tasks), self._local, hear or _hear_nothing, cancel).results()
        return _in_order(results) if in_order else results


def run(
    function: Callable[[T], R],
    tasks: Iterable[T],
    workers: int,
    *,
    hear: Hear | None = None,
    cancel: Cancel | None = None,
    in_order: bool = False,
) -> Generator[tuple[int, R], None, None]:
    """Run tasks on as many threads as asked, once."""
    return Threads(workers).run(function, tasks, hear=hear, cancel=cancel, in_order=in_order)


def counting(progress: Progress | None, before: int = 0) -> Hear:
    """For tasks that tell how many more they have done: `progress` hears the sum, and `before` with it."""
    done = [before]

    def hear(_: int, more: int) -> None:
        done[0] += more
        if progress is not None:
            progress(done[0])

    return hear


def _hear_nothing(_: int, __: Any) -> None:
    pass


def _in_order(results: Generator[tuple[int, R], None, None]) -> Generator[tuple[int, R], None, None]:
    """Hold each result back until all with lower numbers have come."""
    held: dict[int, R] = {}
    due = 0
    with closing(results):
        for number, result in results:
            held[number] = result
            while due in held:
                yield due, held.pop(due)
                due += 1


# ------------------------------------------------------------------ one run on threads

RESULT, ERROR, NEWS, DROPPED = range(4)


class _Run(Generic[T, R]):
    """The tasks of one `Threads.run`: handed out by the thread that waits, done by others, which report through one queue."""

    def __init__(
        self,
        function: Callable[[T], R],
        tasks: Iterator[tuple[int, T]],
        local: list[dict[Hashable, Any]],
        hear: Hear,
        cancel: Cancel | None,
    ) -> None:
        self._function, self._tasks, self._local, self._hear, self._cancel = function, tasks, local, hear, cancel
        self._stop = Stop()
        self._orders: SimpleQueue[tuple[int, T] | None] = SimpleQueue()
        self._reports: SimpleQueue[tuple[int, int, Any]] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._out = 0  # tasks handed out of which no end was reported
        self._errors: list[tuple[int, BaseException]] = []
        self._interrupts = 0

    def results(self) -> Generator[tuple[int, R], None, None]:
        """Yield as they come; see `Executor.run`."""
        orders = list(islice(self._tasks, 2))
        if len(orders) == 1 and self._cancel is None:
            yield self._run_here(*orders[0])
            return
        for order in orders:
            self._hand_out(order)
        try:
            yield from self._collect()
        finally:
            self._dismiss()
        if self._errors:
            raise min(self._errors, key=lambda item: item[0])[1]
        if self._interrupts:
            raise KeyboardInterrupt

    def _run_here(self, number: int, task: T) -> tuple[int, R]:
        """One task that nobody can cancel is not worth a thread; Ctrl-C ends the task itself."""
        with _seated(_Desk(self._local[0], self._stop, lambda news: self._hear(number, news))):
            return number, self._function(task)

    def _collect(self) -> Iterator[tuple[int, R]]:
        while self._out:
            self._refill()
            kind, number, what = self._wait()
            if kind == NEWS:
                self._hear(number, what)
                continue
            self._out -= 1
            if kind == ERROR:
                self._errors.append((number, what))
                self._stop.set()
            elif kind == RESULT:
                self._refill()
                yield number, what

    def _wait(self) -> tuple[int, int, Any]:
        """The next report. The first Ctrl-C asks the tasks to end, the second one waits for nobody."""
        while True:
            if self._cancel is not None and self._cancel.is_set():
                self._stop.set()
            try:
                return self._reports.get(timeout=POLL_S)
            except Empty:
                continue
            except KeyboardInterrupt:
                self._interrupts += 1
                self._stop.set()
                if self._interrupts > 1:
                    raise

    # ------------------------------------------------------------------ the workers

    def _refill(self) -> None:
        while not self._stop.is_set() and self._out < AHEAD * len(self._local):
            order = next(self._tasks, None)
            if order is None:
                return
            self._hand_out(order)

    def _hand_out(self, order: tuple[int, T]) -> None:
        self._orders.put(order)
        self._out += 1
        if len(self._threads) < len(self._local):
            thread = threading.Thread(target=self._work, args=(self._local[len(self._threads)],), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _dismiss(self) -> None:
        self._stop.set()
        for _ in self._threads:
            self._orders.put(None)
        if self._interrupts < 2:
            for thread in self._threads:
                thread.join()

    def _work(self, local: dict[Hashable, Any]) -> None:
        while (order := self._orders.get()) is not None:
            self._reports.put(self._do(local, *order))

    def _do(self, local: dict[Hashable, Any], number: int, task: T) -> tuple[int, int, Any]:
        """Do one task; return the report of its end."""
        if self._stop.is_set():
            return DROPPED, number, None
        try:
            with _seated(_Desk(local, self._stop, lambda news: self._reports.put((NEWS, number, news)))):
                return RESULT, number, self._function(task)
        except BaseException as error:
            if isinstance(error, Stopped) and self._stop.is_set():
                return DROPPED, number, None
            return ERROR, number, error
