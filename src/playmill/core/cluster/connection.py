"""From a command to a cluster: one that runs already, or one of its own on this machine."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import ray

from playmill.core.cluster.crew import Crew
from playmill.core.cluster.ray_run import RayExecutor
from playmill.core.errors import MAX_WORKERS, PlaymillError, UsageError, one_line
from playmill.core.executor import Executor

LOCAL = "local"  # a cluster of one's own, whatever the environment says
AUTO = "auto"  # the cluster that this machine is a node of
CLIENT = "ray://"
ANSWER_S = 10.0
STORE_BYTES = 1 << 30  # of an own cluster's object store: networks, and finished shards on their way
START = "start one with `ray start --head`, or leave --ray-address out for a cluster of this machine alone"


class RayWorkforce:
    """The CPUs of a cluster."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew

    def count(self) -> int:
        return min(max(1, int(ray.cluster_resources().get("CPU", 1))), MAX_WORKERS)

    def open(self, workers: int) -> Executor:
        return RayExecutor(self.crew, workers)


@contextmanager
def connected(
    address: str | None = None, workers: int | None = None, prepare: Callable[[], None] | None = None
) -> Iterator[RayWorkforce]:
    """A cluster to work with: the one at the address, else at RAY_ADDRESS, else one for as long as this lasts.

    `prepare` is called in each worker before its first task. A program that is connected already stays so.
    """
    is_own_connection = not ray.is_initialized()
    if is_own_connection:
        _connect(address or os.environ.get("RAY_ADDRESS") or None, workers)
    crew = Crew(prepare)
    try:
        yield RayWorkforce(crew)
    finally:
        crew.dismiss()
        if is_own_connection:
            ray.shutdown()


def _connect(address: str | None, workers: int | None) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error", "configure_logging": True}
    with _own_signals():
        if address in (None, LOCAL):
            cpus = max(workers or 1, os.cpu_count() or 1)
            ray.init(LOCAL, num_cpus=cpus, include_dashboard=False, object_store_memory=STORE_BYTES, **quiet)
            return
        assert address is not None
        _require_answer(address)
        try:
            ray.init(address, **quiet)
        except Exception as error:  # Ray has no one kind for it
            raise PlaymillError(f"{_named(address)}: {_explained(address, error)}") from None


def _explained(address: str, error: Exception) -> str:
    """What Ray says about a cluster that it can't join, in a line, with the way out."""
    text = str(error)
    if "ersion mismatch" in text:
        return f"{one_line(text)}; install the same Ray and Python on all nodes"
    if address == AUTO:
        return f"this machine is no node of a cluster; {START}"
    if "Can't find a node" in text or "Raylet addresses" in text or "node_ip" in text:
        return f"this machine is no node of that cluster; make it one with `ray start --address={address}`"
    return f"can't be joined ({one_line(text) or type(error).__name__}); is it a cluster's head? {START}"


def _require_answer(address: str) -> None:
    """Refuse an address where nobody listens; Ray itself would wait for minutes."""
    if address == AUTO:
        return
    if address.startswith(CLIENT):
        raise UsageError(
            f"{_named(address)}: expected the head's HOST:PORT, such as 10.0.0.1:6379, got an address of Ray Client"
        )
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdigit():
        raise UsageError(f"{_named(address)}: expected HOST:PORT of a cluster's head, such as 10.0.0.1:6379, or auto")
    try:
        socket.create_connection((host, int(port)), ANSWER_S).close()
    except TimeoutError:
        raise PlaymillError(
            f"{_named(address)}: no answer in {ANSWER_S:g} s; is the head running, and the port open? {START}"
        ) from None
    except (OSError, OverflowError) as error:
        raise PlaymillError(f"{_named(address)}: nobody listens there ({one_line(error)}); {START}") from None


def _named(address: str) -> str:
    return f"--ray-address {address}" if address != os.environ.get("RAY_ADDRESS") else f"RAY_ADDRESS {address}"


@contextmanager
def _own_signals() -> Iterator[None]:
    """Keep what SIGTERM does here: Ray sets a handler of its own."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
