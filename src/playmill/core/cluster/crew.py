"""The workers that a command has in a cluster: started once, kept from run to run, replaced when they die."""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ray

from playmill import __version__
from playmill.core.cluster.worker import STREAMS, Introduction, RayWorker
from playmill.core.errors import PlaymillError, one_line

START_S = 300.0  # for the first worker: a cold node reads its packages from a slow disk
WORDS_S = 30.0  # without any worker, until somebody says so


@dataclass
class Member:
    """One worker; it is idle once it has introduced itself and nobody has a task for it."""

    actor: Any
    introduction: Introduction | None = None
    is_busy: bool = False


class Crew:
    """As many workers as were wanted last. Ray starts those for which the cluster has a CPU; others wait in its queue."""

    def __init__(self, prepare: Callable[[], None] | None = None) -> None:
        self._prepare = prepare
        self.members: list[Member] = []
        self._starting: dict[Any, Member] = {}  # by the reference to their introduction
        self._alone_since = time.monotonic()
        self._has_complained = False

    @property
    def starting(self) -> list[Any]:
        """References that are ready when a worker has started, or could not."""
        return list(self._starting)

    def resize(self, size: int) -> None:
        """Have so many workers."""
        while len(self.members) < size:
            self._start()
        for member in [member for member in self.members if not member.is_busy][: max(0, len(self.members) - size)]:
            self._remove(member)

    def idle(self) -> Member | None:
        return next((one for one in self.members if one.introduction is not None and not one.is_busy), None)

    def greet(self, ref: Any) -> None:
        """A worker has started, or could not: take it in, or another in its place."""
        member = self._starting.pop(ref)
        try:
            member.introduction = ray.get(ref)
        except ray.exceptions.RayActorError as error:
            if cause := _start_error(error):
                raise PlaymillError(f"a worker can't start: {cause}; playmill must be installed on every node") from None
            self.replace(member)
        else:
            _require_same(member.introduction)

    def replace(self, member: Member) -> None:
        """One has died: start another, wherever the cluster has room."""
        self._remove(member)
        self._start()

    def wait_patiently(self) -> None:
        """Say so, and in the end give up, while there is no worker at all."""
        now = time.monotonic()
        if any(member.introduction is not None for member in self.members):
            self._alone_since, self._has_complained = now, False
            return
        waited = now - self._alone_since
        if waited > START_S:
            raise PlaymillError(
                f"no worker has started in {START_S:g} s; `ray status` shows whether the cluster has a free CPU"
            )
        if waited > WORDS_S and not self._has_complained:
            self._has_complained = True
            free = ray.available_resources().get("CPU", 0)
            print(f"playmill: waiting for a worker of the cluster, which has {free:g} free CPUs", file=sys.stderr)

    def dismiss(self) -> None:
        """End all workers."""
        for member in list(self.members):
            self._remove(member)

    def _start(self) -> None:
        kind = ray.remote(RayWorker)
        # Whoever dies is replaced here, not by Ray, which would start it anew and wait for room on the node that is gone.
        member = Member(kind.options(num_cpus=1, max_concurrency=STREAMS, max_restarts=0).remote(sys.path, self._prepare))
        self.members.append(member)
        self._starting[member.actor.introduce.remote()] = member

    def _remove(self, member: Member) -> None:
        self.members = [one for one in self.members if one is not member]
        self._starting = {ref: one for ref, one in self._starting.items() if one is not member}
        ray.kill(member.actor)


def _start_error(error: Exception) -> str | None:
    """Why a worker's first steps failed; None if it was killed, and another may do better."""
    text = str(error)
    is_own = isinstance(error, ray.exceptions.ActorDiedError) and "Traceback" in text
    return one_line(text.strip().splitlines()[-1]) if is_own else None


def _require_same(worker: Introduction) -> None:
    here = __version__, platform.python_version_tuple()[:2]
    there = worker.playmill, tuple(worker.python.split(".")[:2])
    if here != there:
        raise PlaymillError(
            f"node {worker.address}: expected playmill {__version__} on Python {platform.python_version()}, as here,"
            f" got playmill {worker.playmill} on Python {worker.python}; install the same on all nodes"
        )
