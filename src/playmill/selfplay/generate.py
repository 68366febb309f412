"""Self-play by all workers: each plays its share of an iteration's shards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playmill.core.executor import run
from playmill.games.game import Game
from playmill.play.player import MakePlayer
from playmill.replay.meta import ShardOrigin
from playmill.replay.shard import list_shards, shard_index, write_packed
from playmill.runs.watcher import Tell
from playmill.selfplay.plan import Plan
from playmill.selfplay.roots import part_path, write_part
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.shards import Ended, FinishedShard, ShardsTask, add_up, play_shards


@dataclass
class SelfPlayReport:
    """What was played now; shards that had been finished before are not in it."""

    games: int = 0
    samples: int = 0
    stats: dict[str, int] = field(default_factory=dict)
    is_whole: bool = True


class SelfPlay:
    """Carries out a plan. `makers` make the players, a set of them for each thread.

    A shard's log of roots goes into the folder `root_parts` before the shard is written; `finished` hears the number of a shard
    that is there, one at a time.
    """

    def __init__(
        self,
        game: Game,
        settings: SelfPlaySettings,
        makers: Sequence[MakePlayer],
        folder: Path,
        seed: int,
        origin: ShardOrigin,
        root_parts: Path | None = None,
        finished: Callable[[int], None] | None = None,
    ) -> None:
        self.game, self.settings, self.makers = game, settings, makers
        self.folder, self.seed, self.origin = folder, seed, origin
        self.root_parts, self.finished = root_parts, finished
        self.report = SelfPlayReport()

    def run(self, plan: Plan, workers: int, progress: Tell | None = None, only: list[int] | None = None) -> SelfPlayReport:
        """Play the shards of the plan that are not there yet, or `only` these.

        `progress` hears how many games have ended, and what searches have counted so far.
        """
        missing, ended = self._missing(plan) if only is None else only, self.games_there(plan)
        counted: dict[str, int] = {}

        def hear(_: int, news: Ended | FinishedShard) -> None:
            nonlocal ended, counted
            if isinstance(news, FinishedShard):
                self._enter(news)
                return
            ended, counted = ended + news.games, add_up([counted, news.stats])
            if progress is not None:
                progress(ended, **counted)

        try:
            stats = [found for _, found in run(play_shards, self._tasks(plan, missing, workers), workers, hear=hear)]
            self.report.stats = add_up(stats)
        except KeyboardInterrupt:
            self.report.is_whole = False
        return self.report

    def games_there(self, plan: Plan) -> int:
        """How many games of the plan had been played before."""
        return plan.games - sum(plan.games_of(n)[1] for n in self._missing(plan))

    def _missing(self, plan: Plan) -> list[int]:
        there = {shard_index(path) for path in list_shards(self.folder)}
        return [n for n in range(plan.shards) if plan.first_shard + n not in there]

    def _tasks(self, plan: Plan, missing: list[int], workers: int) -> list[ShardsTask]:
        """The missing shards, dealt out in turn: a task for each worker, so that its lanes never run empty in between."""
        shares = [tuple(missing[first::workers]) for first in range(min(workers, len(missing)))]
        return [
            ShardsTask(
                self.game, self.settings, self.makers, plan, numbers, self.seed, self.origin, self.root_parts is not None
            )
            for numbers in shares
        ]

    def _enter(self, shard: FinishedShard) -> None:
        if self.root_parts is not None:
            write_part(part_path(self.root_parts, shard.index), shard.roots)
        write_packed(self.folder, shard.index, shard.files)
        if self.finished is not None:
            self.finished(shard.index)
        self.report.games += shard.games
        self.report.samples += shard.samples
