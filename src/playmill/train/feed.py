"""Batches on their way to the network: gathered ahead by a thread of their own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from playmill.replay import ReplayBatch, ReplayReader, SampleOrder
from playmill.replay.tables import Array
from playmill.train import kernels
from playmill.train.settings import TrainSettings
from playmill.train.targets import HeadTargets

T = TypeVar("T")

TORCH_DTYPES = {np.float32: torch.float32, np.uint16: torch.uint16, np.int64: torch.int64, np.bool_: torch.bool}
AHEAD = 3  # batches that wait: enough to cover the reads at a chapter's beginning


@dataclass(frozen=True)
class TensorBatch:
    """One step's samples as the losses want them: n of them, of which m have a policy.

    On a CPU only rows with a policy have one here, and the network tells no other policies: the exact turn's replay has a
    policy in one row of twelve. A recording on a GPU wants the same shapes each time, so that there m is n.
    """

    features: Tensor  # [n, features], float32 or, where the network rounds them so first of all, bfloat16
    targets: Tensor  # [n, columns of the heads], 0 where there is nothing to learn
    weights: Tensor  # [n, columns of the heads]: one over the column's rows with a target, 0 where there is nothing to learn
    policy: Tensor  # [m, entries], as in a `ReplayBatch`
    bias: Tensor  # [m, entries], likewise
    logit_ids: Tensor | None  # int64 [m, entries, 2], likewise; None where every action has one logit
    policy_rows: Tensor | None  # int64 [m]: the rows that the policies belong to; None where those are all
    policy_count: Tensor  # []: rows with a policy, at least 1

    @classmethod
    def of(cls, batch: ReplayBatch, targets: HeadTargets, keep_shape: bool = False) -> TensorBatch:
        """The batch with the targets of a network's heads; it shares the batch's memory. `keep_shape`: m is n."""
        rows = np.flatnonzero(batch.has_policy)
        columns = [batch.policy, batch.bias, batch.logit_ids]
        is_all = keep_shape or rows.size == len(batch.has_policy)
        policy, bias, ids = (shown_by(column if is_all else column[rows]) for column in columns)
        values, weights = weighted(targets(batch.targets))
        return cls(
            features=shown_by(batch.halves).view(torch.bfloat16) if len(batch.halves) else shown_by(batch.features),
            targets=torch.from_numpy(values),
            weights=torch.from_numpy(weights),
            policy=policy,
            bias=bias,
            logit_ids=ids if ids.shape[1] else None,
            policy_rows=None if is_all else torch.from_numpy(rows),
            policy_count=torch.tensor(max(rows.size, 1)),
        )

    def part(self, number: int, of: int) -> TensorBatch:
        """Part `number` of `of` about equal ones; the counts stay those of the whole."""
        n = len(self.features)
        rows = slice(number * n // of, (number + 1) * n // of)
        with_policy, policy_rows = rows, None
        if self.policy_rows is not None:
            first, end = torch.searchsorted(self.policy_rows, torch.tensor([rows.start, rows.stop])).tolist()
            with_policy, policy_rows = slice(first, end), self.policy_rows[first:end] - rows.start
        return TensorBatch(
            self.features[rows], self.targets[rows], self.weights[rows], self.policy[with_policy], self.bias[with_policy],
            None if self.logit_ids is None else self.logit_ids[with_policy], policy_rows, self.policy_count,
        )  # fmt: skip

    def pinned(self) -> TensorBatch:
        """The batch in memory from which a GPU fetches without waiting; what is there already stays where it is."""
        return self._each(torch.Tensor.pin_memory)

    def to(self, device: torch.device) -> TensorBatch:
        """A copy of the batch there."""
        return self._each(lambda tensor: tensor.to(device, copy=True))

    def tensors(self) -> list[Tensor]:
        """The fields that are there, in order."""
        return [tensor for tensor in vars(self).values() if tensor is not None]

    def _each(self, change: Callable[[Tensor], Tensor]) -> TensorBatch:
        there = {name: change(tensor) for name, tensor in vars(self).items() if tensor is not None}
        return replace(self, **there)


def pinned_array(shape: tuple[int, ...], dtype: Any) -> Array:
    """An array in memory from which a GPU fetches. Torch keeps such memory and gives it out again once it was fetched from."""
    array: Array = torch.empty(shape, dtype=TORCH_DTYPES[dtype], pin_memory=0 not in shape).numpy()
    return array


def shown_by(array: Array) -> Tensor:
    """An array's memory as a tensor: the one that it is a view of, if any, since torch tracks who reads that storage."""
    base = array.base
    return base if isinstance(base, Tensor) and base.shape == array.shape else torch.from_numpy(array)


def weighted(targets: Array) -> tuple[Array, Array]:
    """Targets with zeros for NaN, in place, and the weight of each in the mean over its column's others."""
    weights = np.empty_like(targets)
    kernels.weigh(targets, weights)
    return targets, weights


class Feed:
    """Makes the batch of any step; for one thread at a time."""

    def __init__(
        self, reader: ReplayReader, order: SampleOrder, targets: HeadTargets, settings: TrainSettings, is_halved: bool = False
    ) -> None:
        """`is_halved`: features are rounded to bfloat16."""
        self._reader, self._order, self._targets, self._size = reader, order, targets, settings.batch_size
        self._symmetries, self._is_halved = reader.game.symmetries if settings.symmetries else 1, is_halved

    def batch(self, step: int, pin: bool) -> TensorBatch:
        """The batch of step `step`; pinned for a GPU."""
        numbers = self._order.numbers(step, self._size)
        room = self._reader.room(self._size, self._is_halved, pinned_array if pin else np.empty)
        found = self._reader.batch(numbers, self._order.symmetries(step, self._size, self._symmetries), room)
        batch = TensorBatch.of(found, self._targets, keep_shape=pin)
        return batch.pinned() if pin else batch

    def batches(self, steps: range, pin: bool) -> Iterator[TensorBatch]:
        """The batches of `steps`, in order."""
        return ahead(lambda step: self.batch(step, pin), steps)


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
