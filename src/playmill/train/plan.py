"""What a training is: its inputs, fixed before the first step and recorded, so that a restart goes on with the same ones."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from playmill.core.errors import PlaymillError, UsageError
from playmill.games.game import Game
from playmill.nets.checkpoint import AnyNet, load_checkpoint
from playmill.nets.meta import CheckpointError
from playmill.replay import list_shards, newest
from playmill.train.settings import LearningSettings, TrainSettings

if TYPE_CHECKING:
    from playmill.train.replay_task import ReplayTask


class Job(Protocol):
    """What somebody asks for, whatever is learnt: to train `candidate`, from `parent` where there is one."""

    @property
    def settings(self) -> LearningSettings: ...

    @property
    def parent(self) -> Path | None: ...

    @property
    def candidate(self) -> Path: ...

    @property
    def seed(self) -> int: ...

    @property
    def iteration(self) -> int: ...

    @property
    def steps(self) -> int | None:
        """Instead of what the settings say."""

    @property
    def device(self) -> str: ...

    @property
    def config_hash(self) -> str | None: ...

    @property
    def commit(self) -> str | None: ...

    @property
    def steps_before(self) -> int:
        """Steps that the run had made before this training: events count on from there."""


@dataclass(frozen=True)
class TrainJob:
    """What somebody asks for: train `candidate`, from `parent`, on `shards`."""

    game: Game
    settings: TrainSettings
    parent: Path
    candidate: Path
    shards: list[Path]
    seed: int = 0
    iteration: int = 0
    steps: int | None = None  # instead of what the settings say
    device: str = "cpu"  # cpu, cuda or auto
    config_hash: str | None = None
    commit: str | None = None
    steps_before: int = 0  # of the run

    def open(self) -> ReplayTask:
        """What is learnt from the shards."""
        from playmill.train.replay_task import ReplayTask  # it knows this module

        return ReplayTask(self)


@dataclass(frozen=True)
class TrainPlan:
    """Everything that decides the weights that come out, but for the device: equal plans are one training."""

    iteration: int
    seed: int
    parent: str  # weights_sha256 of the network that it starts from
    snapshot: tuple[tuple[str, str], ...]  # file name and sha256 of each shard or file of games, in order
    samples: int
    steps_target: int
    steps_from: str  # what decided the steps
    settings: dict[str, Any]

    def record(self) -> dict[str, Any]:
        """The plan in plain values, as checkpoints and events hold it."""
        return {**vars(self), "snapshot": [list(pair) for pair in self.snapshot], "snapshot_hash": self.snapshot_hash}

    @property
    def snapshot_hash(self) -> str:
        return hashlib.sha256(json.dumps(self.snapshot).encode()).hexdigest()


def make_plan(job: Job, start: AnyNet, snapshot: tuple[tuple[str, str], ...], samples: int) -> TrainPlan:
    """The plan of a job that begins with the network `start` and has so many samples."""
    steps, decided_by = job.settings.steps_for(samples, job.steps)
    return TrainPlan(
        iteration=job.iteration,
        seed=job.seed,
        parent=start.meta.weights_sha256,
        snapshot=snapshot,
        samples=samples,
        steps_target=steps,
        steps_from=decided_by,
        settings=job.settings.model_dump(exclude={"autosave_steps", "log_steps"}),
    )


def last_told(events: Iterable[dict[str, Any]], plan: TrainPlan) -> int:
    """The last step that a `train_step` event of this very plan tells of, 0 if none does."""
    record, is_ours, last = plan.record(), False, 0
    for event in events:
        if event["event"] == "train_plan":
            is_ours = all(event.get(name) == value for name, value in record.items())
        elif event["event"] == "train_step" and is_ours:
            done = event.get("steps_done")
            last = max(last, done) if isinstance(done, int) else last  # a log may be damaged, and is only a log
    return last


def take_snapshot(
    folder: Path, settings: TrainSettings, candidate: Path, iteration: int, shards: list[Path] | None = None
) -> list[Path]:
    """The shards that iteration `iteration` trains on: those its candidate began with, else the newest in the folder.

    Whoever knows which shards there are names them in `shards`. Those that came or went since the candidate was begun change
    nothing; one that is needed and gone is an error.
    """
    shards = list_shards(folder) if shards is None else shards
    if not shards:
        raise UsageError(f"{folder}: expected replay shards to train on, got none; play some games first")
    recorded = _recorded_names(candidate, iteration)
    if recorded is None:
        return newest(shards, settings.window_shards, settings.window_samples)
    for name in recorded:
        if folder / name not in shards:
            raise PlaymillError(
                f"{folder / name}: {candidate} was begun with it, but it is gone; remove {candidate} to start anew"
            )
    return [folder / name for name in recorded]


def load_candidate(path: Path, load: Callable[[Path], AnyNet] = load_checkpoint) -> AnyNet:
    """What a training has saved; one that can't be read is not needed: its training can be done again."""
    try:
        return load(path)
    except CheckpointError as error:
        raise CheckpointError(f"{error}; remove it, and it is trained again") from None


def _recorded_names(candidate: Path, iteration: int) -> list[str] | None:
    """The shards of an unfinished candidate of the iteration; None if there is no such candidate."""
    if not candidate.exists():
        return None
    extras = load_candidate(candidate).extras
    plan = extras.get("plan")
    if plan is None or plan["iteration"] != iteration or extras["step"] >= plan["steps_target"]:
        return None
    return [name for name, _ in plan["snapshot"]]
