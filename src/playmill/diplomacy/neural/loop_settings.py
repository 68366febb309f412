"""One YAML file says everything about a run of self-play, training and gate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from playmill.core.errors import MAX_WORKERS
from playmill.core.settings import Settings
from playmill.diplomacy.neural.gate import GateSettings
from playmill.diplomacy.neural.guidance import GuidanceSettings
from playmill.diplomacy.neural.plan import BATCH_SIZE
from playmill.diplomacy.neural.spec import DiplomacySpec
from playmill.diplomacy.selfplay_settings import POLISH_NODES, SelfPlaySettings
from playmill.diplomacy.settings import SearchSettings
from playmill.pipeline.overrides import override
from playmill.pipeline.settings_file import LOOP, SettingsFile, load
from playmill.train.settings import TrainSettings


class LoopSearch(Settings):
    """How wide the searches are, in games and gates; the rest is as in `settings.SearchSettings`."""

    candidates: int = Field(16, ge=2, le=64, description="Order sets of a power.")
    temperature: float = Field(0.25, gt=0, description="Of the draws of candidates, in neutral centres.")
    seasons: int = Field(1, ge=1, le=4, description="Movement phases that the look-ahead plays.")
    polish_nodes: int = Field(
        POLISH_NODES,
        ge=0,
        description="What polishing a power's set may take: the network learns polished sets; 0: drawn ones.",
    )

    def as_settings(self) -> SearchSettings:
        levels = min(SearchSettings.levels, self.candidates - 1)  # a very narrow search has no room for all of them
        settings = SearchSettings(candidates=self.candidates, levels=levels, temperature=self.temperature, seasons=self.seasons)
        return settings.with_polish(self.polish_nodes)


class LoopSelfPlay(Settings):
    """Games an iteration, and what makes them differ from played ones."""

    games: int = Field(50, ge=1, description="Games an iteration.")
    settings: SelfPlaySettings = Field(
        SelfPlaySettings(), description="A game's; its seed, player and polishing follow from the run."
    )
    noise: float = Field(0.25, ge=0, le=1, description="Share of Dirichlet noise in the network's priors.")
    alpha: float = Field(0.3, gt=0, description="Dirichlet's parameter.")


class LoopSettings(SettingsFile):
    """A run."""

    game: Literal["diplomacy"] = Field("diplomacy", description="Always that.")
    seed: int = Field(0, ge=0, lt=1 << 64, description="Same seed, same run, unless a budget is a time.")
    iterations: int = Field(1, ge=1, description="How many in all; a run that has had them is done.")
    workers: int | None = Field(None, ge=1, le=MAX_WORKERS, description="Threads of self-play and gate; default: all cores.")
    backend: Literal["auto", "torch", "ort"] = Field("auto", description="What runs the network.")
    device: str = Field("cpu", description="cpu, cuda or auto.")
    net: DiplomacySpec = Field(DiplomacySpec(), description="The network.")
    search: LoopSearch = Field(LoopSearch(), description="RM+.")
    guidance: GuidanceSettings = Field(GuidanceSettings(), description="What the network has to say in it.")
    selfplay: LoopSelfPlay = Field(LoopSelfPlay(), description="Games an iteration.")
    train: TrainSettings = Field(TrainSettings(batch_size=BATCH_SIZE), description="Learning; a window counts files of games.")
    validation: float = Field(0.1, ge=0, lt=1, description="Share of games that are only looked at.")
    gate: GateSettings = Field(GateSettings(), description="Candidate against best.")


def load_settings(path: Path, overrides: Sequence[str] = ()) -> tuple[LoopSettings, str]:
    """The settings in a YAML file, and its text; both with the `overrides`, such as `train.lr=0.01`, if there are any."""
    settings, text = load(LoopSettings, path, LOOP)
    return override(settings, overrides, path) if overrides else (settings, text)
