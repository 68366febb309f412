"""Settings of training."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field

from playmill.core.documents import fit
from playmill.core.errors import MAX_WORKERS
from playmill.core.settings import Settings

MAX_BATCH = 1 << 17  # samples; beyond it a step takes tens of gigabytes and learns no better


class LearningSettings(Settings):
    """How a candidate is trained in one iteration, whatever it learns from."""

    batch_size: int = Field(1024, ge=1, le=MAX_BATCH, description="Samples a step.")
    steps_per_iteration: int | None = Field(None, ge=1, description="Optimizer steps an iteration; if set, epochs don't count.")
    epochs: int = Field(1, ge=1, description="Times that an iteration goes through its samples.")
    lr: float = Field(1e-3, gt=0, description="AdamW's learning rate after the warm-up.")
    warmup: int = Field(100, ge=0, description="Steps over which the learning rate rises from 0; the optimizer starts cold.")
    lr_end: float = Field(
        1.0, gt=0, le=1, description="Share of the learning rate that is left at an iteration's last step; `lr_fall` says how."
    )
    lr_fall: Literal["linear", "cosine"] = Field(
        "linear", description="The way down to `lr_end`: a straight line, or half a wave, slow at both ends."
    )
    lr_final: float = Field(
        1.0,
        gt=0,
        le=1,
        description="Share of the learning rate that is left in a run's last iteration; it falls by equal factors.",
    )
    weight_decay: float = Field(1e-4, ge=0, description="AdamW's weight decay.")
    policy_weight: float = Field(1.0, ge=0, description="Weight of the policy's cross-entropy in the loss.")
    value_weight: float = Field(1.0, ge=0, description="Weight of the loss of the head that tells the outcome.")
    bootstrap: float = Field(
        0.0, ge=0, le=1, description="Share of the search's own value in a target; the rest is the outcome."
    )
    autosave_steps: int = Field(500, ge=1, description="Steps between two saves that a killed training can go on from.")
    log_steps: int = Field(50, ge=1, description="Steps between two `train_step` events.")
    window_shards: int | None = Field(None, ge=1, description="Train on the newest so many shards; default: all.")
    threads: int = Field(
        2,
        ge=1,
        le=MAX_WORKERS,
        description="CPU threads; each takes a part of the batch, and bits repeat only with the same number.",
    )

    def in_iteration(self, iteration: int, iterations: int) -> Self:
        """The settings of one iteration, counted from 0: its learning rate is that of its place in the run."""
        place = min(iteration / max(iterations - 1, 1), 1.0)
        return self.model_copy(update={"lr": self.lr * self.lr_final**place})

    def steps_for(self, samples: int, steps: int | None = None) -> tuple[int, str]:
        """How many steps to train on so many samples, and what decided it: `steps` (asked for), else the settings."""
        if steps is not None:
            return steps, "steps"
        if self.steps_per_iteration is not None:
            return self.steps_per_iteration, "steps_per_iteration"
        return self.epochs * -(-samples // self.batch_size), "epochs"

    def lr_at(self, step: int, steps: int) -> float:
        """The learning rate of step `step` of `steps`, counted from 0."""
        rising = min(1.0, (step + 1) / self.warmup) if self.warmup else 1.0
        return self.lr * rising * (1 - self._fallen(step, max(steps - 1, 1)))

    def _fallen(self, step: int, last: int) -> float:
        """The share of the learning rate that is gone at a step."""
        whole = 1 - self.lr_end
        return whole * step / last if self.lr_fall == "linear" else whole * (1 - math.cos(math.pi * step / last)) / 2


class TrainSettings(LearningSettings):
    """How a candidate learns from replay shards."""

    start: Literal["best", "latest"] = Field(
        "best",
        description="What an iteration goes on training: the best network, or the latest one, promoted or not. Behind a"
        " strict gate the latter loses no steps.",
    )
    margin_weight: float = Field(0.5, ge=0, description="Weight of the margin head's squared error.")
    togo_weight: float = Field(1.0, ge=0, description="Weight of the two score-to-go heads' squared error, in units of 100.")
    symmetries: bool = Field(
        True, description="Whether each sample is seen under a symmetry of the game, drawn anew each time; where it has any."
    )
    window_samples: int | None = Field(
        None, ge=1, description="Train on the newest shards of at most so many samples together."
    )


def make_settings(fields: Mapping[str, Any]) -> TrainSettings:
    """The settings that these fields make, or one line about the first that is wrong."""
    return fit(TrainSettings, "train", fields)
