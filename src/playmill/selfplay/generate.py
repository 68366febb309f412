"""Self-play on all threads: each plays a cohort without end, shard after shard, and writes shards as they are finished."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from playmill.core.crew import Crew
from playmill.core.evaluation import Evaluator
from playmill.core.seeds import mix
from playmill.games.game import Game
from playmill.play.bots import SearchBot
from playmill.play.cohort import Cohort, run_in_turn
from playmill.play.player import MakePlayer, Player
from playmill.play.recorder import Games
from playmill.replay.meta import ShardOrigin
from playmill.replay.shard import list_shards, shard_index, write_shard
from playmill.replay.tables import ShardData
from playmill.search.make import make_searcher
from playmill.search.settings import SearchSettings
from playmill.selfplay.recorder import OpenShard, ShardRecorder
from playmill.selfplay.roots import part_path, write_part
from playmill.selfplay.settings import SelfPlaySettings


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

    def add_stats(self, more: dict[str, int]) -> None:
        for name, value in more.items():
            self.stats[name] = self.stats.get(name, 0) + value


def learner(
    game: Game, settings: SelfPlaySettings, search: SearchSettings, open_evaluator: Callable[[], Evaluator]
) -> MakePlayer:
    """Makes players that explore: a search with noise, moves drawn as the settings say; each has an evaluator of its own."""

    def make(lanes: int) -> Player:
        searcher = make_searcher(game, search, open_evaluator(), lanes)
        return SearchBot(searcher, settings.temperature, explore=settings.explore, with_noise=True)

    return make


def games_of_run(game: Game, seed: int, first: int, count: int) -> Games:
    """The games first..first+count-1 of a run with this seed: the first player in all seats."""
    seeds = np.array([mix(seed, first + i) for i in range(count)], np.uint64)
    return Games(np.arange(first, first + count), seeds, np.zeros((count, game.players), np.int8))


def play_shard(
    game: Game, players: Sequence[Player], settings: SelfPlaySettings, games: Games, lanes: int
) -> tuple[ShardData, OpenShard]:
    """One shard by itself, here and now."""
    found: list[tuple[ShardData, OpenShard]] = []
    recorder = ShardRecorder(game, players, settings, lanes, lambda shard, data: found.append((data, shard)))
    cohort = Cohort(game, players, iter([recorder.open(games)]), lanes, recorder, is_strict=False)
    for _ in run_in_turn([cohort]):
        pass
    return found[0]


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
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._recorders: list[ShardRecorder] = []
        self.report = SelfPlayReport()

    def run(
        self, plan: Plan, workers: int, progress: Callable[[int], None] | None = None, only: list[int] | None = None
    ) -> SelfPlayReport:
        """Play the shards of the plan that are not there yet, or `only` these; `progress` hears how many games have ended."""
        missing, before = self._missing(plan) if only is None else only, self.games_there(plan)
        if not missing:
            return self.report
        shares = [missing[i::workers] if i < workers else [] for i in range(len(missing))]

        def work(first: int, count: int) -> int:
            return sum(self._play(plan, shares[i]) for i in range(first, first + count))

        def tell(_: int) -> None:
            if progress is not None:
                progress(before + sum(recorder.games_ended for recorder in self._recorders))

        self.report.is_whole = Crew(0, len(shares), work, self._stopped.set).run(workers, progress=tell)
        for recorder in self._recorders:
            self.report.add_stats(recorder.stats)
        return self.report

    def games_there(self, plan: Plan) -> int:
        """How many games of the plan had been played before."""
        return plan.games - sum(plan.games_of(n)[1] for n in self._missing(plan))

    def _missing(self, plan: Plan) -> list[int]:
        there = {shard_index(path) for path in list_shards(self.folder)}
        return [n for n in range(plan.shards) if plan.first_shard + n not in there]

    def _play(self, plan: Plan, shards: list[int]) -> int:
        """Play these shards of the plan in this thread, lanes going on from one to the next; return 1, or 0 if stopped."""
        if not shards:
            return 1
        lanes = min(self.settings.lanes, sum(plan.games_of(number)[1] for number in shards))
        claims = iter(shards)
        cohorts = [self._cohort(plan, claims, lanes)]
        cohorts += [self._cohort(plan, claims, lanes) for _ in range(1, max(player.in_turn for player in cohorts[0].players))]
        for _ in run_in_turn(cohorts):
            if self._stopped.is_set():
                return 0
        return 1

    def _cohort(self, plan: Plan, claims: Iterator[int], lanes: int) -> Cohort:
        """Games in so many lanes, of one shard after the other as they are claimed."""
        players = [make(lanes) for make in self.makers]
        recorder = ShardRecorder(self.game, players, self.settings, lanes, lambda shard, data: self._write(plan, shard, data))
        self._recorders.append(recorder)
        supply = (recorder.open(games_of_run(self.game, self.seed, *plan.games_of(number))) for number in claims)
        return Cohort(self.game, players, supply, lanes, recorder, is_strict=False)

    def _write(self, plan: Plan, shard: OpenShard, data: ShardData) -> None:
        """Write what a shard has become; from then on it counts."""
        index = plan.first_shard + (shard.first - plan.first_game) // plan.shard_games
        if self.root_parts is not None:
            write_part(part_path(self.root_parts, index), self.origin.iteration, shard.roots)
        write_shard(self.folder, index, data, self.origin)
        with self._lock:
            if self.finished is not None:
                self.finished(index)
            self.report.games += shard.count
            self.report.samples += len(data.samples)
