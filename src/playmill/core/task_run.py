"""The tasks of one run: handed out by the thread that waits, done elsewhere, reported back. `ThreadRun` has threads for it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Iterator
from functools import partial
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from playmill.core.desk import Stop, Stopped, WorkerDesk, seated

T = TypeVar("T")
R = TypeVar("R")
Hear = Callable[[int, Any], None]  # task number, news

POLL_S = 0.05  # how often `cancel` is looked at
AHEAD = 2  # tasks handed out for each thread: one that it works on, one that it finds when it is done
RESULT, ERROR, NEWS, DROPPED = range(4)


class Cancel(Protocol):
    """Something that is set when a run should end, such as a threading.Event."""

    def is_set(self) -> bool: ...


class TaskReport(NamedTuple):
    """What whoever does a task has to say: news, or its end."""

    kind: int
    number: int
    what: Any


def do_task(function: Callable[[T], R], number: int, task: T, desk: WorkerDesk) -> TaskReport:
    """Do one task here; return the report of its end."""
    if desk.stop.is_set():
        return TaskReport(DROPPED, number, None)
    try:
        with seated(desk):
            return TaskReport(RESULT, number, function(task))
    except BaseException as error:
        if isinstance(error, Stopped) and desk.stop.is_set():
            return TaskReport(DROPPED, number, None)
        return TaskReport(ERROR, number, error)


class TaskRun(ABC, Generic[T, R]):
    """One run, wherever its tasks are done: what is yielded when, and how it ends (`executor.py`)."""

    def __init__(self, tasks: Iterator[tuple[int, T]], hear: Hear, cancel: Cancel | None) -> None:
        self._tasks, self._hear, self._cancel = tasks, hear, cancel
        self._stop = Stop()
        self._out = 0  # tasks handed out of which no end was reported
        self._errors: list[tuple[int, BaseException]] = []
        self._interrupts = 0
        self._look_at_cancel()

    def results(self) -> Generator[tuple[int, R], None, None]:
        """Yield as they come; see `Executor.run`."""
        try:
            self._refill()
            yield from self._collect()
        finally:
            self._stop.set()
            self._dismiss()
        if self._errors:
            raise min(self._errors, key=lambda item: item[0])[1]
        if self._interrupts:
            raise KeyboardInterrupt

    @abstractmethod
    def _has_room(self) -> bool:
        """Whether another task may be handed out."""

    @abstractmethod
    def _hand_out(self, number: int, task: T) -> None: ...

    @abstractmethod
    def _next_report(self) -> TaskReport | None:
        """The next report; None after a moment without any."""

    @abstractmethod
    def _dismiss(self) -> None:
        """The run is over: leave nobody at work, unless the user wouldn't wait."""

    def _pass_on_stop(self) -> None:
        """Show the sign to those who don't see it by themselves; called until the run is over."""

    def _refill(self) -> None:
        while not self._stop.is_set() and self._has_room():
            order = next(self._tasks, None)
            if order is None:
                return
            self._out += 1
            self._hand_out(*order)

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

    def _look_at_cancel(self) -> None:
        if self._cancel is not None and self._cancel.is_set():
            self._stop.set()

    def _wait(self) -> TaskReport:
        """The next report. The first Ctrl-C asks the tasks to end, the second one waits for nobody."""
        while True:
            self._look_at_cancel()
            if self._stop.is_set():
                self._pass_on_stop()
            try:
                report = self._next_report()
            except KeyboardInterrupt:
                self._interrupts += 1
                self._stop.set()
                if self._interrupts > 1:
                    raise
            else:
                if report is not None:
                    return report


class ThreadRun(TaskRun[T, R]):
    """Threads of this process, which report through one queue; each has what is `local` to it."""

    def __init__(
        self,
        function: Callable[[T], R],
        tasks: Iterator[tuple[int, T]],
        local: list[dict[Hashable, Any]],
        hear: Hear,
        cancel: Cancel | None,
    ) -> None:
        super().__init__(tasks, hear, cancel)
        self._function, self._local = function, local
        self._orders: SimpleQueue[tuple[int, T] | None] = SimpleQueue()
        self._reports: SimpleQueue[TaskReport] = SimpleQueue()
        self._threads: list[threading.Thread] = []

    def results(self) -> Generator[tuple[int, R], None, None]:
        """One task that nobody can cancel is not worth a thread; Ctrl-C ends the task itself."""
        first = list(islice(self._tasks, 2))
        if len(first) == 1 and self._cancel is None:
            yield self._run_here(*first[0])
            return
        for number, task in first:
            self._out += 1
            self._hand_out(number, task)
        yield from super().results()

    def _run_here(self, number: int, task: T) -> tuple[int, R]:
        with seated(WorkerDesk(self._local[0], self._stop, lambda news: self._hear(number, news))):
            return number, self._function(task)

    def _has_room(self) -> bool:
        return self._out < AHEAD * len(self._local)

    def _hand_out(self, number: int, task: T) -> None:
        self._orders.put((number, task))
        if len(self._threads) < len(self._local):
            thread = threading.Thread(target=self._work, args=(self._local[len(self._threads)],), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _next_report(self) -> TaskReport | None:
        try:
            return self._reports.get(timeout=POLL_S)
        except Empty:
            return None

    def _dismiss(self) -> None:
        for _ in self._threads:
            self._orders.put(None)
        if self._interrupts < 2:
            for thread in self._threads:
                thread.join()

    def _work(self, local: dict[Hashable, Any]) -> None:
        while (order := self._orders.get()) is not None:
            number, task = order
            desk = WorkerDesk(local, self._stop, partial(self._tell, number))
            self._reports.put(do_task(self._function, number, task, desk))

    def _tell(self, number: int, news: Any) -> None:
        self._reports.put(TaskReport(NEWS, number, news))
