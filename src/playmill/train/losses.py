"""The loss: the policy's cross-entropy over the legal actions and each head's own loss, each over the rows with a target.

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
    """The logits [n, entries] of the legal actions: for each the sum of the one or two that its slots name."""
    first, *others = slots.long().unbind(dim=2)
    found = logits.gather(1, first.clamp(min=0))
    for second in others:
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
def policy_facts(logits: Tensor, batch: TensorBatch) -> dict[str, float]:
    """What a log tells of a network's own policy: its entropy over the legal actions, in nats, and its `illegal_mass`.

    Means over the rows that have a policy, 0 if none has. The latter is the mass of all logits' softmax on those that no legal
    action stands on: nothing teaches them, and nobody asks for them.
    """
    has_policy = batch.slots[:, 0, 0] >= 0
    if not has_policy.any():
        return {"entropy": 0.0, "illegal_mass": 0.0}
    logits, slots = logits.cpu()[has_policy], batch.slots[has_policy]
    log_probs = torch.log_softmax(action_logits(logits, slots), dim=1)
    entropy = -(log_probs.exp() * log_probs).sum(dim=1).mean()
    # Slots of -1 fall into a column of their own, which is cut off.
    places = slots.long().flatten(1) + 1
    is_legal = torch.zeros(len(logits), logits.shape[1] + 1, dtype=torch.bool).scatter_(1, places, True)[:, 1:]
    illegal = torch.softmax(logits, dim=1).masked_fill(is_legal, 0.0).sum(dim=1).mean()
    return {"entropy": entropy.item(), "illegal_mass": illegal.item()}
