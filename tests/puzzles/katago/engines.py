"""Engines for tests: the fake one in any of its modes, and the real one where it is installed."""

import os
import sys
import time
from pathlib import Path

from playmill.games.go.board import BLACK
from playmill.puzzles.katago.query import Query
from playmill.puzzles.katago.settings import KataGoSettings

FAKE = Path(__file__).with_name("fake_engine.py")


class Fake:
    """A fake engine in a folder: what to start it with, and what it noted."""

    def __init__(self, folder, mode="normal"):
        self.notes = folder / "notes.txt"
        program = folder / "katago"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}" {mode} "{self.notes}" "$@"\n')
        program.chmod(0o755)
        network, config = folder / "network.bin.gz", folder / "analysis.cfg"
        network.write_bytes(b"weights")
        config.write_text("numAnalysisThreads = 1\n")
        self.paths = {"engine": str(program), "network": str(network), "config": str(config)}

    def settings(self, **others):
        return KataGoSettings.model_validate({**self.paths, **others})

    def noted(self, text):
        lines = self.notes.read_text().splitlines() if self.notes.exists() else []
        return sum(line.startswith(text) for line in lines)

    def is_running(self):
        return any(_exists(int(line.split()[1])) for line in self.notes.read_text().splitlines() if line.startswith("pid"))

    def has_left(self, seconds=5.0):
        end = time.monotonic() + seconds
        while self.is_running() and time.monotonic() < end:
            time.sleep(0.02)
        return not self.is_running()


def _exists(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:1]


def query(komi=7.5, **others):
    """A query about an empty 9x9 board; its komi tells it from others."""
    return Query(9, (), (), BLACK, komi, others.pop("visits", 4), **others)
