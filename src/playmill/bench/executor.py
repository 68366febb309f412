"""What it costs to have tasks done by the workers of a Ray cluster instead of threads."""

from __future__ import annotations

import itertools
import os
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from playmill.bench.measure import Round, best_rates
from playmill.bench.nets import YATZY
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.core.executor import Executor
    from playmill.selfplay.shards import ShardsTask

GAMES = 128  # of a shard, which is a task: about a second, less than in real runs
LANES, SIMULATIONS = 64, 32
SHARDS = 1  # for each worker and round
MOST_CORES = 2


@benchmark("executor.ray", "x")
def ray_over_threads(setup: Setup) -> Measured:
    """Yatzy self-play on a Ray cluster of this machine over the same with threads, games for each second of processors."""
    require_extra("ray", "executor.ray")
    from playmill.core.cluster.connection import connected
    from playmill.core.executor import Threads
    from playmill.packs.registry import enter_packs

    cores = min(os.cpu_count() or 1, MOST_CORES)
    task = _task()
    with connected("local", cores, enter_packs) as workforce:
        sides = {"threads": _Playing(Threads(cores), task, cores), "ray": _Playing(workforce.open(cores), task, cores)}
        rates = best_rates(sides, setup.seconds)
    cpu = {name: side.cpu_ms_per_game for name, side in sides.items()}
    facts: dict[str, Any] = {
        "cores": cores,
        "games_of_a_task": GAMES,
        "games_per_s": rates,
        "wall_ratio": rates["ray"] / rates["threads"],
        "cpu_ms_per_game": cpu,
        "cpu_overhead": cpu["ray"] / cpu["threads"] - 1,
    }
    return Measured(cpu["threads"] / cpu["ray"], facts)


def _task() -> ShardsTask:
    """A shard of games with a network, as self-play would deal it out."""
    from playmill.nets.evaluators import open_evaluator
    from playmill.replay import ShardOrigin
    from playmill.search.settings import PuctSettings, SearchSettings
    from playmill.selfplay.plan import Plan
    from playmill.selfplay.settings import SelfPlaySettings
    from playmill.selfplay.shards import Learner, ShardsTask

    game, settings = YATZY.find_game(), SelfPlaySettings(games=GAMES, shard_games=GAMES, lanes=LANES)
    search = SearchSettings(puct=PuctSettings(budget=SIMULATIONS))
    maker = Learner(game, settings, search, open_evaluator(YATZY.checkpoint(), "ort").clone)
    return ShardsTask(game, settings, (maker,), Plan(0, 0, GAMES, GAMES), (0,), 1, ShardOrigin.of(game))


@dataclass(frozen=True)
class CostedTask:
    """A task of which the processor time is told, too."""

    task: ShardsTask


def play_costed(task: CostedTask) -> float:
    """Play the shards; return the processor time of the whole process meanwhile."""
    from playmill.selfplay.shards import play_shards

    began = time.process_time()
    play_shards(task.task)
    return time.process_time() - began


class _Playing:
    """A side: rounds of SHARDS tasks for each worker, always with other games."""

    def __init__(self, executor: Executor, task: ShardsTask, workers: int) -> None:
        self._executor, self._task, self._workers = executor, task, workers
        self._seeds = itertools.count(1)
        self._cpu_s, self._games, self._is_warm = 0.0, 0, False

    @property
    def cpu_ms_per_game(self) -> float:
        return 1000 * self._cpu_s / self._games

    def __call__(self, seconds: float) -> Round:
        games, began = 0, time.perf_counter()
        while not games or time.perf_counter() - began < seconds:
            games += self._play()
        return Round(games, time.perf_counter() - began)

    def _play(self) -> int:
        tasks = [CostedTask(replace(self._task, seed=next(self._seeds))) for _ in range(SHARDS * self._workers)]
        began = time.process_time()
        elsewhere = [cost for _, cost in self._executor.run(play_costed, tasks)]
        here = time.process_time() - began
        games = len(tasks) * GAMES
        if self._is_warm:  # the first ones load compiled code and packages
            self._cpu_s += here + (sum(elsewhere) if self._is_elsewhere else 0.0)
            self._games += games
        self._is_warm = True
        return games

    @property
    def _is_elsewhere(self) -> bool:
        """Whether tasks run in processes of their own; threads' time is this process's already."""
        from playmill.core.executor import Threads

        return not isinstance(self._executor, Threads)
