"""The loss: the policy's cross-entropy over the legal actions and each head's own loss, each over the rows with a target.

A batch may be split into parts. The rows' weights are those in the whole batch, so the parts' losses add up to it.
"""

from __future__ import annotations

import functools

import torch
from torch import Tensor
from torch.nn.functional import pad

from playmill.games.heads import Head, heads_of
from playmill.train.feed import TensorBatch
from playmill.train.settings import TrainSettings

LEAST_SHARE = 1e-12  # no share is taken for less, since its logarithm is


def loss_names(heads: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the losses of a network with these heads, in order."""
    return ("total", "policy", *_parts(heads))


def _parts(heads: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(head.part for head in heads_of(heads)))


def compute_losses(
    logits: Tensor, values: Tensor, batch: TensorBatch, heads: tuple[str, ...], settings: TrainSettings, players: int = 2
) -> dict[str, Tensor]:
    """The losses of a network's answer to `batch`: `logits` [m, L], `values` [n, H] with the columns of `heads`.

    Scalars by `loss_names`: "total" is the weighted sum of the others, and the only one to be learned from. Few operations on
    whole columns: one takes some microseconds and its way back as many, whatever it does.
    """
    own = {head.part: head.weight for head in heads_of(heads)}
    weights = tuple(getattr(settings, f"{part}_weight", own[part]) for part in _parts(heads))
    shares, in_total = _shares(heads, players, weights, values.device)
    policy = policy_loss(action_logits(logits, batch), batch.policy, batch.policy_count)
    columns = column_losses(values, batch.targets, batch.weights, heads, players)
    total = settings.policy_weight * policy + columns.dot(in_total)
    parts = (columns.detach() @ shares).unbind()
    return {"total": total, "policy": policy.detach(), **dict(zip(_parts(heads), parts, strict=True))}


@functools.cache
def _shares(heads: tuple[str, ...], players: int, weights: tuple[float, ...], device: torch.device) -> tuple[Tensor, Tensor]:
    """What each column's loss counts in its part of the loss, [H, parts], and in the total, [H].

    A part is the mean of its heads' losses; a squared error's is the mean of its columns, a cross-entropy their sum.
    """
    table, parts = heads_of(heads), _parts(heads)
    rows = []
    for head in table:
        width = head.width(players)
        mates = sum(other.part == head.part for other in table)
        share = 1 / mates / (width if head.loss == "square" else 1)
        rows += [[share if part == head.part else 0.0 for part in parts]] * width
    shares = torch.tensor(rows)
    return shares.to(device), (shares @ torch.tensor(weights)).to(device)


def action_logits(logits: Tensor, batch: TensorBatch) -> Tensor:
    """The logits [m, entries] of the legal actions, each the sum of those that it stands on; hugely negative for what is none.

    Adding a bias has no backward pass of its own; to fill by a mask, or to gather the legal ones, takes twice as long.
    """
    return (logits if batch.logit_ids is None else _sums(logits, batch.logit_ids)) + batch.bias


def _sums(logits: Tensor, ids: Tensor) -> Tensor:
    padded = pad(logits, (0, 1))  # the number of logits stands for none
    return padded.gather(1, ids.flatten(1)).view(ids.shape).sum(dim=2)


def policy_loss(logits: Tensor, policy: Tensor, count: Tensor) -> Tensor:
    """The cross-entropy summed over the rows, over `count`. Rows without a policy are all zeros and add nothing."""
    return -(policy * torch.log_softmax(logits, dim=1)).sum() / count


def column_losses(values: Tensor, targets: Tensor, weights: Tensor, heads: tuple[str, ...], players: int) -> Tensor:
    """The loss of each column [H], over the rows that have a target: its mean squared error, or its part of a cross-entropy."""
    table = heads_of(heads)
    if all(head.loss == "square" for head in table):
        return ((values - targets).square() * weights).sum(dim=0)
    widths = [head.width(players) for head in table]
    terms = zip(table, values.split(widths, dim=1), targets.split(widths, dim=1), strict=True)
    return (torch.cat([_terms(*each) for each in terms], dim=1) * weights).sum(dim=0)


def _terms(head: Head, answers: Tensor, targets: Tensor) -> Tensor:
    """What each row and column adds to a head's loss, but for its weight."""
    return (answers - targets).square() if head.loss == "square" else -targets * answers.clamp(min=LEAST_SHARE).log()


@torch.no_grad()
def policy_facts(logits: Tensor, batch: TensorBatch) -> dict[str, float]:
    """What a log tells of a network's own policy: its entropy over the legal actions, in nats, and its `illegal_mass`.

    Means over the rows that have a policy, 0 if none has. The latter is the mass of all logits' softmax on those that no legal
    action stands on: nothing teaches them, and nobody asks for them.
    """
    has_policy = (batch.policy > 0).any(dim=1)
    if not has_policy.any():
        return {"entropy": 0.0, "illegal_mass": 0.0}
    logits = logits.cpu()
    log_probs = torch.log_softmax(action_logits(logits, batch), dim=1)
    entropy = -(log_probs.exp() * log_probs).sum(dim=1)[has_policy].mean()
    illegal = torch.softmax(logits, dim=1).masked_fill(_is_legal(logits, batch), 0.0).sum(dim=1)[has_policy].mean()
    return {"entropy": entropy.item(), "illegal_mass": illegal.item()}


def _is_legal(logits: Tensor, batch: TensorBatch) -> Tensor:
    """Whether some legal action stands on a logit, bool [m, L]."""
    if batch.logit_ids is None:
        return batch.bias == 0
    places = torch.zeros(len(logits), logits.shape[1] + 1, dtype=torch.bool)
    return places.scatter_(1, batch.logit_ids.flatten(1), True)[:, :-1]
