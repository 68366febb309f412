"""Training as the shipped configurations do it: how fast, and how much of that the replay's reader takes."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

from playmill.bench.measure import Paced, best_rates
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.bench.selfplay_cuda import require_gpu
from playmill.bench.shipped import begin_training

if TYPE_CHECKING:
    from playmill.train.feed import TensorBatch
    from playmill.train.step import Stepper
    from playmill.train.trainer import Training

LR = 1e-5
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


@benchmark("replay.read.yatzy_demo", "samples/s")
def read_yatzy_demo(setup: Setup) -> Measured:
    """Samples read, encoded and made ready for a step of configs/yatzy_demo.yaml, on one thread."""
    return _read("yatzy_demo", setup)


@benchmark("replay.read.yatzy_puct", "samples/s")
def read_yatzy_puct(setup: Setup) -> Measured:
    """The same for configs/yatzy_puct.yaml, where every second row has a policy."""
    return _read("yatzy_puct", setup)


@benchmark("replay.read.connect_four", "samples/s")
def read_connect_four(setup: Setup) -> Measured:
    """The same for configs/connect_four.yaml, each row under one of the board's symmetries."""
    return _read("connect_four", setup)


@benchmark("train.step.yatzy_demo", "samples/s")
def step_yatzy_demo(setup: Setup) -> Measured:
    """Training by configs/yatzy_demo.yaml, fed by the reader; `fed_over_ready`: over one ready batch again and again."""
    return _step("yatzy_demo", setup)


@benchmark("train.step.yatzy_cpu", "samples/s")
def step_yatzy_cpu(setup: Setup) -> Measured:
    """The same by configs/yatzy_cpu.yaml."""
    return _step("yatzy_cpu", setup)


@benchmark("train.step.yatzy_puct", "samples/s")
def step_yatzy_puct(setup: Setup) -> Measured:
    """The same by configs/yatzy_puct.yaml."""
    return _step("yatzy_puct", setup)


@benchmark("train.step.connect_four", "samples/s")
def step_connect_four(setup: Setup) -> Measured:
    """The same by configs/connect_four.yaml."""
    return _step("connect_four", setup)


@benchmark("replay.read.exchange", "samples/s")
def read_exchange(setup: Setup) -> Measured:
    """Samples of EXCHANGE read, encoded and made ready for a step of 1,024, on one thread."""
    return _read("exchange_32x2", setup)


@benchmark("replay.read.cuda.exchange", "samples/s")
def read_exchange_for_gpu(setup: Setup) -> Measured:
    """The same as a GPU is fed: rounded, in pinned memory, on as many threads as training has there."""
    require_gpu()
    return _read("exchange_256x12", setup, "cuda")


@benchmark("train.step.exchange", "samples/s")
def step_exchange(setup: Setup) -> Measured:
    """Training of EXCHANGE's board net 32x2 by steps of 1,024 samples."""
    return _step("exchange_32x2", setup)


@benchmark("train.step.cuda.exchange", "samples/s")
def step_exchange_on_gpu(setup: Setup) -> Measured:
    """The same of its 256x12 net on a GPU."""
    require_gpu()
    return _step("exchange_256x12", setup, "cuda")


def _read(name: str, setup: Setup, device: str = "cpu") -> Measured:
    with begin_training(name, device) as training:
        sides = {name: Paced(Reading(training), clock) for name, clock in CLOCKS.items()}
        rates = best_rates(sides, setup.seconds)
        return Measured(rates["wall"], {"cpu_us_a_sample": 1e6 / rates["cpu"], **_facts(training)})


def _step(name: str, setup: Setup, device: str = "cpu") -> Measured:
    """Both sides by both clocks: what a step takes is seen on the wall, what feeding takes in the processor's time."""
    from playmill.train.device import steady

    with begin_training(name, device) as training, steady(training.device), closing(training.stepper()) as stepper:
        works: dict[str, Fed | Ready] = {"fed": Fed(training, stepper), "ready": Ready(training, stepper)}
        sides = {(side, name): Paced(work, clock) for side, work in works.items() for name, clock in CLOCKS.items()}
        rates = best_rates(sides, setup.seconds)
        facts = {
            "fed_over_ready": rates["fed", "wall"] / rates["ready", "wall"],
            "fed_over_ready_cpu": rates["fed", "cpu"] / rates["ready", "cpu"],
            "ready_samples_per_s": rates["ready", "wall"],
            "cpu_us_a_sample": 1e6 / rates["fed", "cpu"],
        }
        return Measured(rates["fed", "wall"], {**facts, **_facts(training), "threads": training.settings.threads})


def _facts(training: Training[TensorBatch]) -> dict[str, Any]:
    batch = _first_batch(training)
    share = int(batch.policy_count) / len(batch.features)
    return {"batch": len(batch.features), "samples": training.plan.samples, "policy_share": share}


# ------------------------------------------------------------------ what is measured


def _first_batch(training: Training[TensorBatch]) -> TensorBatch:
    return next(training.task.batches(range(1), _is_on_gpu(training)))


def _is_on_gpu(training: Training[TensorBatch]) -> bool:
    return training.device.type == "cuda"


def _settle(training: Training[TensorBatch]) -> None:
    """Wait until the steps that were launched are made."""
    if _is_on_gpu(training):
        import torch

        torch.cuda.synchronize()


class Reading:
    """The feed's work without its thread."""

    def __init__(self, training: Training[TensorBatch]) -> None:
        from playmill.train.replay_task import ReplayTask

        assert isinstance(training.task, ReplayTask)
        self._feed, self._size, self._done = training.task.feed, training.settings.batch_size, 0
        self._pin = _is_on_gpu(training)

    def __call__(self, size: int) -> int:
        for step in range(self._done, self._done + size):
            self._feed.batch(step, self._pin)
        self._done += size
        return size * self._size


class Fed:
    """Steps as a training makes them."""

    def __init__(self, training: Training[TensorBatch], stepper: Stepper[TensorBatch]) -> None:
        self._training, self._stepper, self._done = training, stepper, 0

    def __call__(self, size: int) -> int:
        steps = range(self._done, self._done + size)
        for batch in self._training.task.batches(steps, _is_on_gpu(self._training)):
            self._stepper.step(batch, LR)
        _settle(self._training)
        self._done += size
        return size * self._training.settings.batch_size


class Ready:
    """Steps on one batch that is there already."""

    def __init__(self, training: Training[TensorBatch], stepper: Stepper[TensorBatch]) -> None:
        self._training, self._stepper, self._batch = training, stepper, _first_batch(training)

    def __call__(self, size: int) -> int:
        for _ in range(size):
            self._stepper.step(self._batch, LR)
        _settle(self._training)
        return size * len(self._batch.features)
