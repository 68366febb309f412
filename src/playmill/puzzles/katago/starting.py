"""How the engine is started: its words, its environment, and what is set whatever its configuration says."""

from __future__ import annotations

from dataclasses import dataclass

from playmill.puzzles.katago.analysis import REPORTED_AS
from playmill.puzzles.katago.place import EnginePlace, home

# Winrates from a named side; no noise and one thread a search, so that a query has one answer. The engine's cache of network
# answers finds a position however it came about, while the network looks at the last moves: what was asked before would tell.
ALWAYS = {
    "reportAnalysisWinratesAs": REPORTED_AS,
    "wideRootNoise": "0.0",
    "nnRandomize": "false",
    "nnCacheSizePowerOfTwo": "-1",
    "numSearchThreadsPerAnalysisThread": "1",
}


@dataclass(frozen=True)
class Start:
    """What to start."""

    command: tuple[str, ...]
    environment: dict[str, str]


def start_of(place: EnginePlace) -> Start:
    """The words that start the analysis engine of a place; its compiled kernels and tuning files go into our folder."""
    here = home()
    for name in ("home", "pocl"):
        (here / name).mkdir(exist_ok=True)
    overrides = ALWAYS | {"homeDataDir": str(here / "home")}
    if place.tuner is not None:
        overrides["openclTunerFile"] = str(place.tuner)
    words = ",".join(f"{name}={value}" for name, value in overrides.items())
    paths = ("-config", str(place.config.absolute()), "-model", str(place.network.absolute()))
    command = (str(place.engine.absolute()), "analysis", *paths, "-override-config", words, "-quit-without-waiting")
    return Start(command, {"POCL_CACHE_DIR": str(here / "pocl")})
