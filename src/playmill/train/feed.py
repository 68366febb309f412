"""Batches on their way to the network: gathered ahead by a thread of their own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import torch
from torch import Tensor

from playmill.replay import Batch, ReplayReader, SampleOrder
from playmill.train.settings import TrainSettings
from playmill.train.targets import HeadTargets

T = TypeVar("T")

AHEAD = 3  # batches that wait: enough to cover the reads at a chapter's beginning


@dataclass(frozen=True)
class TensorBatch:
    """One step's samples as the losses want them. The counts are at least 1: they are divided by."""

    features: Tensor  # [n, features]
    policy: Tensor  # [n, entries], one a legal action; zeros where there is none
    slots: Tensor  # int32 [n, entries, 1 or 2]: the logits that make up each entry's, -1 = none
    targets: Tensor  # [n, heads], NaN = nothing to learn
    policy_count: Tensor  # []: rows with a policy
    target_counts: Tensor  # [heads]: rows with a target

    @classmethod
    def of(cls, batch: Batch, targets: HeadTargets) -> TensorBatch:
        """The batch with the targets of a network's heads; it shares the batch's memory."""
        values = torch.from_numpy(targets(batch.targets))
        policy_count = torch.from_numpy(batch.has_policy).sum().clamp(min=1)
        target_counts = (~torch.isnan(values)).sum(dim=0).clamp(min=1)
        features, policy, slots = (torch.from_numpy(column) for column in (batch.features, batch.policy, batch.slots))
        return cls(features, policy, slots, values, policy_count, target_counts)

    def part(self, number: int, of: int) -> TensorBatch:
        """Part `number` of `of` about equal ones; the counts stay those of the whole."""
        n = len(self.features)
        rows = slice(number * n // of, (number + 1) * n // of)
        features, policy, slots, targets = self.features[rows], self.policy[rows], self.slots[rows], self.targets[rows]
        return TensorBatch(features, policy, slots, targets, self.policy_count, self.target_counts)

    def pinned(self) -> TensorBatch:
        """The batch in memory from which a GPU fetches without waiting."""
        return TensorBatch(*(tensor.pin_memory() for tensor in self.tensors()))

    def to(self, device: torch.device) -> TensorBatch:
        """A copy of the batch there."""
        return TensorBatch(*(tensor.to(device, copy=True) for tensor in self.tensors()))

    def tensors(self) -> tuple[Tensor, ...]:
        """The fields, in order."""
        return (self.features, self.policy, self.slots, self.targets, self.policy_count, self.target_counts)


def feed(
    reader: ReplayReader, order: SampleOrder, targets: HeadTargets, settings: TrainSettings, steps: range, pin: bool
) -> Iterator[TensorBatch]:
    """The batches of `steps`, in order."""
    size, symmetries = settings.batch_size, reader.game.symmetries if settings.symmetries else 1

    def gather(step: int) -> TensorBatch:
        found = reader.batch(order.numbers(step, size), order.symmetries(step, size, symmetries))
        batch = TensorBatch.of(found, targets)
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
