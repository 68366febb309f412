"""Training a network on recorded games: what is learnt, for the engine's own training loop (`train/trainer.py`).

A sample is a position with seven powers' orders at once, each unit's among its own legal ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from playmill.packs.diplomacy.neural.batches import BatchMaker, OrderBatch
from playmill.packs.diplomacy.neural.checkpoint import DiplomacyCheckpoint, load, make_checkpoint
from playmill.packs.diplomacy.neural.game_reader import GameReader, hash_files, index_games
from playmill.packs.diplomacy.neural.losses import LOSSES, compute_losses, judge_choices
from playmill.packs.diplomacy.neural.model import DiplomacyNet, build_net
from playmill.packs.diplomacy.neural.spec import DiplomacySpec
from playmill.packs.diplomacy.neural.train_settings import DiplomacyTrainSettings
from playmill.packs.diplomacy.neural.validation import validate
from playmill.replay.sampling import SampleOrder
from playmill.train.feed import ahead
from playmill.train.passes import PassResult, gradients_of
from playmill.train.plan import make_plan


@dataclass(frozen=True)
class DiplomacyJob:
    """What somebody asks for: train `candidate` on the games in `data`, from `parent` or from new weights."""

    data: tuple[Path, ...]
    candidate: Path
    settings: DiplomacyTrainSettings
    parent: Path | None = None
    spec: DiplomacySpec = field(default_factory=DiplomacySpec)  # of a new network; `parent` brings its own
    seed: int = 0
    iteration: int = 0
    steps: int | None = None  # instead of what the settings say
    device: str = "cpu"
    config_hash: str | None = None
    commit: str | None = None
    steps_before: int = 0  # of the run

    def open(self) -> GamesLearningTask:
        """What is learnt from the games."""
        return GamesLearningTask(self)


class GamesLearningTask:
    """The task of a `DiplomacyJob`: the games are counted at once, and read when their turn comes."""

    is_ragged = True
    losses = LOSSES

    def __init__(self, job: DiplomacyJob) -> None:
        self.job = job
        self.start: DiplomacyCheckpoint = (
            load(job.parent) if job.parent else make_checkpoint(job.spec, build_net(job.spec, job.seed >> 1))
        )
        trained, kept = index_games(job.data, job.settings.validation)
        self.games, self.kept = GameReader(trained), GameReader(kept)
        self.plan = make_plan(job, self.start, hash_files(job.data), len(self.games))

    def batches(self, steps: range, pin: bool) -> Iterator[OrderBatch]:
        settings = self.job.settings
        order, maker = SampleOrder(self.games.block_starts, self.plan.seed), BatchMaker(settings.bootstrap)
        return ahead(lambda step: maker.make(self.games.rows(order.numbers(step, settings.batch_size))), steps)

    def learn(self, net: nn.Module, parameters: list[nn.Parameter], batch: OrderBatch) -> PassResult:
        batch = batch.to(parameters[0].device)
        scores, values = net(batch.features)
        choices = judge_choices(scores, batch)
        losses = compute_losses(choices, values, batch, self.job.settings)
        gradients = gradients_of(losses[0], parameters)
        return PassResult(losses.detach(), gradients, choices.hits)

    def facts(self, answers: Tensor, batch: OrderBatch) -> dict[str, float]:
        """How many of the batch's orders the network would have told."""
        return {"accuracy": answers.float().mean().item()} if len(answers) else {}

    def validate(self, net: nn.Module) -> dict[str, Any]:
        assert isinstance(net, DiplomacyNet)
        return asdict(validate(net, self.kept)) if len(self.kept) else {}

    def load(self, path: Path) -> DiplomacyCheckpoint:
        return load(path)

    def checkpoint(self, net: nn.Module, **fields: Any) -> DiplomacyCheckpoint:
        assert isinstance(net, DiplomacyNet)
        return make_checkpoint(self.start.spec, net, **fields)
