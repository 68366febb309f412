"""A run folder: where things lie, who works in it, and the manifest that says how far it is."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from playmill import __version__
from playmill.core.disk import writing
from playmill.core.documents import fit, parse_object, read_bytes
from playmill.core.errors import PlaymillError
from playmill.core.files import atomic_write

RUN_VERSION = 1
PHASES = {"selfplay": "self-play", "train": "training", "gate": "gate", "oracle": "oracle"}  # in order, as people say them


class RunFolder:
    """Paths of one run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.config = root / "config.yaml"
        self.manifest = root / "run.json"
        self.replay = root / "replay"
        self.models = root / "models"
        self.best = root / "models" / "best.pt"
        self.candidate = root / "models" / "candidate.pt"
        self.history = root / "models" / "history"
        self.logs = root / "logs"
        self.metrics = root / "logs" / "metrics.ndjson"
        self.iteration_stats = root / "logs" / "iteration_stats.ndjson"
        self.roots = root / "logs" / "mcts_roots.ndjson"
        self.gate_report = root / "gate_report.json"
        self.gates = root / "gates"

    def gate_of(self, iteration: int) -> Path:
        """The report of one iteration's gate."""
        return self.gates / f"gate_{iteration:06d}.json"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other controllers out; the lock goes with the process, however it ends."""
        path = self.root / "controller.lock"
        with writing(path):
            self.root.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            self._take(handle)
            self._sweep()
            with writing(path):
                os.ftruncate(handle, 0)
                os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
            yield
        finally:
            os.close(handle)

    def _take(self, handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 200, 0).decode(errors="replace").strip() or "another process"
            raise PlaymillError(f"{self.root}: {holder} is already working on this run; wait for it or stop it") from None

    def _sweep(self) -> None:
        """Remove the temp files of writers that were killed; with the lock held nobody is writing."""
        for path in self.root.rglob(".*.tmp"):
            path.unlink(missing_ok=True)


class Iteration(BaseModel):
    """What one iteration came to; a phase that has its entry is done."""

    model_config = ConfigDict(extra="forbid")

    number: int = Field(description="Counted from 0.")
    selfplay: dict[str, Any] | None = Field(None, description="Games, samples, seconds, search counters.")
    train: dict[str, Any] | None = Field(None, description="Steps, losses, samples a second, the candidate's weights.")
    gate: dict[str, Any] | None = Field(None, description="Win rate, its interval, promoted or not and why.")
    oracle: dict[str, Any] | None = Field(None, description="Means and win rate against the solved game.")
    pruned: int | None = Field(None, description="Shards removed at its end.")


class Manifest(BaseModel):
    """`run.json`: the single source of truth about a run."""

    model_config = ConfigDict(extra="forbid")

    format: str = "playmill.run"
    version: int = RUN_VERSION
    run_id: str
    game: str
    ruleset: str
    action_space: str
    feature_schema: int
    seed: int
    settings_hash: str
    config_snapshot: str = "config.yaml"
    playmill: str = __version__
    commit: str | None = None
    created_ms: int = 0
    phase: str = "new"
    iterations_done: int = 0
    selfplay_games: int = 0
    train_steps: int = 0
    gate_games: int = 0
    best: str | None = Field(None, description="SHA-256 of the weights of models/best.pt.")
    iterations: list[Iteration] = Field(default_factory=list)

    def save(self, folder: RunFolder) -> None:
        atomic_write(folder.manifest, json.dumps(self.model_dump(mode="json"), indent=1, allow_nan=False) + "\n")

    @property
    def current(self) -> Iteration:
        """The iteration that is under way, begun if need be."""
        if len(self.iterations) == self.iterations_done:
            self.iterations.append(Iteration(number=self.iterations_done))
        return self.iterations[-1]


def read_manifest(folder: RunFolder) -> Manifest | None:
    """The run's manifest, or None where there is no run yet; refused if a newer playmill wrote it or it is damaged."""
    if not folder.manifest.exists():
        return None
    content = parse_object(read_bytes(folder.manifest), str(folder.manifest), PlaymillError)
    version = content.get("version")
    if isinstance(version, int) and version > RUN_VERSION:
        raise PlaymillError(
            f"{folder.manifest}: version: expected at most {RUN_VERSION}, got {version}; a newer playmill wrote it"
        )
    return fit(Manifest, str(folder.manifest), content, PlaymillError)


def now_ms() -> int:
    return time.time_ns() // 1_000_000
