"""The heartbeat of a run: a thread that writes `status.json` every second, and how the run ended.

It stands between the phases and whoever looks on: it hears what they tell and hands it on. Telling is a few assignments; a disk
that refuses the status changes nothing about the run.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

from playmill.core.errors import Interrupted, PlaymillError, one_line
from playmill.core.files import replace_quickly
from playmill.core.leaving import before_leaving, is_interrupted
from playmill.runs.controller_log import ControllerLog
from playmill.runs.entries import PhaseEntry
from playmill.runs.folder import PHASES, Manifest, RunFolder, now_ms
from playmill.runs.status import State, Status, memory_bytes
from playmill.runs.watcher import RunDisplay, Tell

EVERY_S = 1.0


class Heartbeat:
    """A watcher that keeps the status. Inside its `with` block the run is at work."""

    def __init__(self, folder: RunFolder, watcher: RunDisplay) -> None:
        self.folder, self.watcher, self.log = folder, watcher, ControllerLog(folder)
        self.status: Status | None = None
        self._manifest: Manifest | None = None
        self._entered = 0.0  # the phase under way, by the monotonic clock: its preparation and all
        self._began = 0.0  # its games or steps
        self._before = 0  # of it, done by earlier processes
        self._ended = threading.Event()
        self._writing = threading.Lock()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    # ------------------------------------------------------------------ what the controller and its phases tell

    def begin(self, manifest: Manifest, iterations: int, phases: Sequence[str]) -> None:
        self._manifest = manifest
        self.status = Status(run_id=manifest.run_id, iterations=iterations, phases=tuple(phases))
        self.log.say(f"playmill {manifest.playmill}, process {self.status.pid} on {self.status.host}: {self.folder.root}")
        self.watcher.begin(manifest, self.status)
        self._write()
        self._thread.start()

    def entered(self, name: str) -> None:
        """A phase is under way. It tells how far it is once it knows; what fails before that has failed in it, too."""
        self._status.phase, self._entered = name, time.monotonic()

    @contextmanager
    def phase(self, name: str, total: int, done: int = 0) -> Iterator[Tell]:
        status = self._status
        status.phase, status.total, status.done, status.facts, status.rate = name, total, done, {}, None
        self._before, self._began = done, time.monotonic()
        self._entered = self._entered or self._began
        with self.watcher.phase(name, total, done) as told:

            def tell(done: int, **facts: float) -> None:
                status.done = done
                if facts:
                    status.facts = {**status.facts, **facts}  # a new one: the other thread may be reading the old
                told(done, **facts)

            yield tell

    def finished(self, name: str, entry: PhaseEntry) -> None:
        status = self._status
        self.log.say(f"{status.describe()}; {entry.seconds:.1f} s")
        status.phase, status.total, status.done, status.facts, status.rate = None, 0, 0, {}, None
        self._entered = self._began = 0.0
        self.watcher.finished(name, entry)

    @property
    def _status(self) -> Status:
        assert self.status is not None  # whoever tells anything has begun
        return self.status

    # ------------------------------------------------------------------ the file

    def _beat(self) -> None:
        while not self._ended.wait(EVERY_S):
            self._write()

    def _write(self) -> None:
        with self._writing, suppress(OSError, PlaymillError):
            self._bring_up_to_date()
            replace_quickly(self.folder.status, self._status.model_dump_json(indent=1) + "\n")

    def _bring_up_to_date(self) -> None:
        status, manifest = self._status, self._manifest
        assert manifest is not None
        now = time.monotonic()
        is_over = len(manifest.iterations) == manifest.iterations_done
        entries = {} if is_over else {name: getattr(manifest.iterations[-1], name) for name in PHASES}
        status.iteration = manifest.iterations_done
        status.phase_seconds = {name: entry.seconds for name, entry in entries.items() if entry is not None}
        phase, entered, began, made = status.phase, self._entered, self._began, status.done - self._before
        status.rate = made / (now - began) if began and now > began and made > 0 else None
        if phase is not None and entered:
            status.phase_seconds[phase] = now - entered
        status.rss_bytes, status.heartbeat_ms = memory_bytes(), now_ms()
        if status.state == "running":
            status.text = status.describe()

    # ------------------------------------------------------------------ from beginning to end

    def __enter__(self) -> Self:
        self.log.open()
        before_leaving(lambda: self._end("stopped", "stopped by the user"))  # Ctrl-C may end the process without a word
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None:
            self._end("done", "done")
        elif isinstance(error, KeyboardInterrupt | Interrupted) or is_interrupted():
            self._end("stopped", "stopped by the user")
        else:
            is_bug = not isinstance(error, PlaymillError)
            line = f"{type(error).__name__}: {one_line(error)}" if is_bug else one_line(error)
            self.log.failed(error)
            self._end("failed", f"failed: {line}", line)
        self.log.close()

    def _end(self, state: State, words: str, error: str | None = None) -> None:
        """Write how the run ended; the first word counts."""
        if self._ended.is_set():
            return
        self._ended.set()
        if self.status is None:
            return
        where = "" if state == "done" else f" ({self.status.describe()})"
        self.status.state, self.status.text, self.status.controller_error = state, words + where, error
        self.log.say(self.status.text)
        self._write()
