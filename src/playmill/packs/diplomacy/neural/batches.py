"""A step's samples as tensors: features and targets, and for every unit the scores that its legal orders are added up from.

The legal orders are listed anew for each batch, by the rules' own kernel: keeping them would take ten times the memory of the
positions. A unit's orders are one group; groups lie one after another and belong to a row, a position.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from playmill.games.diplomacy.geography import PROVINCE_COUNT
from playmill.games.diplomacy.legal import MAX_GROUPS, MAX_ORDERS, new_lists
from playmill.games.diplomacy.work import RULES_3
from playmill.packs.diplomacy.neural.batch_kernels import FULL, Lines, Listing, add_rows
from playmill.packs.diplomacy.neural.features import encode
from playmill.packs.diplomacy.neural.logit_ids import LOGITS, PARTS
from playmill.packs.diplomacy.neural.samples import PhaseSamples

ROOM = 1 << 16  # orders that a batch has room for at first; it doubles when they don't fit


@dataclass(frozen=True)
class OrderBatch:
    """One step's samples. `logit_ids` are places in the flat answers of the whole batch, so that one gather finds all."""

    features: Tensor  # [n, WIDTH]
    targets: Tensor  # [n, 7]
    logit_ids: Tensor  # [orders, PARTS]
    group: Tensor  # [orders]: whose they are, counted through the batch
    chosen: Tensor  # [groups]: which order was given
    order_ends: Tensor  # [n + 1]: the orders of row i end at i + 1
    group_ends: Tensor  # [n + 1]: likewise the groups
    policy_count: Tensor  # []: groups of the whole batch, at least 1: it is divided by
    value_count: Tensor  # []: rows of the whole batch

    def part(self, number: int, of: int) -> OrderBatch:
        """Part `number` of `of` about equal ones; the counts stay those of the whole."""
        n = len(self.features)
        begin, end = number * n // of, (number + 1) * n // of
        orders = slice(int(self.order_ends[begin]), int(self.order_ends[end]))
        groups = slice(int(self.group_ends[begin]), int(self.group_ends[end]))
        return OrderBatch(
            features=self.features[begin:end],
            targets=self.targets[begin:end],
            logit_ids=self.logit_ids[orders] - begin * LOGITS,
            group=self.group[orders] - groups.start,
            chosen=self.chosen[groups] - orders.start,
            order_ends=self.order_ends[begin : end + 1] - orders.start,
            group_ends=self.group_ends[begin : end + 1] - groups.start,
            policy_count=self.policy_count,
            value_count=self.value_count,
        )

    def to(self, device: torch.device) -> OrderBatch:
        """The batch there; the ends stay, as slicing wants them as plain numbers."""
        moved = {field.name: getattr(self, field.name).to(device) for field in fields(self)}
        return OrderBatch(**{**moved, "order_ends": self.order_ends, "group_ends": self.group_ends})


class BatchMaker:
    """Makes batches out of samples; one a thread. `bootstrap` is the share of the search's own values in a target."""

    def __init__(self, bootstrap: float, rules: int = RULES_3) -> None:
        self.bootstrap, self.rules = bootstrap, rules
        self._lists = new_lists()
        self._legal = np.zeros(MAX_ORDERS, np.int32)
        self._starts, self._places = np.zeros(MAX_GROUPS + 1, np.int64), np.zeros(MAX_GROUPS, np.int64)
        self._given = np.zeros(PROVINCE_COUNT, np.int32)
        self._make_room(ROOM)

    def _make_room(self, orders: int) -> None:
        self._logit_ids, self._group = np.zeros((orders, PARTS), np.int64), np.zeros(orders, np.int64)
        self._chosen = np.zeros(orders, np.int64)

    def make(self, samples: PhaseSamples) -> OrderBatch:
        """The batch of these samples."""
        ends = np.zeros((2, len(samples) + 1), np.int64)
        while not self._fill(samples, ends):
            self._make_room(2 * len(self._logit_ids))
        orders, groups = ends[:, -1]
        targets = (1 - self.bootstrap) * samples.outcomes + self.bootstrap * samples.estimates
        return OrderBatch(
            features=torch.from_numpy(encode(samples.states)),
            targets=torch.from_numpy(targets),
            logit_ids=torch.from_numpy(self._logit_ids[:orders].copy()),
            group=torch.from_numpy(self._group[:orders].copy()),
            chosen=torch.from_numpy(self._chosen[:groups].copy()),
            order_ends=torch.from_numpy(ends[0]),
            group_ends=torch.from_numpy(ends[1]),
            policy_count=torch.tensor(max(int(groups), 1)),
            value_count=torch.tensor(len(samples)),
        )

    def _fill(self, samples: PhaseSamples, ends: np.ndarray) -> bool:
        """List everything; False if there was not room enough."""
        numbers = np.arange(len(samples))
        memory = Listing(self._lists, self._legal, self._starts, self._places, self._given)
        lines = Lines(self._logit_ids, self._group, self._chosen, ends)
        return bool(add_rows(samples.states, numbers, samples.orders, samples.starts, self.rules, memory, lines) != FULL)
