"""Where a run's networks answer: in its own threads, at servers, at a server of its own, or at endpoints of its cluster."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playmill.core.errors import UsageError
from playmill.core.events import EventLog
from playmill.core.executor import works_here
from playmill.core.extras import require_extra
from playmill.serve.addresses import zmq_address
from playmill.serve.settings import InferSettings

if TYPE_CHECKING:
    from playmill.serve.opening import RemoteOpener


def open_networks(infer: InferSettings, device: str, backend: str, workers: int, log: Path) -> RemoteOpener | None:
    """What opens a run's networks elsewhere; None where they answer in its own threads."""
    check_infer(infer)
    if infer.is_local:
        return None
    from playmill.serve.managed import ManagedOpener, ManagedServer
    from playmill.serve.opening import RemoteOpener

    if not infer.managed:
        return RemoteOpener(infer)
    if not works_here():
        from playmill.serve.cluster_endpoints import ClusterEndpoints

        return ManagedOpener(infer, ClusterEndpoints(infer, device, backend))
    return ManagedOpener(infer, ManagedServer(infer, device, backend, workers, log))


def check_infer(infer: InferSettings) -> None:
    """Refuse addresses that are none, and what is not installed."""
    if infer.is_local:
        return
    require_extra("serve", "infer: a server")
    for address in infer.endpoints:
        zmq_address(address)


def check_executor(executor: str, device: str, infer: InferSettings) -> None:
    """Refuse networks on this machine's GPU where a cluster plays."""
    if executor == "ray" and device == "cuda" and infer.is_local:
        raise UsageError("executor ray: workers have no GPU; add infer.managed: true, an endpoint for each GPU of the cluster")


def log_servers(opener: RemoteOpener | None, log: EventLog, iteration: Callable[[], int]) -> None:
    """Have it logged, as it happens, when servers take networks in and when the run's own is started again."""
    if opener is None:
        return

    def write(event: str, **fields: Any) -> None:
        with suppress(ValueError):  # a run that is just ending may have closed its log
            log.write(event, iteration=iteration(), step=iteration(), **fields)

    opener.on_reload = lambda told: write("model_reload", **asdict(told))
    opener.hear_restarts(lambda number, most: write("server_restart", restarts=number, most=most))


def tell_inference(opener: RemoteOpener | None, log: EventLog, iteration: int, phase: str) -> None:
    """Log what a phase has asked of servers, if there are any."""
    if opener is not None:
        log.write("inference", iteration=iteration, step=iteration, phase=phase, **opener.take_facts())
