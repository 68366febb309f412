"""One step of the optimizer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

import torch
from torch import Tensor
from torch.nn import Parameter
from torch.optim import Optimizer

from playmill.train.passes import PassResult, RecordedPass, ThreadedPass
from playmill.train.task import BatchT


def make_step(parameters: list[Parameter], optimizer: Optimizer, results: list[PassResult], lr: float) -> Tensor:
    """Change the weights once by the gradients of a batch's parts; returns the losses [names]."""
    gradients, *others = (list(result.gradients) for result in results)
    for more in others:
        torch._foreach_add_(gradients, more)  # one call for all of them
    for parameter, gradient in zip(parameters, gradients, strict=True):
        parameter.grad = gradient
    for group in optimizer.param_groups:
        group["lr"] = lr
    optimizer.step()
    return torch.stack([result.losses for result in results]).sum(dim=0)


class Stepper(Generic[BatchT]):
    """Changes a network's weights, a batch at a time: `learn` gives the gradients of a batch or of a part of one."""

    def __init__(
        self,
        parameters: list[Parameter],
        optimizer: Optimizer,
        learn: Callable[[BatchT], PassResult],
        threads: int,
        is_ragged: bool = False,
    ) -> None:
        self.optimizer, self._parameters = optimizer, parameters
        device = parameters[0].device
        self._pass: ThreadedPass[BatchT] | RecordedPass
        if device.type != "cuda":
            self._pass = ThreadedPass(learn, threads)
        elif is_ragged:
            self._pass = ThreadedPass(learn, 1)
        else:
            recordable: Any = learn  # its batches are tensors of one shape
            self._pass = RecordedPass(recordable, device)

    def step(self, batch: BatchT, lr: float) -> tuple[Tensor, Tensor]:
        """Change the weights once; returns the losses [names] and the answers from before the change."""
        results = self._pass.run(batch)  # type: ignore[arg-type]
        return make_step(self._parameters, self.optimizer, results, lr), torch.cat([result.answers for result in results])

    def close(self) -> None:
        self._pass.close()
