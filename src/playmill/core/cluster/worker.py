"""A worker of a cluster: a process that Ray starts somewhere, and that does one task after the other."""

from __future__ import annotations

import os
import pickle
import platform
import sys
import threading
import traceback
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import ray
from ray import cloudpickle

from playmill import __version__
from playmill.core.cluster.packing import PackedTask, unpack
from playmill.core.desk import Stop, WorkerDesk
from playmill.core.errors import PlaymillError, raised_where
from playmill.core.task_run import ERROR, NEWS, TaskReport, do_task

STREAMS = 2  # of calls: a task, and beside it the word that stops it


@dataclass(frozen=True)
class Introduction:
    """Who a worker is."""

    playmill: str
    python: str
    address: str  # of its node
    node: str  # by Ray's name for it
    pid: int


class RayWorker:
    """What Ray makes an actor of. It keeps what is worker-local for the executor that it worked for last."""

    def __init__(self, path: Sequence[str], prepare: Callable[[], None] | None = None) -> None:
        """`path` is where the command finds its modules: a user's game may lie beside it, and beside this worker, too."""
        sys.path += [folder for folder in path if folder not in sys.path]
        if prepare is not None:
            prepare()
        self._executor = ""
        self._local: dict[Hashable, Any] = {}
        self._parts: dict[str, Any] = {}
        self._stops: dict[str, Stop] = {}

    def introduce(self) -> Introduction:
        node = ray.get_runtime_context().get_node_id()
        return Introduction(__version__, platform.python_version(), ray.util.get_node_ip_address(), node, os.getpid())

    def work(self, executor: str, run: str, number: int, packed: PackedTask) -> Iterator[bytes]:
        """Do a task: a stream of its news, as they come, and of its end."""
        if executor != self._executor:
            self._executor, self._local, self._parts = executor, {}, {}
        reports: SimpleQueue[TaskReport] = SimpleQueue()
        desk = WorkerDesk(self._local, self._stop_of(run), lambda news: reports.put(TaskReport(NEWS, number, news)))
        # A thread of its own: the task tells its news from deep inside, while this one hands them on.
        threading.Thread(target=lambda: reports.put(self._do(number, packed, desk)), daemon=True).start()
        while True:
            report = reports.get()
            yield _pickled(report)
            if report.kind != NEWS:
                return

    def stop(self, run: str) -> None:
        """Show the stop sign to the tasks of a run, those that are still on their way included."""
        self._stop_of(run).set()

    def _stop_of(self, run: str) -> Stop:
        if run not in self._stops:
            self._stops = {run: Stop()}  # runs come one after the other
        return self._stops[run]

    def _do(self, number: int, packed: PackedTask, desk: WorkerDesk) -> TaskReport:
        try:
            function, task = unpack(packed, self._parts)
        except Exception as error:
            return TaskReport(ERROR, number, error)
        return do_task(function, number, task, desk)


def _pickled(report: TaskReport) -> bytes:
    if report.kind == ERROR:
        report = report._replace(what=_portable(report.what))
    try:
        return bytes(cloudpickle.dumps(report))
    except Exception as error:  # whatever a class may raise that can't be pickled
        what = PlaymillError(f"a {type(report.what).__name__} can't be sent back: {error}")
        return bytes(cloudpickle.dumps(TaskReport(ERROR, report.number, what)))


def _portable(error: BaseException) -> BaseException:
    """The error, or one like it that can be pickled; a bug's comes with the worker's own traceback."""
    if not isinstance(error, PlaymillError):
        error.add_note("in a worker of the cluster:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return PlaymillError(str(error) if isinstance(error, PlaymillError) else raised_where(error))
    return error
