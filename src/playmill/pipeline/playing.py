"""One iteration's self-play in a run folder, for the controller and for whoever wants only that."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from playmill.core.errors import PlaymillError
from playmill.core.events import EventLog
from playmill.core.seeds import mix
from playmill.games.game import Game
from playmill.nets.checkpoint import Checkpoint, make_checkpoint
from playmill.nets.evaluators import open_evaluator
from playmill.nets.face import Evaluator
from playmill.nets.model import build_net
from playmill.pipeline.folder import RunFolder
from playmill.pipeline.settings import RunSettings
from playmill.pipeline.streams import GAMES, WEIGHTS
from playmill.replay import ShardOrigin, list_shards, prepare_folder, read_meta
from playmill.replay.shard import shard_index
from playmill.selfplay.generate import Plan, SelfPlay, plan_iteration

# Given how many games there are, and how many had been played before: who hears how many have ended.
Watch = Callable[[int, int], AbstractContextManager[Callable[[int], None] | None]]


class Interrupted(PlaymillError):
    """The user stopped the work; starting it again goes on."""

    exit_code = 130


@dataclass(frozen=True)
class Played:
    """An iteration's games. `played` and what follows is what this call did; shards that were there took it no time."""

    games: int
    samples: int
    backend: str
    played: int
    played_samples: int
    seconds: float
    stats: dict[str, int] = field(default_factory=dict)

    @property
    def games_s(self) -> float | None:
        """Games a second, None if all had been played before."""
        return self.played / self.seconds if self.played else None


def first_network(game: Game, settings: RunSettings, config_hash: str | None = None, commit: str | None = None) -> Checkpoint:
    """The network that a run with these settings begins with."""
    net = build_net(game, settings.net, mix(settings.seed, WEIGHTS) >> 1)
    return make_checkpoint(game, settings.net, net, config_hash=config_hash, commit=commit)


def play_iteration(
    folder: RunFolder, game: Game, settings: RunSettings, best: Checkpoint, iteration: int, workers: int, watch: Watch
) -> Played:
    """Play the games of the iteration that are missing; raises Interrupted if the user stops it."""
    prepare_folder(folder.replay)
    selfplay = settings.selfplay.in_iteration(iteration)
    plan = plan_iteration(selfplay, iteration)
    evaluator = open_evaluator(best, settings.backend, settings.device, game=game)
    origin = _origin(game, settings, best, iteration, evaluator)
    began = time.perf_counter()
    with EventLog(folder.roots) as roots:
        player = SelfPlay(game, selfplay, settings.search, evaluator.clone, folder.replay, origin.seed, origin, roots)
        with watch(plan.games, player.games_there(plan)) as progress:
            report = player.run(plan, workers, progress)
    if not report.is_whole:
        raise Interrupted("interrupted; start the same command again to go on")
    samples, seconds = _samples_of(folder, plan), time.perf_counter() - began
    return Played(plan.games, samples, evaluator.backend, report.games, report.samples, seconds, report.stats)


def _origin(game: Game, settings: RunSettings, best: Checkpoint, iteration: int, evaluator: Evaluator) -> ShardOrigin:
    return ShardOrigin.of(
        game,
        iteration=iteration,
        seed=mix(settings.seed, GAMES),
        model=best.meta.weights_sha256,
        search={**settings.search.model_dump(mode="json"), "backend": evaluator.backend},
    )


def _samples_of(folder: RunFolder, plan: Plan) -> int:
    numbers = range(plan.first_shard, plan.first_shard + plan.shards)
    return sum(read_meta(path).samples for path in list_shards(folder.replay) if shard_index(path) in numbers)
