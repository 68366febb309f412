"""What a training learns: where it begins, its batches and its losses. `trainer.py` does the rest, the same for all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

from torch import Tensor, nn

from playmill.nets.checkpoint import AnyNet
from playmill.train.passes import Parted, PassResult
from playmill.train.plan import Job, TrainPlan

BatchT = TypeVar("BatchT", bound=Parted)


class LearningTask(Protocol[BatchT]):
    """A job that is ready to begin: its plan is made, its network loaded; data is read once batches are asked for."""

    @property
    def job(self) -> Job: ...

    @property
    def plan(self) -> TrainPlan: ...

    @property
    def start(self) -> AnyNet:
        """The network that it begins with."""

    @property
    def losses(self) -> tuple[str, ...]:
        """The names of its losses, "total" first."""

    @property
    def is_ragged(self) -> bool:
        """Whether batches differ in size, so that no recording of one serves for the others."""

    def batches(self, steps: range, pin: bool) -> Iterator[BatchT]:
        """The batches of these steps, in order; pinned for a GPU."""

    def learn(self, net: nn.Module, parameters: list[nn.Parameter], batch: BatchT) -> PassResult:
        """Losses and gradients; nothing is changed, so that several threads may do it at once."""

    def facts(self, answers: Tensor, batch: BatchT) -> dict[str, float]:
        """What the log tells of a batch's answers beside the losses."""

    def validate(self, net: nn.Module) -> dict[str, Any]:
        """How well the finished network does on what it was not trained on; empty if nothing was kept for that."""

    def load(self, path: Path) -> AnyNet:
        """A candidate that an earlier training has saved."""

    def checkpoint(self, net: nn.Module, **fields: Any) -> AnyNet:
        """A checkpoint of the network as it is now; `fields` are the origin's, `optimizer` and `extras`."""
