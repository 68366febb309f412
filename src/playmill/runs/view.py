"""One view of a run, live or finished: its manifest, its status, its events. Displays, reports and screens show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from playmill.core.events import read_events
from playmill.runs.contents import listed
from playmill.runs.folder import PHASES, Iteration, Manifest, RunFolder, find_run
from playmill.runs.settings_file import read_content
from playmill.runs.status import Status, as_utc, read_status


@dataclass(frozen=True)
class RunState:
    """What a run is doing, in a word and in a line, and since when that is known."""

    name: str  # new, running, stopped, failed or done
    text: str
    since_ms: int


class RunView:
    """What one look at a run folder finds; look again with a new one. Nothing is locked and nothing is changed."""

    def __init__(self, root: Path) -> None:
        self.folder: RunFolder
        self.manifest: Manifest
        self.folder, self.manifest = find_run(root)
        self.status: Status | None = read_status(self.folder)

    @cached_property
    def config(self) -> Path:
        """The file of settings; refused if it is not the one that the run was begun with."""
        return listed(self.folder, self.manifest, self.folder.config)

    @property
    def iterations(self) -> int:
        """How many the run is to have."""
        return int(read_content(self.config)[0].get("iterations", 1))

    @property
    def current(self) -> Iteration | None:
        """The iteration under way."""
        manifest = self.manifest
        return manifest.iterations[-1] if manifest.iterations_done < len(manifest.iterations) else None

    @property
    def phases(self) -> tuple[str, ...]:
        """Those that the run has, as far as is known."""
        if self.status is not None:
            return self.status.phases
        has_measure = any(entry.measure for entry in self.manifest.iterations)
        return tuple(name for name in PHASES if name != "measure" or has_measure)

    @property
    def state(self) -> RunState:
        """A run whose process is gone without a word is stopped, since its last heartbeat."""
        status, manifest = self.status, self.manifest
        if manifest.phase == "done" and (status is None or not status.is_alive()):
            return RunState("done", "done", status.heartbeat_ms if status else manifest.created_ms)
        if status is None:
            name = "new" if manifest.phase == "new" else "stopped"
            return RunState(name, f"{name}; nothing tells since when", manifest.created_ms)
        if status.state != "running" or status.is_alive():
            return RunState(status.state, status.text, status.heartbeat_ms)
        text = f"stopped without a word, last heard of {as_utc(status.heartbeat_ms)} ({status.describe()})"
        return RunState("stopped", text, status.heartbeat_ms)

    def events(self) -> Iterator[dict[str, Any]]:
        """`logs/metrics.ndjson`, in order."""
        return read_events(self.folder.metrics)

    def stats(self) -> Iterator[dict[str, Any]]:
        """`logs/iteration_stats.ndjson`: a line an iteration."""
        return read_events(self.folder.iteration_stats)
