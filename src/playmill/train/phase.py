"""Training as a phase of a run, whatever it learns from."""

from __future__ import annotations

from typing import Any

from playmill.runs.entries import TrainEntry
from playmill.runs.watcher import Watcher
from playmill.train.trainer import Events, OpenJob, Training


def train_candidate(job: OpenJob[Any], metrics: Events, watcher: Watcher) -> TrainEntry:
    """Train the job's candidate to the end of its plan, with somebody looking on; what the manifest keeps of it."""
    training = Training(job, metrics)
    with watcher.phase("train", training.plan.steps_target, training.resumed_at) as tell:
        report = training.run(tell)
    return TrainEntry(
        steps=report.steps_target,
        samples=report.samples,
        snapshot=tuple(name for name, _ in training.plan.snapshot),
        snapshot_hash=training.plan.snapshot_hash,
        weights_sha256=report.weights_sha256,
        samples_s=report.samples_s,
        losses={name.removeprefix("loss_"): loss for name, loss in report.losses.items()},
        details={"validation": report.validation} if report.validation else {},
    )
