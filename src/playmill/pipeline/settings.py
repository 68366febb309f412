"""One YAML file says everything about a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from playmill.arena.gate_settings import GateSettings
from playmill.core.errors import MAX_WORKERS, UsageError
from playmill.core.settings import Settings
from playmill.nets.spec import NetSpec
from playmill.packs.registry import pack_of
from playmill.runs.overrides import override
from playmill.runs.settings_file import SettingsFile, SettingsSource, describe_run, load, read_content
from playmill.search.settings import SearchSettings
from playmill.selfplay.settings import SelfPlaySettings
from playmill.serve.settings import InferSettings
from playmill.train.settings import TrainSettings


class ReplaySettings(Settings):
    """How much is kept."""

    capacity_shards: int | None = Field(None, ge=1, description="Keep the newest so many shards; default: all.")
    capacity_samples: int | None = Field(
        None, ge=1, description="Keep the newest shards with so many samples together, but always the last; default: all."
    )


class MeasureSettings(Settings):
    """Measuring the best by something outside the run, where the game's pack has a measure."""

    name: str | None = Field(None, description="Which of the game's measures; default: all.")
    games: int = Field(200, ge=0, description="Games a measurement; 0: none.")
    every: int = Field(1, ge=1, description="Measure after every so many iterations.")


class RunSettings(SettingsFile):
    """A run."""

    game: str = Field(description="A game from `playmill games`.")
    seed: int = Field(0, ge=0, lt=1 << 64, description="Same seed, same run.")
    iterations: int = Field(1, ge=1, description="How many in all; a run that has had them is done.")
    workers: int | None = Field(
        None,
        ge=1,
        le=MAX_WORKERS,
        description="Who play; default: all cores. No result depends on it.",
    )
    executor: Literal["threads", "ray"] = Field("threads", description="Who plays: threads, or workers of a Ray cluster.")
    ray_address: str | None = Field(
        None, description="ray: HOST:PORT of the cluster's head, or auto; default: RAY_ADDRESS, else a cluster of this machine."
    )
    backend: Literal["auto", "torch", "ort", "ort_int8"] = Field("auto", description="What runs the network.")
    device: str = Field("cpu", description="cpu or cuda.")
    net: NetSpec = Field(NetSpec(), description="The network.")
    search: SearchSettings = Field(SearchSettings(), description="How a move is found.")
    selfplay: SelfPlaySettings = Field(SelfPlaySettings(), description="Games an iteration.")
    train: TrainSettings = Field(TrainSettings(), description="Learning.")
    gate: GateSettings = Field(GateSettings(), description="Candidate against best.")
    replay: ReplaySettings = Field(ReplaySettings(), description="What is kept.")
    measure: MeasureSettings = Field(MeasureSettings(), description="The game's own measures.")
    infer: InferSettings = Field(InferSettings(), description="Where networks answer; no result depends on it.")
    keep_iterations: int = Field(
        10, ge=0, description="Keep the networks of the newest so many iterations as models/iter_N.pt; the first one stays."
    )

    def describe(self) -> dict[str, str]:
        """What a report tells of them."""
        opponent, search = self.selfplay.opponent, self.search.kind
        if opponent.share and opponent.search is not None:
            search += f", and {opponent.search.kind} in the opponent's seats"
        return describe_run(search, self.net, self.selfplay.games, self.gate.games, self.train.batch_size)


def load_settings(path: SettingsSource, overrides: Sequence[str] = ()) -> tuple[RunSettings, str]:
    """The settings in a YAML file, and its text; both with the `overrides`, such as `train.lr=0.01`, if there are any."""
    _load_pack(path)
    settings, text = load(RunSettings, path)
    return override(settings, overrides, path) if overrides else (settings, text)


def _load_pack(path: SettingsSource) -> None:
    """Load the game's pack: what it brings is to be known before settings that name it are read."""
    game = read_content(path)[0].get("game")
    if not isinstance(game, str):
        return
    try:
        pack = pack_of(game)
    except UsageError as error:
        raise UsageError(f"{path}: game: {error}") from None
    if pack.run is not None:
        raise UsageError(f"{path}: game: {game} has runs of its own kind; see `playmill run {path} --out FOLDER`")
