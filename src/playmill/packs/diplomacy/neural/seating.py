"""Who plays the games of a run: RM+ as long as no network has passed a gate, then RM+ with the best one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from playmill.core.seeds import mix
from playmill.packs.diplomacy.neural.evaluator import DiplomacyEvaluator, open_evaluator
from playmill.packs.diplomacy.neural.guidance import GuidanceSettings
from playmill.packs.diplomacy.neural.players import make_guided_team
from playmill.packs.diplomacy.neural.run_settings import DiplomacyRunSettings
from playmill.packs.diplomacy.players.player import make_player
from playmill.packs.diplomacy.players.team import OpenPlayer
from playmill.packs.diplomacy.selfplay.settings import DiplomacyGameSettings, SearchBudget

if TYPE_CHECKING:
    from playmill.serve.opening import RemoteOpener

GAMES, TRAINING, GATES = range(3)  # streams of the run's seed


def seed_of(settings: DiplomacyRunSettings, stream: int, iteration: int) -> int:
    """The seed of one phase of an iteration."""
    return mix(mix(settings.seed, stream), iteration)


def game_settings(settings: DiplomacyRunSettings, iteration: int, model: str | None) -> DiplomacyGameSettings:
    """A game's settings in an iteration; the player's name tells which network played."""
    return DiplomacyGameSettings(
        seed=seed_of(settings, GAMES, iteration),
        player=f"neural {model}" if model else "rm_plus",
        polish_nodes=settings.search.polish_nodes,
        **dict(settings.selfplay.settings),
    )


def open_network(
    settings: DiplomacyRunSettings, path: Path | None, backend: str | None = None, opener: RemoteOpener | None = None
) -> DiplomacyEvaluator | None:
    """The network in a file, ready to answer; the settings say by which backend, unless it is given."""
    return None if path is None else open_evaluator(path, backend or settings.backend, settings.device, opener)


def lanes_of(settings: DiplomacyRunSettings, budget: SearchBudget, has_network: bool) -> int:
    """How many games a thread plays at once, in self-play and gates; games that share a clock would take each other's time."""
    return settings.selfplay.lanes if has_network and budget.is_reproducible else 1


def gate_players(settings: DiplomacyRunSettings, network: DiplomacyEvaluator | None, lanes: int) -> OpenPlayer:
    """What makes the players of a gate for each thread: guided if there is a network."""
    return _open_players(settings, network, lanes, GuidanceSettings(**dict(settings.guidance)))


def selfplay_players(settings: DiplomacyRunSettings, network: DiplomacyEvaluator | None, lanes: int) -> OpenPlayer:
    """The same for self-play, where a network's priors have noise."""
    own = settings.selfplay
    guidance = GuidanceSettings(**dict(settings.guidance), noise=own.noise, alpha=own.alpha)
    return _open_players(settings, network, lanes, guidance)


def _open_players(
    settings: DiplomacyRunSettings, network: DiplomacyEvaluator | None, lanes: int, guidance: GuidanceSettings
) -> OpenPlayer:
    search = settings.search.as_settings()
    if network is None:
        return partial(make_player, "rm_plus", settings=search)
    return partial(make_guided_team, network, search, guidance, lanes)
