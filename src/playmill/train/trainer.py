"""Training one candidate: begin or go on, step, save now and then, finish. What is learnt is the job's task (`task.py`)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol

from torch import Tensor
from torch.optim import AdamW

from playmill.core.errors import UsageError
from playmill.nets.checkpoint import AnyNet, save_checkpoint, sidecar_path, write_sidecar
from playmill.train.device import pick_device, steady
from playmill.train.meter import Meter
from playmill.train.plan import Job, last_told, load_candidate
from playmill.train.step import Stepper
from playmill.train.task import BatchT, LearningTask


class Events(Protocol):
    """Where events go: an `EventLog`."""

    def write(self, event: str, **fields: Any) -> None: ...

    def read(self) -> Iterator[dict[str, Any]]:
        """The events so far."""


class Progress(Protocol):
    """Hears the number of steps done; now and then with the mean losses as `loss_NAME`, and `samples_s`."""

    def __call__(self, done: int, **facts: float) -> None: ...


@dataclass(frozen=True)
class TrainReport:
    """What a call of `train` did, and what came out."""

    candidate: Path
    weights_sha256: str
    steps: int  # made by this call
    resumed_at: int  # the step at which it began, 0 for a new candidate
    steps_target: int
    samples: int  # in the snapshot
    losses: dict[str, float]  # means of the last steps, by `loss_NAME`
    samples_s: float  # of this call; 0 if nothing was left to do
    validation: dict[str, Any]  # on what was kept for that; empty if nothing was


class OpenJob(Job, Protocol[BatchT]):
    """A job that can make its task."""

    def open(self) -> LearningTask[BatchT]: ...


def train(job: OpenJob[Any], events: Events | None = None, progress: Progress | None = None) -> TrainReport:
    """Train the job's candidate to the end of its plan and save it.

    A candidate that an earlier call left unfinished goes on where it was last saved, if its plan is the same, and ends with
    the same bits as if nothing had happened. Any other one is replaced: the new candidate has its parent's weights and
    an optimizer that has seen nothing.
    """
    return Training(job, events).run(progress)


class Training(Generic[BatchT]):
    """A candidate in the making."""

    def __init__(self, job: OpenJob[BatchT], events: Events | None = None) -> None:
        if job.parent is not None and job.candidate.resolve() == job.parent.resolve():
            raise UsageError(
                f"{job.candidate}: the candidate must not replace the network that it starts from; choose another file"
            )
        self.job, self.settings, self.events = job, job.settings, events
        self.device = pick_device(job.device)
        self.task = job.open()
        self.plan, self.start = self.task.plan, self.task.start
        self.saved = _candidate_of(self.task)
        self.step = self.resumed_at = self.saved.extras["step"] if self.saved else 0
        self.net = (self.saved or self.start).net().train().to(self.device)
        self.optimizer = self._make_optimizer()
        extras = self.saved.extras if self.saved else {}
        self.losses: dict[str, float] = extras.get("losses", {})
        self.meter = Meter(self.task.losses, extras.get("meter"), self.device)
        # A killed training was ahead of its last save: what it told then is not told again.
        self._told = last_told(events.read(), self.plan) if events else 0

    def _make_optimizer(self) -> AdamW:
        """AdamW; its moments are new unless this very training was interrupted. Its parent's are never used."""
        settings = self.settings
        optimizer = AdamW(self.net.parameters(), settings.lr, weight_decay=settings.weight_decay, fused=True)
        if self.saved is not None and self.saved.optimizer is not None:
            optimizer.load_state_dict(self.saved.optimizer)
        return optimizer

    def run(self, progress: Progress | None = None) -> TrainReport:
        """Make the steps that are left."""
        tell: Progress = progress or _ignore
        self._tell("train_plan", **self.plan.record(), resumed_at=self.resumed_at, device=self.device.type, step=self._run_step)
        batches, began = self._batches(), time.perf_counter()
        with steady(self.device), closing(self.stepper()) as stepper:
            for batch in batches:
                found, answers = stepper.step(batch, self.settings.lr_at(self.step, self.plan.steps_target))
                self.meter.add(found)
                self.step += 1
                if self._is_due(self.settings.log_steps):
                    tell(self.step, **self._log(batch, answers))
                if self._is_due(self.settings.autosave_steps):
                    self.meter.check(self.step)
                    self.save()
                tell(self.step)
        return self._report(time.perf_counter() - began)

    def stepper(self) -> Stepper[BatchT]:
        """What changes the weights, a batch at a time."""
        parameters = list(self.net.parameters())
        learn = partial(self.task.learn, self.net, parameters)
        return Stepper(parameters, self.optimizer, learn, self.settings.threads, self.task.is_ragged)

    def save(self) -> None:
        """Replace the candidate's file by where the training stands now."""
        job = self.job
        self.saved = self.task.checkpoint(
            self.net,
            config_hash=job.config_hash,
            commit=job.commit,
            parent=None if job.parent is None else self.plan.parent,
            train_step=self.start.meta.train_step + self.step,
            iteration=job.iteration,
            optimizer=self.optimizer.state_dict(),
            extras={
                "plan": self.plan.record(),
                "step": self.step,
                "losses": self.losses,
                "meter": self.meter.state(),
            },
        )
        save_checkpoint(job.candidate, self.saved)

    def _batches(self) -> Iterator[BatchT]:
        """The batches of the steps that are left; no data is opened for none."""
        steps = range(self.step, self.plan.steps_target)
        return self.task.batches(steps, pin=self.device.type == "cuda") if steps else iter(())

    def _is_due(self, every: int) -> bool:
        return self.step % every == 0 or self.step == self.plan.steps_target

    def _log(self, batch: BatchT, answers: Tensor) -> dict[str, float]:
        """Read the meter, write a `train_step` event, and return what a display wants of it."""
        self.meter.check(self.step)
        self.losses, steps_s = self.meter.read()
        facts = {**self.losses, "samples_s": steps_s * self.settings.batch_size}
        if self.step > self._told:
            self._tell(
                "train_step",
                iteration=self.plan.iteration,
                step=self._run_step,
                steps_done=self.step,
                steps_target=self.plan.steps_target,
                **self.task.facts(answers, batch),
                lr=self.settings.lr_at(self.step - 1, self.plan.steps_target),
                steps_s=steps_s,
                **facts,
            )
        return facts

    @property
    def _run_step(self) -> int:
        """Counted on over the trainings of a run, so that it never goes back."""
        return self.job.steps_before + self.step

    def _tell(self, event: str, **fields: Any) -> None:
        if self.events is not None:
            self.events.write(event, **fields)

    def _report(self, seconds: float) -> TrainReport:
        assert self.saved is not None
        if not sidecar_path(self.job.candidate).exists():  # a kill came between the last save and it
            write_sidecar(self.job.candidate, self.saved)
        steps, weights = self.step - self.resumed_at, self.saved.meta.weights_sha256
        validation = self.task.validate(self.saved.net())
        if validation and not self._has_told("train_validation", weights):
            told = {"iteration": self.plan.iteration, "step": self._run_step, "weights_sha256": weights}
            self._tell("train_validation", **told, **validation)
        return TrainReport(
            candidate=self.job.candidate,
            weights_sha256=weights,
            steps=steps,
            resumed_at=self.resumed_at,
            steps_target=self.plan.steps_target,
            samples=self.plan.samples,
            losses=self.losses,
            samples_s=steps * self.settings.batch_size / seconds,
            validation=validation,
        )

    def _has_told(self, name: str, weights: str) -> bool:
        """Whether an earlier process has told this of the network with these weights."""
        events = self.events.read() if self.events else ()
        return any(event["event"] == name and event.get("weights_sha256") == weights for event in events)


def _ignore(done: int, **facts: float) -> None:
    pass


def _candidate_of(task: LearningTask[Any]) -> AnyNet | None:
    """What an earlier call with the same plan has saved, if anything."""
    path = task.job.candidate
    if not path.exists():
        return None
    saved = load_candidate(path, task.load)
    return saved if saved.extras.get("plan") == task.plan.record() else None
