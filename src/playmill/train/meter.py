"""Means of the losses between two events, kept as tensors so that a GPU is asked only when somebody looks."""

from __future__ import annotations

import math
import time

import torch
from torch import Tensor

from playmill.core.errors import PlaymillError


class Meter:
    """Adds losses up; `read` gives their means and starts anew."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._sums = torch.zeros(len(names))
        self._steps = 0
        self._began = time.perf_counter()

    def add(self, losses: Tensor) -> None:
        """Take in one step's losses [names], total first."""
        self._sums = losses + self._sums if self._steps else losses.clone()
        self._steps += 1

    def check(self, step: int) -> None:
        """Stop a training that has gone wrong before it is saved."""
        total = self._sums[0].item()
        if not math.isfinite(total):
            raise PlaymillError(f"training: expected a finite loss up to step {step}, got {total}; try a lower lr")

    def read(self) -> tuple[dict[str, float], float]:
        """The mean losses as `loss_NAME`, and steps a second, since the last call."""
        means = {f"loss_{name}": total / self._steps for name, total in zip(self._names, self._sums.tolist(), strict=True)}
        now = time.perf_counter()
        rate = self._steps / (now - self._began)
        self._sums, self._steps, self._began = torch.zeros(len(self._names)), 0, now
        return means, rate
