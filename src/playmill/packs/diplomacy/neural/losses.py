"""The loss: the cross-entropy of every unit's order among its legal ones, and how far the seven values are from their target.

A batch may be split into parts. Each part divides by the counts of the whole batch, so the parts' losses add up to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from playmill.packs.diplomacy.neural.batches import OrderBatch
from playmill.train.settings import LearningSettings

LOSSES = ("total", "policy", "value")
TINY = 1e-9


@dataclass(frozen=True)
class OrderChoices:
    """What the network's scores say about every unit's order."""

    log_probs: Tensor  # [groups]: of the order that was given
    hits: Tensor  # [groups]: whether no other has a higher score


def judge_choices(scores: Tensor, batch: OrderBatch) -> OrderChoices:
    """The softmax of each unit over its own orders; `scores` are the network's [n, LOGITS]."""
    found = scores.reshape(-1)[batch.logit_ids].sum(dim=1)
    groups = len(batch.chosen)
    highest = torch.full((groups,), -torch.inf, device=found.device)
    highest = highest.scatter_reduce(0, batch.group, found.detach(), "amax")
    weights = torch.exp(found - highest[batch.group])
    totals = torch.zeros_like(highest).index_add(0, batch.group, weights)
    own = found[batch.chosen] - highest
    return OrderChoices(own - torch.log(totals), own.detach() >= 0)


def compute_losses(choices: OrderChoices, values: Tensor, batch: OrderBatch, settings: LearningSettings) -> Tensor:
    """The losses by LOSSES: "total" is the weighted sum of the others."""
    policy = -choices.log_probs.sum() / batch.policy_count
    value = divergence(values, batch.targets).sum() / batch.value_count
    return torch.stack((settings.policy_weight * policy + settings.value_weight * value, policy, value))


def divergence(values: Tensor, targets: Tensor) -> Tensor:
    """Kullback and Leibler's of each row [n], 0 where the values are the targets; its mean is least at the expectation."""
    return (targets * (torch.log(targets.clamp(min=TINY)) - torch.log(values.clamp(min=TINY)))).sum(dim=1)
