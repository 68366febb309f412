"""One run on a cluster: tasks go to workers that are idle, their news and ends come back as streams.

A task whose worker died is done again by another. It does the same again, so it tells the same news in the same order: those
that were heard before are skipped, and nothing is doubled or lost.
"""

from __future__ import annotations

import pickle
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import ray

from playmill.core.cluster.crew import Crew, Member
from playmill.core.cluster.packing import PackedTask, SharedParts, pack
from playmill.core.errors import PlaymillError, one_line, require_workers
from playmill.core.executor import hear_nothing, put_in_order
from playmill.core.task_run import DROPPED, ERROR, NEWS, Cancel, Hear, TaskReport, TaskRun

T = TypeVar("T")
R = TypeVar("R")
MOST_DEATHS = 5  # of workers over one task: then it is the task that kills them
WAIT_S = 0.25  # for reports at a time, as Ray's waiting costs more than a queue's
PATIENCE_S = 10.0  # for running tasks to see the stop sign when the run is over


class RayExecutor:
    """Runs tasks on workers of a cluster, one run at a time."""

    def __init__(self, crew: Crew, workers: int) -> None:
        self.workers = require_workers(workers)
        self._crew, self._name, self._parts = crew, uuid.uuid4().hex, SharedParts()

    def run(
        self,
        function: Callable[[T], R],
        tasks: Iterable[T],
        *,
        hear: Hear | None = None,
        cancel: Cancel | None = None,
        in_order: bool = False,
    ) -> Generator[tuple[int, R], None, None]:
        """As in `Executor`."""
        packed = ((number, pack(function, task, self._parts)) for number, task in enumerate(tasks))
        run: RayRun[R] = RayRun(self._crew, self.workers, self._name, packed, hear or hear_nothing, cancel)
        results = run.results()
        return put_in_order(results) if in_order else results


@dataclass
class SentTask:
    """A task on its way: who does it, how much of its news was heard, and how many died over it."""

    number: int
    packed: PackedTask
    member: Member | None = None
    heard: int = 0
    told: int = 0  # by the worker that does it now
    deaths: int = 0


class RayRun(TaskRun[PackedTask, R]):
    """The tasks of one `RayExecutor.run`."""

    def __init__(
        self,
        crew: Crew,
        workers: int,
        executor: str,
        tasks: Iterator[tuple[int, PackedTask]],
        hear: Hear,
        cancel: Cancel | None,
    ) -> None:
        super().__init__(tasks, hear, cancel)
        self._crew, self._workers, self._executor, self._name = crew, workers, executor, uuid.uuid4().hex
        self._waiting: deque[SentTask] = deque()
        self._at_work: dict[Any, SentTask] = {}  # by the stream of its reports
        self._told_to_stop: set[int] = set()  # members, by id

    def results(self) -> Generator[tuple[int, R], None, None]:
        self._crew.resize(self._workers)
        return super().results()

    def _has_room(self) -> bool:
        return self._out <= self._workers  # one more than there are workers: it is packed when somebody gets free

    def _hand_out(self, number: int, task: PackedTask) -> None:
        self._waiting.append(SentTask(number, task))
        self._assign()

    def _assign(self) -> None:
        """Give waiting tasks to idle workers."""
        while self._waiting and (member := self._crew.idle()) is not None:
            job = self._waiting.popleft()
            member.is_busy, job.member, job.told = True, member, 0
            self._at_work[member.actor.work.remote(self._executor, self._name, job.number, job.packed)] = job

    def _next_report(self) -> TaskReport | None:
        if self._stop.is_set() and self._waiting:
            return TaskReport(DROPPED, self._waiting.popleft().number, None)
        self._assign()
        self._crew.wait_patiently()
        starting = self._crew.starting
        ready, _ = ray.wait([*self._at_work, *starting], num_returns=1, timeout=WAIT_S)
        for one in ready:
            if one in starting:
                self._crew.greet(one)
            else:
                return self._read(one)
        return None

    def _read(self, stream: Any) -> TaskReport | None:
        """What a task's stream has next; None if that is nothing new."""
        job = self._at_work[stream]
        try:
            report: TaskReport = pickle.loads(ray.get(next(stream)))
        except (StopIteration, ray.exceptions.RayError) as error:
            return self._mourn(stream, job, error)
        if report.kind == NEWS:
            job.told += 1
            if job.told <= job.heard:
                return None
            job.heard = job.told
            return report
        self._free(stream, job)
        return report

    def _free(self, stream: Any, job: SentTask) -> None:
        del self._at_work[stream]
        assert job.member is not None
        job.member.is_busy = False

    def _mourn(self, stream: Any, job: SentTask, error: Exception) -> TaskReport | None:
        """Its worker is gone: have the task done again, unless nobody wants it any more or it is the task that kills."""
        self._free(stream, job)
        assert job.member is not None
        self._crew.replace(job.member)
        job.deaths += 1
        if self._stop.is_set():
            return TaskReport(DROPPED, job.number, None)
        if job.deaths == MOST_DEATHS:
            told = f"task {job.number}: {job.deaths} workers died over it, the last one so: {one_line(error)}"
            return TaskReport(ERROR, job.number, PlaymillError(f"{told}; is there enough memory for a worker?"))
        self._waiting.appendleft(job)
        return None

    def _pass_on_stop(self) -> None:
        for job in self._at_work.values():
            assert job.member is not None
            if id(job.member) not in self._told_to_stop:
                self._told_to_stop.add(id(job.member))
                job.member.actor.stop.remote(self._name)

    def _dismiss(self) -> None:
        """Whoever is still at work when nobody waits any more is told to stop, and replaced if it doesn't hear."""
        self._pass_on_stop()
        patience = PATIENCE_S if self._interrupts < 2 else 0.0
        ends = {stream.completed(): job for stream, job in self._at_work.items()}
        _, deaf = ray.wait(list(ends), num_returns=len(ends), timeout=patience) if ends else ([], [])
        for ref, job in ends.items():
            assert job.member is not None
            job.member.is_busy = False
            if ref in deaf:
                self._crew.replace(job.member)
        self._at_work = {}
