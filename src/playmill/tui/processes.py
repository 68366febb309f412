"""Processes of runs that were started from this screen, so that their ends are heard."""

from __future__ import annotations

import subprocess

from playmill.core.leaving import INTERRUPTED
from playmill.runs.folder import RunFolder
from playmill.runs.steering import last_words


class RunProcesses:
    """They don't depend on this process; it only must not leave zombies, which would look alive."""

    def __init__(self) -> None:
        self._running: list[tuple[RunFolder, subprocess.Popen[bytes]]] = []

    def add(self, folder: RunFolder, process: subprocess.Popen[bytes]) -> None:
        self._running.append((folder, process))

    def is_starting(self, folder: RunFolder) -> bool:
        """Whether a process that was started here still works on the run."""
        return any(known.root == folder.root and process.poll() is None for known, process in self._running)

    def interrupt(self, folder: RunFolder) -> bool:
        """Stop a process that has not even taken its run's lock yet; whether there was one."""
        for known, process in self._running:
            if known.root == folder.root and process.poll() is None:
                process.send_signal(2)
                return True
        return False

    def ended(self) -> list[str]:
        """A line for each that has ended in an error since the last call."""
        over = [(folder, process) for folder, process in self._running if process.poll() is not None]
        self._running = [pair for pair in self._running if pair not in over]
        failed = [folder for folder, process in over if process.returncode not in (0, INTERRUPTED, -2)]
        return [f"{folder.root.name} ended: {last_words(folder) or 'it said nothing'}" for folder in failed]
