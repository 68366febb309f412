"""One step of the optimizer."""

from __future__ import annotations

from functools import reduce

import torch
from torch import Tensor
from torch.nn import Parameter
from torch.optim import Optimizer

from playmill.nets.model import Net
from playmill.train.device import forward
from playmill.train.feed import TensorBatch
from playmill.train.losses import compute_losses
from playmill.train.passes import PassResult, RecordedPass, ThreadedPass
from playmill.train.settings import TrainSettings


def make_step(parameters: list[Parameter], optimizer: Optimizer, results: list[PassResult], lr: float) -> Tensor:
    """Change the weights once by the gradients of a batch's parts; returns the losses [names]."""
    for parameter, *gradients in zip(parameters, *(result.gradients for result in results), strict=True):
        parameter.grad = reduce(torch.Tensor.add_, gradients)
    for group in optimizer.param_groups:
        group["lr"] = lr
    optimizer.step()
    return torch.stack([result.losses for result in results]).sum(dim=0)


class Stepper:
    """Changes a network's weights, a batch at a time."""

    def __init__(self, net: Net, optimizer: Optimizer, heads: tuple[str, ...], settings: TrainSettings) -> None:
        self.net, self.optimizer, self.heads, self.settings = net, optimizer, heads, settings
        self._parameters = list(net.parameters())
        device = self._parameters[0].device
        self._pass: ThreadedPass[TensorBatch] | RecordedPass
        if device.type == "cuda":
            self._pass = RecordedPass(self._learn, device)
        else:
            self._pass = ThreadedPass(self._learn, settings.threads)

    def step(self, batch: TensorBatch, lr: float) -> tuple[Tensor, Tensor]:
        """Change the weights once; returns the losses [names] and the logits from before the change."""
        results = self._pass.run(batch)
        return make_step(self._parameters, self.optimizer, results, lr), torch.cat([result.logits for result in results])

    def close(self) -> None:
        self._pass.close()

    def _learn(self, batch: TensorBatch) -> PassResult:
        """Losses and gradients; nothing is changed, so that several threads may do it at once."""
        logits, values = forward(self.net, batch.features)
        losses = compute_losses(logits, values, batch, self.heads, self.settings, self.net.players)
        gradients = torch.autograd.grad(losses["total"], self._parameters)
        return PassResult(torch.stack(list(losses.values())).detach(), gradients, logits.detach())
