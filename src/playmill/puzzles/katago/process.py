"""One engine process: lines to it, lines from it, what it says on stderr in a log file, and a sure end.

The process has a session of its own, so that Ctrl-C at the terminal reaches playmill alone, which then ends it. It also ends
by itself when its input is closed, as happens if playmill is killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue

from playmill.core.disk import writing
from playmill.core.errors import UsageError, one_line
from playmill.core.leaving import before_leaving

KEPT_LINES = 50  # of stderr, to tell the last of
GRACE_S = 2.0  # for a process to end by itself
TELLING = ("what():", "error", "exception", "could not", "cannot", "fail", "invalid")  # in lines that say why it ended
ECHOES = ("Error: {", "Warning: {")  # of single queries, which their answers say as well

_running: set[EngineProcess] = set()


class EngineProcess:
    """A process that is running, or was. `hear` gets each of its lines, `hear_end` is called after the last one."""

    def __init__(
        self,
        command: Sequence[str],
        environment: dict[str, str],
        log: Path,
        hear: Callable[[EngineProcess, bytes], None],
        hear_end: Callable[[EngineProcess], None],
    ) -> None:
        self.has_ended = False
        self._said: deque[str] = deque(maxlen=KEPT_LINES)
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        with writing(log):
            log.parent.mkdir(parents=True, exist_ok=True)
            self._log = log.open("ab", buffering=0)
        self._process = self._start(command, environment, log.parent)
        _running.add(self)
        listen = (lambda: self._listen(hear, hear_end), self._note, self._send)
        self._threads = [threading.Thread(target=part, daemon=True, name="playmill-katago") for part in listen]
        for thread in self._threads:
            thread.start()

    def _start(self, command: Sequence[str], environment: dict[str, str], folder: Path) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        try:
            return subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, start_new_session=True, env=os.environ | environment
            )
        except OSError as error:
            self._log.close()
            raise UsageError(f"katago: {command[0]} can't be run ({error.strerror})") from None

    def write(self, line: bytes) -> None:
        """Send a line as soon as the process takes it."""
        self._outgoing.put(line)

    def last_words(self) -> str:
        """The last line in which the process said what went wrong, else the last one it said."""
        self._threads[1].join(GRACE_S)
        lines = [line for line in self._said if line.strip() and not any(echo in line for echo in ECHOES)]
        telling = [line for line in lines if any(word in line.lower() for word in TELLING)]
        return one_line((telling or lines or ["it said nothing"])[-1])

    def close(self) -> None:
        """End the process: by closing its input, else by force. When this returns, it is gone."""
        self._outgoing.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_S)
        self.kill()

    def kill(self) -> None:
        """End the process and what it started, at once."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        _running.discard(self)

    # ------------------------------------------------------------------ its threads

    def _listen(self, hear: Callable[[EngineProcess, bytes], None], hear_end: Callable[[EngineProcess], None]) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as file:
            for line in file:
                hear(self, line)
        self.has_ended = True
        hear_end(self)

    def _note(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as file, self._log as log:
            for line in file:
                self._said.append(line.decode(errors="replace").rstrip())
                with suppress(OSError):  # a full disk is no reason to lose answers
                    log.write(line)

    def _send(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError), self._process.stdin as file:  # a process that ended is heard of by `hear_end`
            while (line := self._outgoing.get()) is not None:
                file.write(line)
                if self._outgoing.empty():
                    file.flush()


def _kill_running() -> None:
    for process in list(_running):
        process.kill()


before_leaving(_kill_running)
