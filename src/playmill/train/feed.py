"""Batches on their way to the network: gathered ahead by a thread of their own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

import torch
from torch import Tensor

from playmill.replay import Batch, ReplayReader, SampleOrder
from playmill.train.targets import HeadTargets

T = TypeVar("T")

AHEAD = 3  # batches that wait: enough to cover the reads at a chapter's beginning


@dataclass(frozen=True)
class TensorBatch:
    """One step's samples as the losses want them. The counts are at least 1: they are divided by."""

    features: Tensor  # [n, features]
    policy: Tensor  # [n, logits], zeros where there is none; with slots [n, entries]
    targets: Tensor  # [n, heads], NaN = nothing to learn
    policy_count: Tensor  # []: rows with a policy
    target_counts: Tensor  # [heads]: rows with a target
    # int64 [n, entries, 2]: the logits of each entry of the policy, -1 = none. Without any, entry i has logit i.
    slots: Tensor = field(default_factory=lambda: torch.empty(0, 0, 2, dtype=torch.int64))

    @classmethod
    def of(cls, batch: Batch, targets: HeadTargets) -> TensorBatch:
        """The batch with the targets of a network's heads; it shares the batch's memory."""
        values = torch.from_numpy(targets(batch.targets))
        policy_count = torch.from_numpy(batch.has_policy).sum().clamp(min=1)
        target_counts = (~torch.isnan(values)).sum(dim=0).clamp(min=1)
        slots = () if batch.slots is None else (torch.from_numpy(batch.slots).long(),)
        features, policy = torch.from_numpy(batch.features), torch.from_numpy(batch.policy)
        return cls(features, policy, values, policy_count, target_counts, *slots)

    def part(self, number: int, of: int) -> TensorBatch:
        """Part `number` of `of` about equal ones; the counts stay those of the whole."""
        n = len(self.features)
        rows = slice(number * n // of, (number + 1) * n // of)
        counts = self.policy_count, self.target_counts
        return TensorBatch(self.features[rows], self.policy[rows], self.targets[rows], *counts, self.slots[rows])

    def pinned(self) -> TensorBatch:
        """The batch in memory from which a GPU fetches without waiting."""
        return TensorBatch(*(tensor.pin_memory() for tensor in self.tensors()))

    def to(self, device: torch.device) -> TensorBatch:
        """A copy of the batch there."""
        return TensorBatch(*(tensor.to(device, copy=True) for tensor in self.tensors()))

    def tensors(self) -> tuple[Tensor, ...]:
        """The fields, in order."""
        return (self.features, self.policy, self.targets, self.policy_count, self.target_counts, self.slots)


def feed(
    reader: ReplayReader, order: SampleOrder, targets: HeadTargets, batch_size: int, steps: range, pin: bool
) -> Iterator[TensorBatch]:
    """The batches of `steps`, in order."""

    def gather(step: int) -> TensorBatch:
        batch = TensorBatch.of(reader.batch(order.numbers(step, batch_size)), targets)
        return batch.pinned() if pin else batch

    return ahead(gather, steps)


def ahead(make: Callable[[int], T], numbers: Iterable[int], count: int = AHEAD) -> Iterator[T]:
    """make(n) for each number, in order, each made by one other thread while the ones before it are used."""
    rest = iter(numbers)
    with ThreadPoolExecutor(1, thread_name_prefix="feed") as pool:
        waiting: deque[Future[T]] = deque(pool.submit(make, n) for n in islice(rest, count))
        try:
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(pool.submit(make, n) for n in islice(rest, 1))
        finally:
            pool.shutdown(cancel_futures=True)
