"""Settings of a server, and of those who ask one."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from playmill.core.errors import MAX_WORKERS
from playmill.core.settings import Settings

MAX_ROWS = 1 << 20


class ServeSettings(Settings):
    """How a server batches, and what it holds at most."""

    device: str = Field("cpu", description="cpu or cuda.")
    backend: str = Field("auto", description="What runs the networks.")
    threads: int = Field(1, ge=1, le=MAX_WORKERS, description="Threads that answer batches.")
    max_batch: int = Field(1024, ge=1, le=MAX_ROWS, description="Rows of a full batch.")
    max_wait_us: int = Field(500, ge=0, le=10_000_000, description="How long a row waits for others, in microseconds.")
    client_rows: int = Field(65_536, ge=1, le=MAX_ROWS, description="Rows that a client may have out; more are refused.")
    queue_rows: int = Field(MAX_ROWS, ge=1, description="Rows of all clients that may wait; more are refused.")


class InferSettings(Settings):
    """Where a run's networks answer, if not in its own threads. No result depends on it."""

    managed: bool = Field(False, description="Whether the run starts a server of its own, on this machine, and ends it.")
    addresses: str = Field("", description="Servers to ask, such as unix:///tmp/mill.sock, with commas between; default: none.")
    key: str | None = Field(None, description="The client's file of `playmill serve-keys`, for servers that want it.")
    in_turn: int = Field(2, ge=1, le=16, description="Cohorts that a thread plays in turn, so that waiting costs no time.")
    rows: int = Field(
        1024,
        ge=1,
        le=MAX_ROWS,
        description="Rows that a cohort of self-play asks about at once, if there are games enough: it then has more lanes than"
        " `selfplay.lanes`, since a message costs nearly as much for few rows.",
    )
    max_rows: int = Field(
        16_384, ge=1, le=MAX_ROWS, description="Rows that a thread has out at a server at most; others wait for their turn."
    )
    timeout_s: float = Field(30.0, gt=0, description="A server that owes an answer for so many seconds is left out.")
    give_up_s: float = Field(120.0, gt=0, description="After so many seconds without any server the work stops.")
    max_batch: int | None = Field(None, ge=1, le=MAX_ROWS, description="managed: rows of a full batch; default: the server's.")
    max_wait_us: int = Field(500, ge=0, le=10_000_000, description="managed: how long a row waits for others, in microseconds.")
    threads: int | None = Field(
        None, ge=1, le=MAX_WORKERS, description="managed: threads that answer; default: as many as the run has workers."
    )

    servers: int | None = Field(
        None, ge=1, le=MAX_WORKERS, description="managed, with executor ray: how many; default: one for each GPU, at least one."
    )

    @model_validator(mode="after")
    def _one_or_the_other(self) -> Self:
        if self.managed and self.addresses:
            raise ValueError("managed: the run's own server is the only one; leave out addresses, or managed")
        return self

    @property
    def endpoints(self) -> list[str]:
        """The addresses, one by one."""
        return [part.strip() for part in self.addresses.split(",") if part.strip()]

    @property
    def is_local(self) -> bool:
        """Whether networks answer in the threads that ask."""
        return not self.managed and not self.endpoints
