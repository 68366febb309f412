"""Where a run's networks answer: in its own threads, at servers, or at a server of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from playmill.core.extras import require_extra
from playmill.pipeline.settings import RunSettings
from playmill.serve.addresses import zmq_address
from playmill.serve.settings import InferSettings

if TYPE_CHECKING:
    from playmill.serve.opening import RemoteOpener


def open_networks(settings: RunSettings, workers: int, log: Path) -> RemoteOpener | None:
    """What opens the run's networks elsewhere; None where they answer in its own threads."""
    infer = settings.infer
    check_infer(infer)
    if infer.is_local:
        return None
    from playmill.serve.managed import ManagedOpener
    from playmill.serve.opening import RemoteOpener

    return ManagedOpener(infer, settings.device, settings.backend, workers, log) if infer.managed else RemoteOpener(infer)


def check_infer(infer: InferSettings) -> None:
    """Refuse addresses that are none, and what is not installed."""
    if infer.is_local:
        return
    require_extra("serve", "infer: a server")
    for address in infer.endpoints:
        zmq_address(address)
