"""One YAML file says everything about a run of self-play, training and gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from playmill.core.errors import MAX_WORKERS
from playmill.core.settings import Settings
from playmill.packs.diplomacy.neural.gate import SeatGateSettings
from playmill.packs.diplomacy.neural.guidance import GuidanceShares
from playmill.packs.diplomacy.neural.spec import DiplomacySpec
from playmill.packs.diplomacy.neural.train_settings import DiplomacyTrainSettings
from playmill.packs.diplomacy.search.settings import OrderSearchSettings
from playmill.packs.diplomacy.selfplay.settings import POLISH_NODES, GameCourse
from playmill.runs.overrides import override
from playmill.runs.settings_file import SettingsFile, SettingsSource, describe_run, load
from playmill.serve.settings import InferSettings

MAX_LANES = 256  # a game's search takes some megabytes


class RunSearch(Settings):
    """How wide the searches are, in games and gates; the rest is as in `OrderSearchSettings`."""

    candidates: int = Field(16, ge=2, le=64, description="Order sets of a power.")
    temperature: float = Field(0.25, gt=0, description="Of the draws of candidates, in neutral centres.")
    seasons: int = Field(1, ge=1, le=4, description="Movement phases that the look-ahead plays.")
    polish_nodes: int = Field(
        POLISH_NODES,
        ge=0,
        description="What polishing a power's set may take: the network learns polished sets; 0: drawn ones.",
    )

    def as_settings(self) -> OrderSearchSettings:
        levels = min(OrderSearchSettings.levels, self.candidates - 1)  # a very narrow search has no room for all of them
        settings = OrderSearchSettings(
            candidates=self.candidates, levels=levels, temperature=self.temperature, seasons=self.seasons
        )
        return settings.with_polish(self.polish_nodes)


class RunSelfPlay(Settings):
    """Games an iteration, and what makes them differ from played ones."""

    games: int = Field(50, ge=1, description="Games an iteration.")
    settings: GameCourse = Field(GameCourse(), description="A game's; its seed, player and polishing follow from the run.")
    noise: float = Field(0.25, ge=0, le=1, description="Share of Dirichlet noise in the network's priors.")
    alpha: float = Field(0.3, gt=0, description="Dirichlet's parameter.")
    lanes: int = Field(
        8,
        ge=1,
        le=MAX_LANES,
        description="Games that a thread plays at once, sharing the network's passes; no game depends on it.",
    )


class DiplomacyRunSettings(SettingsFile):
    """A run."""

    game: Literal["diplomacy"] = Field(description="Always that.")
    seed: int = Field(0, ge=0, lt=1 << 64, description="Same seed, same run, unless a budget is a time.")
    iterations: int = Field(1, ge=1, description="How many in all; a run that has had them is done.")
    workers: int | None = Field(None, ge=1, le=MAX_WORKERS, description="Of self-play and gate; default: all cores.")
    executor: Literal["threads", "ray"] = Field("threads", description="Who plays: threads, or workers of a Ray cluster.")
    ray_address: str | None = Field(
        None, description="ray: HOST:PORT of the cluster's head, or auto; default: RAY_ADDRESS, else a cluster of this machine."
    )
    backend: Literal["auto", "torch", "ort"] = Field("auto", description="What runs the network.")
    device: str = Field("cpu", description="cpu, cuda or auto.")
    net: DiplomacySpec = Field(DiplomacySpec(), description="The network.")
    search: RunSearch = Field(RunSearch(), description="RM+.")
    guidance: GuidanceShares = Field(GuidanceShares(), description="What the network has to say in it.")
    selfplay: RunSelfPlay = Field(RunSelfPlay(), description="Games an iteration.")
    train: DiplomacyTrainSettings = Field(DiplomacyTrainSettings(), description="Learning from the recorded games.")
    gate: SeatGateSettings = Field(SeatGateSettings(), description="Candidate against best.")
    infer: InferSettings = Field(InferSettings(), description="Where networks answer; no result depends on it.")

    def describe(self) -> dict[str, str]:
        """What a report tells of them."""
        return describe_run("rm_plus", self.net, self.selfplay.games, self.gate.games, self.train.batch_size)


def load_settings(path: SettingsSource, overrides: Sequence[str] = ()) -> tuple[DiplomacyRunSettings, str]:
    """The settings in a YAML file, and its text; both with the `overrides`, such as `train.lr=0.01`, if there are any."""
    settings, text = load(DiplomacyRunSettings, path)
    return override(settings, overrides, path) if overrides else (settings, text)
