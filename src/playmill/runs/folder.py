"""A run folder: where things lie, who works in it, and the manifest that says how far it is."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, Field

from playmill import __version__
from playmill.core.disk import writing
from playmill.core.documents import fit, parse_object, read_bytes
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.files import atomic_write
from playmill.core.locks import FileLock
from playmill.runs.consistency import disagreement
from playmill.runs.entries import GateEntry, MeasureEntry, SelfPlayEntry, TrainEntry
from playmill.runs.marks import Mark, is_sealed, seal

RUN_VERSION = 3
PROTOCOL_VERSION = 1  # what self-play, training and gate agree on when they meet in files
# In order, as people say them.
PHASES = {"selfplay": "self-play", "train": "training", "gate": "gate", "measure": "measurement"}
ELSEWHERE = "put back a copy of the file, or begin anew in another folder"


class RunFolder:
    """Paths of one run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.config = root / "config.yaml"
        self.draft = root / "config.draft.yaml"
        self.lock = root / "controller.lock"
        self.steering = root / "steering.lock"
        self.manifest = root / "run.json"
        self.note = root / "selfplay.json"
        self.replay = root / "replay"
        self.models = root / "models"
        self.best = root / "models" / "best.pt"
        self.candidate = root / "models" / "candidate.pt"
        self.latest = root / "models" / "latest.pt"
        self.history = root / "models" / "history"
        self.status = root / "status.json"
        self.logs = root / "logs"
        self.controller_log = root / "logs" / "controller.log"
        self.native_log = root / "logs" / "native.log"
        self.serve_log = root / "logs" / "serve.log"
        self.output_log = root / "logs" / "output.log"
        self.metrics = root / "logs" / "metrics.ndjson"
        self.iteration_stats = root / "logs" / "iteration_stats.ndjson"
        self.roots = root / "logs" / "mcts_roots.ndjson"
        self.root_parts = root / "logs" / "mcts_roots"
        self.gate_report = root / "gate_report.json"
        self.gates = root / "gates"
        self.games = root / "selfplay"

    def gate_of(self, iteration: int) -> Path:
        """The report of one iteration's gate."""
        return self.gates / f"gate_{iteration:06d}.json"

    def games_of(self, iteration: int) -> Path:
        """The games of one iteration, where they are kept as records and not as shards."""
        return self.games / f"games_{iteration:06d}.jsonl"

    def network_after(self, iterations: int) -> Path:
        """The network that came of so many iterations, promoted or not; 0: the one that the run began with."""
        return self.models / f"iter_{iterations}.pt"

    def kept(self, weights: str) -> Path:
        """Where the network with these weights is kept."""
        return self.history / f"{weights}.pt"

    def name_of(self, path: Path) -> str:
        """How the manifest names a file of the run."""
        return path.relative_to(self.root).as_posix()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other controllers out; the lock goes with the process, however it ends."""
        with writing(self.lock):
            self.root.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.lock)
        if holder := lock.take():
            raise PlaymillError(f"{self.root}: {holder} is already working on this run; wait for it or stop it")
        try:
            self._sweep()
            lock.sign()
            yield
        finally:
            lock.release()

    def _sweep(self) -> None:
        """Remove the temp files of writers that were killed; with the lock held nobody is writing."""
        for path in self.root.rglob(".*.tmp"):
            path.unlink(missing_ok=True)


class Iteration(BaseModel):
    """What one iteration came to; a phase that has its entry is done."""

    model_config = ConfigDict(extra="forbid")

    number: int = Field(description="Counted from 0.")
    selfplay: SelfPlayEntry | None = Field(None, description="The games.")
    train: TrainEntry | None = Field(None, description="The candidate.")
    gate: GateEntry | None = Field(None, description="Whether it became the best.")
    measure: MeasureEntry | None = Field(None, description="How good they are by the game's own measures.")
    pruned: int | None = Field(None, description="Shards removed at its end.")


class Manifest(BaseModel):
    """`run.json`: the single source of truth about a run."""

    model_config = ConfigDict(extra="forbid")

    format: str = "playmill.run"
    version: int = RUN_VERSION
    run_id: str
    game: str
    protocol_version: int = PROTOCOL_VERSION
    ruleset: str
    action_space: str
    feature_schema: int
    pack: str | None = Field(None, description="The package that brought the game's pack, and its version; null: playmill.")
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
    files: dict[str, Mark] = Field(default_factory=dict, description="Every file that the run relies on.")

    def save(self, folder: RunFolder) -> None:
        atomic_write(folder.manifest, self.text())

    def text(self) -> str:
        """The file's content: a file a line, and a checksum of all of it at the end."""
        head = json.dumps(self.model_dump(mode="json", exclude={"files"}), indent=1, allow_nan=False).removesuffix("\n}")
        files = ",\n".join(f"  {json.dumps(name)}: {json.dumps(dict(mark))}" for name, mark in sorted(self.files.items()))
        return seal(f'{head},\n "files": {{\n{files}\n }}')

    def enter(self, folder: RunFolder, *paths: Path) -> None:
        """Write down what these files are, once they are written and before anybody relies on them; not saved yet."""
        self.files.update({folder.name_of(path): Mark.of(path) for path in paths})

    def forget(self, folder: RunFolder, *paths: Path) -> None:
        """Strike files off; not saved yet."""
        for path in paths:
            self.files.pop(folder.name_of(path), None)

    def event_head(self) -> dict[str, Any]:
        """What every event of the run says of it."""
        return event_head(self.run_id, self, self.settings_hash, self.commit)

    @property
    def current(self) -> Iteration:
        """The iteration that is under way, begun if need be."""
        if len(self.iterations) == self.iterations_done:
            self.iterations.append(Iteration(number=self.iterations_done))
        return self.iterations[-1]


class Versioned(Protocol):
    """A game, or a run of it."""

    @property
    def feature_schema(self) -> int: ...

    @property
    def action_space(self) -> str: ...

    @property
    def ruleset(self) -> str: ...


def event_head(run_id: str, game: Versioned, config_hash: str | None, commit: str | None = None) -> dict[str, Any]:
    """Whose events they are, and by which versions and settings."""
    names = ("feature_schema", "action_space", "ruleset")
    versions = {"protocol_version": PROTOCOL_VERSION, **{name: getattr(game, name) for name in names}}
    return {"run_id": run_id, "v": versions, "config_hash": config_hash, "commit": commit}


def read_manifest(folder: RunFolder) -> Manifest | None:
    """The run's manifest, or None where there is no run yet; refused if another playmill wrote it or it is damaged."""
    if not os.path.lexists(folder.manifest):
        return None
    data = read_bytes(folder.manifest, ELSEWHERE)
    try:
        content = parse_object(data, str(folder.manifest), PlaymillError)
    except PlaymillError as error:
        raise PlaymillError(f"{error}; {ELSEWHERE}") from None
    version, writer = content.get("version"), content.get("playmill")
    if version != RUN_VERSION:
        way_out = f"go on with the playmill that wrote it ({writer!r:.40}), or begin anew in another folder"
        raise PlaymillError(f"{folder.manifest}: version: expected {RUN_VERSION}, got {version!r:.40}; {way_out}")
    return _checked(folder.manifest, data, content)


def find_run(root: Path) -> tuple[RunFolder, Manifest]:
    """A run to look at, be it at work; refused if there is none or its manifest is damaged. Other files are not looked at."""
    folder = RunFolder(root)
    manifest = read_manifest(folder)
    if manifest is None:
        raise UsageError(f"{root}: expected a run's folder, but there is no {folder.manifest.name} in it")
    return folder, manifest


def _checked(path: Path, data: bytes, content: dict[str, Any]) -> Manifest:
    """The manifest, if it is what was written, and makes sense."""
    if not is_sealed(data):
        raise PlaymillError(f"{path}: damaged: its checksum is not that of its content; {ELSEWHERE}")
    content.pop("checksum")
    try:
        manifest = fit(Manifest, str(path), content, PlaymillError)
    except PlaymillError as error:
        raise PlaymillError(f"{error}; {ELSEWHERE}") from None
    if what := disagreement(manifest):
        raise PlaymillError(f"{path}: {what}; {ELSEWHERE}")
    return manifest


def now_ms() -> int:
    return time.time_ns() // 1_000_000
