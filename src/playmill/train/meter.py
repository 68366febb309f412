"""Means of the losses between two events, kept as tensors so that a GPU is asked only when somebody looks.

A meter is saved with the training, so that a resumed one tells the same losses as one that was left alone.
"""

from __future__ import annotations

import math
import time
from typing import Any

import torch
from torch import Tensor

from playmill.core.errors import PlaymillError


class Meter:
    """Adds losses up; `read` gives their means and starts anew."""

    def __init__(self, names: tuple[str, ...], saved: dict[str, Any] | None = None, device: str | torch.device = "cpu") -> None:
        """`saved` is an earlier meter's `state`."""
        self._names = names
        self._sums = saved["sums"].to(device) if saved else torch.zeros(len(names))
        self._steps = saved["steps"] if saved else 0
        self._timed_steps = 0
        self._began = time.perf_counter()

    def state(self) -> dict[str, Any]:
        """What a meter needs to go on."""
        return {"sums": self._sums, "steps": self._steps}

    def add(self, losses: Tensor) -> None:
        """Take in one step's losses [names], total first."""
        self._sums = losses + self._sums if self._steps else losses.clone()
        self._steps += 1
        self._timed_steps += 1

    def check(self, step: int) -> None:
        """Stop a training that has gone wrong before it is saved."""
        total = self._sums[0].item()
        if not math.isfinite(total):
            raise PlaymillError(f"training: expected a finite loss up to step {step}, got {total}; try a lower lr")

    def read(self) -> tuple[dict[str, float], float]:
        """The mean losses as `loss_NAME`, and steps a second, since the last call."""
        means = {f"loss_{name}": total / self._steps for name, total in zip(self._names, self._sums.tolist(), strict=True)}
        now = time.perf_counter()
        rate = self._timed_steps / (now - self._began)
        self._sums, self._steps, self._timed_steps, self._began = torch.zeros(len(self._names)), 0, 0, now
        return means, rate
