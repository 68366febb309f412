"""One YAML file says everything about a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from playmill.arena.gate_settings import GateSettings
from playmill.core.errors import MAX_WORKERS
from playmill.core.settings import Settings
from playmill.nets.spec import NetSpec
from playmill.pipeline.overrides import override
from playmill.pipeline.settings_file import RUN, SettingsFile, load
from playmill.search.settings import SearchSettings
from playmill.selfplay.settings import SelfPlaySettings
from playmill.train.settings import TrainSettings


class ReplaySettings(Settings):
    """How much is kept."""

    capacity_shards: int | None = Field(None, ge=1, description="Keep the newest so many shards; default: all.")


class OracleSettings(Settings):
    """Measuring against the solved game, where there is one."""

    games: int = Field(200, ge=0, description="Games a measurement; 0: none.")
    every: int = Field(1, ge=1, description="Measure after every so many iterations.")


class RunSettings(SettingsFile):
    """A run."""

    game: str = Field(description="A game from `playmill games`.")
    seed: int = Field(0, ge=0, lt=1 << 64, description="Same seed, same run.")
    iterations: int = Field(1, ge=1, description="How many in all; a run that has had them is done.")
    workers: int | None = Field(None, ge=1, le=MAX_WORKERS, description="Threads; default: all cores. No result depends on it.")
    backend: Literal["auto", "torch", "ort", "ort_int8"] = Field("auto", description="What runs the network.")
    device: str = Field("cpu", description="cpu or cuda.")
    net: NetSpec = Field(NetSpec(), description="The network.")
    search: SearchSettings = Field(SearchSettings(), description="How a move is found.")
    selfplay: SelfPlaySettings = Field(SelfPlaySettings(), description="Games an iteration.")
    train: TrainSettings = Field(TrainSettings(), description="Learning.")
    gate: GateSettings = Field(GateSettings(), description="Candidate against best.")
    replay: ReplaySettings = Field(ReplaySettings(), description="What is kept.")
    oracle: OracleSettings = Field(OracleSettings(), description="Against the solved game.")


def load_settings(path: Path, overrides: Sequence[str] = ()) -> tuple[RunSettings, str]:
    """The settings in a YAML file, and its text; both with the `overrides`, such as `train.lr=0.01`, if there are any."""
    settings, text = load(RunSettings, path, RUN)
    return override(settings, overrides, path) if overrides else (settings, text)
