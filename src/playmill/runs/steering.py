"""Steering a run from outside: who may, and starting and stopping its process, which outlives whoever started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from playmill.core.disk import writing
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.files import atomic_write
from playmill.core.locks import FileLock, holder_of
from playmill.runs.folder import RunFolder

NO_NAME = "a run's name has letters, digits, dots, dashes and underscores, and begins with none of the last three"


class Steering:
    """The right to start and stop one run, and to change its draft: one screen has it, others only look on."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder, self._lock = folder, FileLock(folder.steering)
        self.refusal = ""  # why somebody else has it

    @property
    def is_ours(self) -> bool:
        return self._lock.is_taken

    def take(self) -> bool:
        """Whether it is ours now."""
        if self.is_ours:
            return True
        try:
            holder = self._lock.take()
            if holder is None:
                self._lock.sign()
        except PlaymillError as error:  # a folder that can't be written can be looked at
            self.refusal = str(error)
            return False
        self.refusal = f"another screen ({holder}) steers {self.folder.root}; here it can be watched" if holder else ""
        return holder is None

    def release(self) -> None:
        self._lock.release()


def start_run(folder: RunFolder, config: Path, words: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    """Start `playmill run CONFIG --out FOLDER`, in a session of its own: the end of this process doesn't stop it.

    What it prints goes into `logs/output.log`.
    """
    if holder := holder_of(folder.lock):
        raise PlaymillError(f"{folder.root}: {holder} is already working on this run; wait for it or stop it")
    command = [sys.executable, "-m", "playmill", "run", str(config.absolute()), "--out", str(folder.root.absolute()), *words]
    with writing(folder.output_log):
        folder.logs.mkdir(parents=True, exist_ok=True)
        with folder.output_log.open("ab") as log:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)


def stop_run(folder: RunFolder) -> int:
    """Stop the process that works on a run, as Ctrl-C does; return which it was."""
    holder = holder_of(folder.lock)
    if holder is None:
        raise PlaymillError(f"{folder.root}: nobody is at work on this run, so there is nothing to stop")
    if holder.pid is None:
        raise PlaymillError(f"{folder.root}: {holder} works on this run; stop it there")
    try:
        os.kill(holder.pid, signal.SIGINT)
    except OSError as error:
        raise PlaymillError(f"{folder.root}: {holder} can't be stopped ({error.strerror})") from None
    return holder.pid


def last_words(folder: RunFolder) -> str:
    """The last line that a process of the run printed."""
    try:
        lines = folder.output_log.read_text(errors="replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


# ------------------------------------------------------------------ drafts


def new_folder(root: Path, name: str) -> RunFolder:
    """Where a new run of this name would lie; refused if the name is none, or taken."""
    is_plain = name.isascii() and name.replace("-", "").replace("_", "").replace(".", "").isalnum() and name[0].isalnum()
    if not name or not is_plain:
        raise UsageError(f"expected a name, got '{name}': {NO_NAME}")
    folder = RunFolder(root / name)
    if folder.root.exists():
        raise UsageError(f"{folder.root}: there is something of that name already; choose another")
    return folder


def free_name(root: Path, wanted: str) -> str:
    """The name, or the first with a number that nobody has."""
    names = [wanted, *(f"{wanted}-{number}" for number in range(2, 1000))]
    return next((name for name in names if not (root / name).exists()), wanted)


def save_draft(folder: RunFolder, text: str) -> None:
    """Keep settings of a run that has not begun, all of them or nothing."""
    if folder.manifest.exists():
        raise UsageError(f"{folder.root}: the run has begun, and goes on with its own settings; copy them into a new one")
    atomic_write(folder.draft, text)


def drop_draft(folder: RunFolder) -> None:
    """A run that has begun keeps the settings itself."""
    if folder.config.exists():
        folder.draft.unlink(missing_ok=True)
