"""The loss: the policy's cross-entropy and each head's own loss, each over the rows that have a target.

A batch may be split into parts. Each part divides by the counts of the whole batch, so the parts' losses add up to it.
"""

from __future__ import annotations

import torch
from torch import Tensor

from playmill.games.heads import Head, heads_of
from playmill.train.feed import TensorBatch
from playmill.train.settings import TrainSettings

NO_ACTION = -1e9  # the logit of an entry that is none; not infinite, since zero times infinity is no number
LEAST_SHARE = 1e-12  # no share is taken for less, since its logarithm is


def loss_names(heads: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the losses of a network with these heads, in order."""
    return ("total", "policy", *dict.fromkeys(head.part for head in heads_of(heads)))


def compute_losses(
    logits: Tensor, values: Tensor, batch: TensorBatch, heads: tuple[str, ...], settings: TrainSettings, players: int = 2
) -> dict[str, Tensor]:
    """The losses of a network's answer to `batch`: `logits` [n, L], `values` [n, H] with the columns of `heads`.

    Scalars by `loss_names`: "total" is the weighted sum of the others.
    """
    losses = {"policy": policy_loss(action_logits(logits, batch.slots), batch.policy, batch.policy_count)}
    table, found = heads_of(heads), []
    widths = [head.width(players) for head in table]
    columns = zip(*(part.split(widths, dim=-1) for part in (values, batch.targets, batch.target_counts)), strict=True)
    for head, (answers, targets, counts) in zip(table, columns, strict=True):
        found.append(head_loss(head, answers, targets, counts))
    for name in loss_names(heads)[2:]:
        losses[name] = torch.stack([loss for loss, head in zip(found, table, strict=True) if head.part == name]).mean()
    weighted = [getattr(settings, f"{name}_weight") * loss for name, loss in losses.items()]
    return {"total": torch.stack(weighted).sum(), **losses}


def action_logits(logits: Tensor, slots: Tensor) -> Tensor:
    """The logits [n, entries] of the entries of a policy: for each the sum of the one or two that its slots name."""
    if slots.shape[1] == 0:
        return logits
    first, second = slots.unbind(dim=2)
    found = logits.gather(1, first.clamp(min=0))
    found = found + torch.where(second < 0, 0.0, logits.gather(1, second.clamp(min=0)))
    return found.masked_fill(first < 0, NO_ACTION)


def policy_loss(logits: Tensor, policy: Tensor, count: Tensor) -> Tensor:
    """The cross-entropy summed over the rows, over `count`. Rows without a policy are all zeros and add nothing."""
    return -(policy * torch.log_softmax(logits, dim=1)).sum() / count


def head_loss(head: Head, answers: Tensor, targets: Tensor, counts: Tensor) -> Tensor:
    """The loss of one head's columns: their mean squared error, or the cross-entropy of the shares that they are."""
    if head.loss == "square":
        return head_errors(answers, targets, counts).mean()
    return -(torch.nan_to_num(targets) * answers.clamp(min=LEAST_SHARE).log()).sum() / counts[0]


def head_errors(values: Tensor, targets: Tensor, counts: Tensor) -> Tensor:
    """The squared error of each column [H], summed over the rows whose target is not NaN, over `counts` [H]."""
    error = torch.where(torch.isnan(targets), torch.zeros_like(values), values - torch.nan_to_num(targets))
    return error.square().sum(dim=0) / counts


@torch.no_grad()
def policy_entropy(logits: Tensor) -> Tensor:
    """The mean entropy of the network's own policy, in nats."""
    log_probs = torch.log_softmax(logits, dim=1)
    return -(log_probs.exp() * log_probs).sum(dim=1).mean()
