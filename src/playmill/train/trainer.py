"""Training one candidate: begin or go on, step, save now and then, finish."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from torch import Tensor
from torch.optim import AdamW

from playmill.core.errors import UsageError
from playmill.nets.checkpoint import Checkpoint, load_checkpoint, make_checkpoint, save_checkpoint
from playmill.replay import ReplayReader, SampleOrder
from playmill.train.device import pick_device, steady
from playmill.train.feed import TensorBatch, feed
from playmill.train.losses import loss_names, policy_entropy
from playmill.train.meter import Meter
from playmill.train.plan import TrainJob, TrainPlan, make_plan
from playmill.train.step import Stepper
from playmill.train.targets import HeadTargets


class Events(Protocol):
    """Where events go: an `EventLog`, or something that adds fields of its own."""

    def write(self, event: str, **fields: Any) -> None: ...


@dataclass(frozen=True)
class TrainReport:
    """What a call of `train` did, and what came out."""

    candidate: Path
    weights_sha256: str
    steps: int  # made by this call
    resumed_at: int  # the step at which it began, 0 for a new candidate
    steps_target: int
    samples: int  # in the snapshot
    losses: dict[str, float]  # means of the last steps, by `loss_NAME`; empty if nothing was left to do
    samples_s: float


def train(job: TrainJob, events: Events | None = None, progress: Callable[[int], None] | None = None) -> TrainReport:
    """Train the job's candidate to the end of its plan and save it; `progress` hears the number of steps done.

    A candidate that an earlier call left unfinished goes on where it was last saved, if its plan is the same, and ends with
    the same bits as if nothing had happened. Any other one is replaced: the new candidate has the best network's weights and
    an optimizer that has seen nothing.
    """
    return Training(job, events).run(progress)


class Training:
    """A candidate in the making."""

    def __init__(self, job: TrainJob, events: Events | None = None) -> None:
        if job.candidate.resolve() == job.best.resolve():
            raise UsageError(f"{job.candidate}: the candidate must not replace the best network; choose another file")
        self.job, self.settings, self.events = job, job.settings, events
        self.device = pick_device(job.device)
        self.best = load_checkpoint(job.best, job.game)
        self.plan = make_plan(job, self.best)
        self.saved = _candidate_of(job, self.plan)
        self.step = self.resumed_at = self.saved.extras["step"] if self.saved else 0
        self.net = (self.saved or self.best).net().train().to(self.device)
        self.optimizer = self._make_optimizer()

    def _make_optimizer(self) -> AdamW:
        """AdamW; its moments are new unless this very training was interrupted. The best network's are never used."""
        settings = self.settings
        optimizer = AdamW(self.net.parameters(), settings.lr, weight_decay=settings.weight_decay, fused=True)
        if self.saved is not None and self.saved.optimizer is not None:
            optimizer.load_state_dict(self.saved.optimizer)
        return optimizer

    def run(self, progress: Callable[[int], None] | None = None) -> TrainReport:
        """Make the steps that are left."""
        self._tell("train_plan", **self.plan.record(), resumed_at=self.resumed_at, device=self.device.type)
        batches, heads = self._batches(), self.best.meta.heads
        began, meter, losses = time.perf_counter(), Meter(loss_names(heads)), {}
        with steady(self.device), closing(Stepper(self.net, self.optimizer, heads, self.settings)) as stepper:
            for batch in batches:
                found, logits = stepper.step(batch, self.settings.lr_at(self.step, self.plan.steps_target))
                meter.add(found)
                self.step += 1
                if self._is_due(self.settings.log_steps):
                    losses = self._log(meter, logits)
                if self._is_due(self.settings.autosave_steps):
                    meter.check(self.step)
                    self.save()
                if progress is not None:
                    progress(self.step)
        return self._report(losses, time.perf_counter() - began)

    def save(self) -> None:
        """Replace the candidate's file by where the training stands now."""
        job, best = self.job, self.best
        self.saved = make_checkpoint(
            job.game,
            best.spec,
            self.net,
            config_hash=job.config_hash,
            commit=job.commit,
            parent=self.plan.parent,
            train_step=best.meta.train_step + self.step,
            iteration=job.iteration,
            optimizer=self.optimizer.state_dict(),
            extras={"plan": self.plan.record(), "step": self.step},
        )
        save_checkpoint(job.candidate, self.saved)

    def _batches(self) -> Iterator[TensorBatch]:
        """The batches of the steps that are left; the replay is not opened for none."""
        steps = range(self.step, self.plan.steps_target)
        if not steps:
            return iter(())
        reader = ReplayReader(self.job.shards, self.job.game)
        order = SampleOrder(reader.block_starts, self.plan.seed)
        targets = HeadTargets(self.best.meta.heads, reader.target_names, self.settings.bootstrap)
        return feed(reader, order, targets, self.settings.batch_size, steps, pin=self.device.type == "cuda")

    def _is_due(self, every: int) -> bool:
        return self.step % every == 0 or self.step == self.plan.steps_target

    def _log(self, meter: Meter, logits: Tensor) -> dict[str, float]:
        """Write a `train_step` event and return its losses."""
        meter.check(self.step)
        losses, steps_s = meter.read()
        self._tell(
            "train_step",
            iteration=self.plan.iteration,
            step=self.step,
            steps_target=self.plan.steps_target,
            **losses,
            entropy=policy_entropy(logits).item(),
            lr=self.settings.lr_at(self.step - 1, self.plan.steps_target),
            steps_s=steps_s,
            samples_s=steps_s * self.settings.batch_size,
        )
        return losses

    def _tell(self, event: str, **fields: Any) -> None:
        if self.events is not None:
            self.events.write(event, **fields)

    def _report(self, losses: dict[str, float], seconds: float) -> TrainReport:
        assert self.saved is not None
        steps = self.step - self.resumed_at
        return TrainReport(
            candidate=self.job.candidate,
            weights_sha256=self.saved.meta.weights_sha256,
            steps=steps,
            resumed_at=self.resumed_at,
            steps_target=self.plan.steps_target,
            samples=self.plan.samples,
            losses=losses,
            samples_s=steps * self.settings.batch_size / seconds,
        )


def _candidate_of(job: TrainJob, plan: TrainPlan) -> Checkpoint | None:
    """What an earlier call with the same plan has saved, if anything."""
    if not job.candidate.exists():
        return None
    saved = load_checkpoint(job.candidate)
    return saved if saved.extras.get("plan") == plan.record() else None
