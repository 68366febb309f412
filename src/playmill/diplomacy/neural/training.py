"""Training a network on recorded games: begin or go on, step, save now and then, look at the validation games, finish.

The settings, the learning rate, the meter, the passes over parts of a batch and the saved files are those of `train/`. What is
different here is what a sample is: seven powers' orders at once, each unit's among its own legal ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.optim import AdamW

from playmill.core.errors import UsageError
from playmill.diplomacy.neural.batches import Batch, BatchMaker
from playmill.diplomacy.neural.checkpoint import DiplomacyCheckpoint, load, make_checkpoint, save
from playmill.diplomacy.neural.losses import LOSSES, compute_losses
from playmill.diplomacy.neural.model import build_net
from playmill.diplomacy.neural.plan import DiplomacyJob, DiplomacyPlan
from playmill.diplomacy.neural.samples import hash_files, read_samples
from playmill.diplomacy.neural.validation import Validation, validate
from playmill.nets.meta import CheckpointError
from playmill.replay.sampling import SampleOrder
from playmill.train.device import pick_device, steady
from playmill.train.feed import ahead
from playmill.train.meter import Meter
from playmill.train.passes import PassResult, ThreadedPass
from playmill.train.step import make_step
from playmill.train.trainer import Events

BLOCK = 64  # neighbouring samples that are shuffled together; all of a chapter's are, and a chapter has 512 blocks


@dataclass(frozen=True)
class DiplomacyReport:
    """What a call of `train` did, and what came out."""

    out: Path
    weights_sha256: str
    steps: int  # made by this call
    resumed_at: int
    steps_target: int
    games: int  # trained on
    samples: int
    losses: dict[str, float]  # means of the last steps, by `loss_NAME`; empty if nothing was left to do
    samples_s: float
    validation: Validation | None  # None where no game was kept for it


def train(job: DiplomacyJob, events: Events | None = None, progress: Callable[[int], None] | None = None) -> DiplomacyReport:
    """Train to the end of the job's plan and save; `progress` hears the number of steps done.

    A file that an earlier call with the same plan left unfinished goes on where it was last saved, and ends with the same bits
    as if nothing had happened. Any other one is replaced.
    """
    return DiplomacyTraining(job, events).run(progress)


class DiplomacyTraining:
    """A network in the making."""

    def __init__(self, job: DiplomacyJob, events: Events | None = None) -> None:
        if job.init is not None and job.init.resolve() == job.out.resolve():
            raise UsageError(f"{job.out}: the new network must not replace the one it starts from; choose another file")
        self.job, self.settings, self.events = job, job.settings, events
        self.device = pick_device(job.device)
        self.first = load(job.init) if job.init else make_checkpoint(job.spec, build_net(job.spec, job.seed >> 1))
        self.samples, self.kept = read_samples(job.data, job.validation)
        self.plan = self._make_plan()
        self.saved = self._unfinished()
        self.step = self.resumed_at = self.saved.extras["step"] if self.saved else 0
        self.net = (self.saved or self.first).net().train().to(self.device)
        self.optimizer = self._make_optimizer()

    def _make_plan(self) -> DiplomacyPlan:
        job, count = self.job, len(self.samples)
        steps, decided_by = job.settings.steps_for(count, job.steps)
        settings = job.settings.model_dump(exclude={"autosave_steps", "log_steps"})
        parent, data = self.first.meta.weights_sha256, hash_files(job.data)
        return DiplomacyPlan(job.iteration, job.seed, parent, data, job.validation, count, steps, decided_by, settings)

    def _unfinished(self) -> DiplomacyCheckpoint | None:
        """What an earlier call with the same plan has saved, if anything."""
        if not self.job.out.exists():
            return None
        try:
            saved = load(self.job.out)
        except CheckpointError as error:
            raise CheckpointError(f"{error}; remove it, and it is trained again") from None
        return saved if saved.extras.get("plan") == self.plan.record() else None

    def _make_optimizer(self) -> AdamW:
        """AdamW; its moments are new unless this very training was interrupted."""
        settings = self.settings
        optimizer = AdamW(self.net.parameters(), settings.lr, weight_decay=settings.weight_decay, fused=True)
        if self.saved is not None and self.saved.optimizer is not None:
            optimizer.load_state_dict(self.saved.optimizer)
        return optimizer

    def run(self, progress: Callable[[int], None] | None = None) -> DiplomacyReport:
        """Make the steps that are left."""
        self._tell("train_plan", **self.plan.record(), resumed_at=self.resumed_at, device=self.device.type)
        began, meter, losses = time.perf_counter(), Meter(LOSSES), {}
        threads = 1 if self.device.type == "cuda" else self.settings.threads
        parameters = list(self.net.parameters())
        with steady(self.device), closing(ThreadedPass(self._learn, threads)) as passes:
            for batch in self._batches():
                lr = self.settings.lr_at(self.step, self.plan.steps_target)
                meter.add(make_step(parameters, self.optimizer, passes.run(batch), lr))
                self.step += 1
                if self._is_due(self.settings.log_steps):
                    losses = self._log(meter)
                if self._is_due(self.settings.autosave_steps):
                    meter.check(self.step)
                    self.save()
                if progress is not None:
                    progress(self.step)
        return self._report(losses, time.perf_counter() - began)

    def _batches(self) -> Iterator[Batch]:
        """The batches of the steps that are left, made ahead by another thread."""
        count = len(self.samples)
        order = SampleOrder(np.append(np.arange(0, count, BLOCK), count), self.plan.seed)
        maker = BatchMaker(self.samples, self.settings.bootstrap)
        steps = range(self.step, self.plan.steps_target)
        return ahead(lambda step: maker.make(order.numbers(step, self.settings.batch_size)), steps)

    def _learn(self, batch: Batch) -> PassResult:
        """Losses and gradients; nothing is changed, so that several threads may do it at once."""
        batch = batch.to(self.device)
        scores, values = self.net(batch.features)
        losses = compute_losses(scores, values, batch, self.settings)
        gradients = torch.autograd.grad(losses[0], list(self.net.parameters()))
        return PassResult(losses.detach(), gradients, values.detach())

    def save(self) -> None:
        """Replace the file by where the training stands now."""
        job, first = self.job, self.first
        self.saved = make_checkpoint(
            first.spec,
            self.net,
            config_hash=job.config_hash,
            commit=job.commit,
            parent=self.plan.parent if job.init else None,
            train_step=first.meta.train_step + self.step,
            iteration=job.iteration,
            optimizer=self.optimizer.state_dict(),
            extras={"plan": self.plan.record(), "step": self.step},
        )
        save(job.out, self.saved)

    def _is_due(self, every: int) -> bool:
        return self.step % every == 0 or self.step == self.plan.steps_target

    def _log(self, meter: Meter) -> dict[str, float]:
        """Write a `train_step` event and return its losses."""
        meter.check(self.step)
        losses, steps_s = meter.read()
        self._tell(
            "train_step",
            iteration=self.plan.iteration,
            step=self.step,
            steps_target=self.plan.steps_target,
            **losses,
            lr=self.settings.lr_at(self.step - 1, self.plan.steps_target),
            steps_s=steps_s,
            samples_s=steps_s * self.settings.batch_size,
        )
        return losses

    def _tell(self, event: str, **fields: Any) -> None:
        if self.events is not None:
            self.events.write(event, **fields)

    def _report(self, losses: dict[str, float], seconds: float) -> DiplomacyReport:
        assert self.saved is not None
        steps = self.step - self.resumed_at
        found = validate(self.saved.net(), self.kept) if len(self.kept) else None
        if found is not None:
            self._tell("train_validation", step=self.step, **vars(found))
        return DiplomacyReport(
            out=self.job.out,
            weights_sha256=self.saved.meta.weights_sha256,
            steps=steps,
            resumed_at=self.resumed_at,
            steps_target=self.plan.steps_target,
            games=self.samples.games,
            samples=len(self.samples),
            losses=losses,
            samples_s=steps * self.settings.batch_size / seconds,
            validation=found,
        )
