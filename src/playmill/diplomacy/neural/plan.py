"""What a training is: its inputs, fixed before the first step and recorded, so that a restart goes on with the same ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playmill.diplomacy.neural.spec import DiplomacySpec
from playmill.train.settings import TrainSettings

BATCH_SIZE = 128  # positions: with some twenty units each, a step learns 2,500 orders


@dataclass(frozen=True)
class DiplomacyJob:
    """What somebody asks for: train `out` on the games in `data`, from `init` or from new weights."""

    data: tuple[Path, ...]
    out: Path
    settings: TrainSettings
    init: Path | None = None
    spec: DiplomacySpec = field(default_factory=DiplomacySpec)  # of a new network; `init` brings its own
    seed: int = 0
    iteration: int = 0
    steps: int | None = None  # instead of what the settings say
    validation: float = 0.1  # the share of games that are only looked at
    device: str = "cpu"
    config_hash: str | None = None
    commit: str | None = None


@dataclass(frozen=True)
class DiplomacyPlan:
    """Everything that decides the weights that come out, but for the device: equal plans are one training."""

    iteration: int
    seed: int
    parent: str  # weights_sha256 of the network that it starts from
    data: list[list[str]]  # file name and sha256 of each file
    validation: float
    samples: int
    steps_target: int
    steps_from: str
    settings: dict[str, Any]

    def record(self) -> dict[str, Any]:
        """The plan in plain values, as checkpoints and events hold it."""
        return dict(vars(self))
