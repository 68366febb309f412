"""The loss: the policy's cross-entropy over the legal actions and the heads' squared errors, each over the rows with a target.

A batch may be split into parts. Each part divides by the counts of the whole batch, so the parts' losses add up to it.
"""

from __future__ import annotations

import torch
from torch import Tensor

from playmill.nets.spec import MARGIN, TOGO_OPP, TOGO_OWN, WIN
from playmill.train.feed import TensorBatch
from playmill.train.settings import TrainSettings

# Score to go is taught by squared error, not by Huber's: search adds expectations up, and the mean minimises the square.
PARTS = {WIN: "value", MARGIN: "margin", TOGO_OWN: "togo", TOGO_OPP: "togo"}

NO_ACTION = -1e9  # the logit of an entry that is none; not infinite, since zero times infinity is no number


def loss_names(heads: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the losses of a network with these heads, in order."""
    return ("total", "policy", *dict.fromkeys(PARTS[head] for head in heads))


def compute_losses(
    logits: Tensor, values: Tensor, batch: TensorBatch, heads: tuple[str, ...], settings: TrainSettings
) -> dict[str, Tensor]:
    """The losses of a network's answer to `batch`: `logits` [n, L], `values` [n, H] with the columns `heads`.

    Scalars by `loss_names`: "total" is the weighted sum of the others.
    """
    losses = {"policy": policy_loss(action_logits(logits, batch.slots), batch.policy, batch.policy_count)}
    errors = head_errors(values, batch.targets, batch.target_counts).unbind()
    for name in loss_names(heads)[2:]:
        losses[name] = torch.stack([error for error, head in zip(errors, heads, strict=True) if PARTS[head] == name]).mean()
    weighted = [getattr(settings, f"{name}_weight") * loss for name, loss in losses.items()]
    return {"total": torch.stack(weighted).sum(), **losses}


def action_logits(logits: Tensor, slots: Tensor) -> Tensor:
    """The logits [n, entries] of the legal actions: for each the sum of the one or two that its slots name."""
    first, second = slots.long().unbind(dim=2)
    found = logits.gather(1, first.clamp(min=0))
    found = found + torch.where(second < 0, 0.0, logits.gather(1, second.clamp(min=0)))
    return found.masked_fill(first < 0, NO_ACTION)


def policy_loss(logits: Tensor, policy: Tensor, count: Tensor) -> Tensor:
    """The cross-entropy summed over the rows, over `count`. Rows without a policy are all zeros and add nothing."""
    return -(policy * torch.log_softmax(logits, dim=1)).sum() / count


def head_errors(values: Tensor, targets: Tensor, counts: Tensor) -> Tensor:
    """The squared error of each head [H], summed over the rows whose target is not NaN, over `counts` [H]."""
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
