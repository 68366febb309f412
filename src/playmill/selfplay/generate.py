"""Self-play on all threads: shards are played one a thread and written as they are finished."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playmill.core.crew import Crew
from playmill.core.evaluation import Evaluator
from playmill.games.game import Game
from playmill.replay.meta import ShardOrigin
from playmill.replay.shard import list_shards, shard_index, write_shard
from playmill.search.decisions import Searcher
from playmill.search.make import make_searcher
from playmill.search.settings import SearchSettings
from playmill.selfplay.roots import part_path, write_part
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.turns import Shard


@dataclass(frozen=True)
class Plan:
    """The shards of one iteration: which games each holds. The same plan gives the same files, whoever carries it out."""

    first_shard: int
    first_game: int
    games: int
    shard_games: int

    @property
    def shards(self) -> int:
        return -(-self.games // self.shard_games)

    @property
    def indexes(self) -> range:
        """The numbers of its shards in the run."""
        return range(self.first_shard, self.first_shard + self.shards)

    def games_of(self, number: int) -> tuple[int, int]:
        """The first game of the plan's shard `number`, and how many it holds."""
        first = number * self.shard_games
        return self.first_game + first, min(self.shard_games, self.games - first)


def plan_iteration(settings: SelfPlaySettings, iteration: int) -> Plan:
    """What iteration `iteration` plays: the games and shards after those of the iterations before it."""
    shards = -(-settings.games // settings.shard_games)
    return Plan(iteration * shards, iteration * settings.games, settings.games, settings.shard_games)


@dataclass
class SelfPlayReport:
    """What was played now; shards that had been finished before are not in it."""

    games: int = 0
    samples: int = 0
    stats: dict[str, int] = field(default_factory=dict)
    is_whole: bool = True


class SelfPlay:
    """Carries out a plan. `open_evaluator` gives each thread an evaluator of its own.

    A shard's log of roots goes into the folder `root_parts` before the shard is written; `finished` hears the number of a shard
    that is there, one at a time.
    """

    def __init__(
        self,
        game: Game,
        settings: SelfPlaySettings,
        search: SearchSettings,
        open_evaluator: Callable[[], Evaluator],
        folder: Path,
        seed: int,
        origin: ShardOrigin,
        root_parts: Path | None = None,
        finished: Callable[[int], None] | None = None,
    ) -> None:
        self.game, self.settings, self.search = game, settings, search
        self.open_evaluator, self.folder, self.seed, self.origin = open_evaluator, folder, seed, origin
        self.root_parts, self.finished = root_parts, finished
        self._own = threading.local()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._ended: dict[int, int] = {}
        self.report = SelfPlayReport()

    def run(
        self, plan: Plan, workers: int, progress: Callable[[int], None] | None = None, only: list[int] | None = None
    ) -> SelfPlayReport:
        """Play the shards of the plan that are not there yet, or `only` these; `progress` hears how many games have ended."""
        missing, before = self._missing(plan) if only is None else only, self.games_there(plan)
        if not missing:
            return self.report

        def work(first: int, count: int) -> int:
            return sum(self._play(plan, missing[i]) for i in range(first, first + count))

        def tell(_: int) -> None:
            if progress is not None:
                progress(before + sum(self._ended.values()))

        self.report.is_whole = Crew(0, len(missing), work, self._stopped.set).run(workers, progress=tell)
        return self.report

    def games_there(self, plan: Plan) -> int:
        """How many games of the plan had been played before."""
        return plan.games - sum(plan.games_of(n)[1] for n in self._missing(plan))

    def _missing(self, plan: Plan) -> list[int]:
        there = {shard_index(path) for path in list_shards(self.folder)}
        return [n for n in range(plan.shards) if plan.first_shard + n not in there]

    def _searcher(self) -> Searcher:
        """This thread's own searcher, made on first use: its trees and buffers serve all its shards."""
        if not hasattr(self._own, "searcher"):
            slots = min(self.settings.slots, self.settings.shard_games)
            self._own.searcher = make_searcher(self.game, self.search, self.open_evaluator(), slots)
        searcher: Searcher = self._own.searcher
        return searcher

    def _play(self, plan: Plan, number: int) -> int:
        first, count = plan.games_of(number)
        shard = Shard(self.game, self._searcher(), self.settings, self.seed, first, count)
        data = shard.play(lambda ended: self._ended.__setitem__(number, ended), self._stopped.is_set)
        if data is None:
            return 0
        index = plan.first_shard + number
        if self.root_parts is not None:
            write_part(part_path(self.root_parts, index), self.origin.iteration, shard.roots)
        write_shard(self.folder, index, data, self.origin)
        with self._lock:
            if self.finished is not None:
                self.finished(index)
            self.report.games += count
            self.report.samples += len(data.samples.features)
            for name, value in shard.stats.items():
                self.report.stats[name] = self.report.stats.get(name, 0) + value
        return 1
