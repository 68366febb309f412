"""`--executor threads|ray`: who does the tasks of a command. No result depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

import typer

from playmill.core.errors import UsageError
from playmill.core.extras import require_extra

RAY = "ray"
ExecutorName = Annotated[
    Literal["threads", "ray"] | None,
    typer.Option("--executor", help="Who does the work: threads here, or the workers of a Ray cluster. [default: threads]"),
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray-address",
        help="HOST:PORT of the Ray cluster's head, or auto. [default: RAY_ADDRESS, else a cluster of this machine alone]",
        metavar="HOST:PORT",
    ),
]


def executor_words(executor: str | None, ray_address: str | None) -> list[str]:
    """What the options stand for, as changes of settings."""
    words = [] if executor is None else [f"executor={executor}"]
    return words if ray_address is None else [*words, f"ray_address={ray_address}"]


@contextmanager
def executing(executor: str | None, ray_address: str | None = None, workers: int | None = None) -> Iterator[None]:
    """Have the command's tasks done where it was asked for."""
    if executor != RAY:
        if ray_address is not None:
            raise UsageError("--ray-address: there is no --executor ray that would need it")
        yield
        return
    require_extra("ray", "--executor ray")
    from playmill.core.cluster.connection import connected
    from playmill.core.executor import using
    from playmill.packs.registry import enter_packs

    with connected(ray_address, workers, enter_packs) as workforce, using(workforce):
        yield
