"""`status.json`: where a run is at this moment, for whoever looks on. Nothing depends on it, and no checksum covers it."""

from __future__ import annotations

import os
import socket
from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playmill import __version__
from playmill.runs.folder import PHASES, RunFolder, now_ms

STATUS_VERSION = 1
LOST_MS = 60_000  # without a heartbeat, a run that may be on another machine counts as stopped

State = Literal["running", "done", "stopped", "failed"]


class Status(BaseModel):
    """One look at a run."""

    model_config = ConfigDict(extra="forbid")

    format: str = "playmill.status"
    version: int = STATUS_VERSION
    playmill: str = __version__
    run_id: str = Field(description="Whose status it is.")
    state: State = Field("running", description="running, done, stopped (by the user) or failed.")
    text: str = Field("", description="All of it in a line.")
    iteration: int = Field(0, description="The iteration under way, counted from 0.")
    iterations: int = Field(description="How many the run is to have.")
    phases: tuple[str, ...] = Field(description="Those that an iteration has, in order.")
    phase: str | None = Field(None, description="The one under way; of a run that ended early: the one it ended in.")
    done: int = Field(0, description="Games or steps of the phase, those of earlier processes with them.")
    total: int = Field(0, description="How many the phase has.")
    rate: float | None = Field(None, description="Games or steps a second of this process; null before the first.")
    facts: dict[str, float] = Field(default_factory=dict, description="What the phase tells: losses, samples/s, win rate.")
    phase_seconds: dict[str, float] = Field(default_factory=dict, description="What each phase of the iteration took so far.")
    rss_bytes: int = Field(0, description="Memory that the process holds.")
    pid: int = Field(default_factory=os.getpid, description="The process at work.")
    host: str = Field(default_factory=socket.gethostname, description="The machine that it is on.")
    began_ms: int = Field(default_factory=now_ms, description="When this process began.")
    heartbeat_ms: int = Field(default_factory=now_ms, description="When this was written.")
    controller_error: str | None = Field(None, description="Why it failed, in a line; the rest is in logs/controller.log.")

    @property
    def seconds_left(self) -> float | None:
        """Of the phase, at its present rate."""
        return (self.total - self.done) / self.rate if self.rate else None

    def is_alive(self) -> bool:
        """Whether the process that wrote this still works, as far as one can know."""
        if self.state != "running":
            return False
        if self.host == socket.gethostname() and not _is_process(self.pid):
            return False
        return now_ms() - self.heartbeat_ms < LOST_MS

    def describe(self) -> str:
        """Iteration, phase, how far."""
        where = f"iteration {min(self.iteration + 1, self.iterations)} of {self.iterations}"
        if self.phase is None:
            return where
        far = f": {self.done:,} of {self.total:,}" if self.total else ""
        return f"{where}, {PHASES.get(self.phase, self.phase)}{far}"


def read_status(folder: RunFolder) -> Status | None:
    """What the run last wrote; None if there is nothing that this playmill can read."""
    try:
        found = Status.model_validate_json(folder.status.read_bytes())
    except (OSError, ValidationError):
        return None
    return found if found.version == STATUS_VERSION else None


def as_utc(time_ms: int) -> str:
    """A moment as people write it."""
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _is_process(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


def memory_bytes() -> int:
    """What this process holds now; where the system doesn't say, the most that it ever held."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
