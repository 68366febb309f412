"""Learning from replay shards: a game's policy and the heads of its network."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from playmill.core.errors import PlaymillError
from playmill.nets.checkpoint import Checkpoint, load_checkpoint, make_checkpoint
from playmill.nets.kinds import NET_KINDS
from playmill.nets.model import Net
from playmill.replay import ReplayReader, SampleOrder, read_meta
from playmill.train.device import forward, pick_device, trains_in_halves
from playmill.train.feed import Feed, TensorBatch
from playmill.train.losses import compute_losses, loss_names, policy_facts
from playmill.train.passes import PassResult, gradients_of
from playmill.train.plan import TrainJob, make_plan
from playmill.train.targets import HeadTargets

# Threads that encode for a GPU: 75 planes take 8 us a position, a step 20 us or less. On a CPU the steps need all cores.
MOST_READERS = 8


class ReplayTask:
    """The task of a `TrainJob`; the shards' metas are read at once, their data is not."""

    is_ragged = False

    def __init__(self, job: TrainJob) -> None:
        self.job = job
        self.start: Checkpoint = load_checkpoint(job.parent, job.game)
        self.heads = self.start.meta.heads
        self.losses = loss_names(self.heads)
        if not job.shards:
            raise PlaymillError(f"{job.game.name}: training expects at least one replay shard, got none")
        metas = [read_meta(path, job.game) for path in job.shards]
        snapshot = tuple((path.name, meta.sha256) for path, meta in zip(job.shards, metas, strict=True))
        self.plan = make_plan(job, self.start, snapshot, sum(meta.samples for meta in metas))

    @functools.cached_property
    def feed(self) -> Feed:
        """What makes the batches; the shards are opened, and read once to check them, when it is first asked for."""
        job = self.job
        on_gpu = pick_device(job.device).type == "cuda"
        reader = ReplayReader(job.shards, job.game, min(os.cpu_count() or 1, MOST_READERS) if on_gpu else 1)
        order = SampleOrder(reader.block_starts, self.plan.seed)
        targets = HeadTargets(job.game, self.heads, reader.target_names, job.settings.bootstrap)
        is_halved = on_gpu and trains_in_halves() and NET_KINDS.find(self.start.spec.kind).rounds_features
        return Feed(reader, order, targets, job.settings, is_halved)

    def batches(self, steps: range, pin: bool) -> Iterator[TensorBatch]:
        return self.feed.batches(steps, pin)

    def learn(self, net: nn.Module, parameters: list[nn.Parameter], batch: TensorBatch) -> PassResult:
        assert isinstance(net, Net)
        logits, values = forward(net, batch.features, batch.policy_rows)
        losses = compute_losses(logits, values, batch, self.heads, self.job.settings, net.players)
        gradients = gradients_of(losses["total"], parameters)
        return PassResult(torch.stack(list(losses.values())).detach(), gradients, logits.detach())

    def facts(self, answers: Tensor, batch: TensorBatch) -> dict[str, float]:
        return policy_facts(answers, batch)

    def validate(self, net: nn.Module) -> dict[str, Any]:
        return {}  # gates and measures tell how good a network is

    def load(self, path: Path) -> Checkpoint:
        return load_checkpoint(path)

    def checkpoint(self, net: nn.Module, **fields: Any) -> Checkpoint:
        assert isinstance(net, Net)
        return make_checkpoint(self.job.game, self.start.spec, net, **fields)
