"""How much of a GPU's own rate is left when its network plays against itself."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Any

from playmill.bench.measure import Paced, best_rates
from playmill.bench.nets import BenchNet, exchange_net
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.bench.threads import OnThreads
from playmill.core.extras import MissingExtra, require_extra

if TYPE_CHECKING:
    from playmill.nets.net_evaluator import NetEvaluator

LANES, INFLIGHT = 512, 4  # of a cohort: batches of 2,048 rows
SIMULATIONS = 100
MOVES = 4
MOST_THREADS = 16


@benchmark("selfplay.cuda.256x12", "x")
def large(setup: Setup) -> Measured:
    """Positions answered in connect four self-play over the raw rate of the same 256x12 net on a GPU."""
    return _efficiency(setup, _connect_four(256, 12))


@benchmark("selfplay.cuda.64x4", "x")
def small(setup: Setup) -> Measured:
    """The same for a 64x4 board net."""
    return _efficiency(setup, _connect_four(64, 4))


@benchmark("selfplay.cuda.exchange.256x12", "x")
def exchange(setup: Setup) -> Measured:
    """The same for EXCHANGE and its 256x12 board net."""
    return _efficiency(setup, exchange_net(256, 12))


def _connect_four(channels: int, blocks: int) -> BenchNet:
    return BenchNet("connect_four", {"kind": "conv", "channels": channels, "blocks": blocks, "hidden": 256})


class Cohorts:
    """Self-play of one thread: as many cohorts in turn as the evaluator asks for, new games from their start."""

    def __init__(self, net: BenchNet, evaluator: NetEvaluator) -> None:
        from playmill.search.settings import PuctSettings, SearchSettings
        from playmill.selfplay.settings import SelfPlaySettings
        from playmill.selfplay.shards import Learner

        self._game, self._settings, self._seed = net.find_game(), SelfPlaySettings(), 0
        search = SearchSettings(puct=PuctSettings(budget=SIMULATIONS, inflight=INFLIGHT))
        learner = Learner(self._game, self._settings, search, evaluator.clone)
        self._players = [[learner(LANES)] for _ in range(evaluator.in_turn)]

    def __call__(self, size: int) -> int:
        """Play `size` times MOVES moves in each game; return how many positions the network answered."""
        from playmill.play.cohort import Cohort, run_in_turn
        from playmill.selfplay.recorder import ShardRecorder
        from playmill.selfplay.shards import games_of_run

        cohorts, recorders = [], []
        for players in self._players:
            self._seed += 1
            recorder = ShardRecorder(self._game, players, self._settings, LANES, lambda _shard, _data: None)
            games = recorder.open(games_of_run(self._game, self._settings, self._seed, 0, size * LANES))
            cohorts.append(Cohort(self._game, players, iter([games]), LANES, recorder, is_strict=False))
            recorders.append(recorder)
        for _ in islice(run_in_turn(cohorts), size * MOVES * len(cohorts)):
            pass
        return sum(recorder.stats["evaluations"] for recorder in recorders)


class Raw:
    """The bare network in one thread, on full batches, as many out at a time as self-play has."""

    def __init__(self, net: BenchNet, evaluator: NetEvaluator) -> None:
        from playmill.bench.positions import features_of

        game = net.find_game()
        self._evaluator = evaluator.clone()
        self._buffers = [self._evaluator.open_buffer(game, LANES * INFLIGHT) for _ in range(evaluator.in_turn)]
        features = features_of(game, 64)
        for buffer in self._buffers:
            buffer.features[:] = features[[i % 64 for i in range(LANES * INFLIGHT)]]

    def __call__(self, size: int) -> int:
        for buffer in self._buffers:
            self._evaluator.submit(buffer, LANES * INFLIGHT)
        for _ in range(size):
            for buffer in self._buffers:
                self._evaluator.collect(buffer)
                self._evaluator.submit(buffer, LANES * INFLIGHT)
        for buffer in self._buffers:
            self._evaluator.collect(buffer)
        return (size + 1) * len(self._buffers) * LANES * INFLIGHT


def _efficiency(setup: Setup, net: BenchNet) -> Measured:
    """Self-play and the bare network in turns, on the threads that there are cores for."""
    evaluator = _open(net)
    threads = min(os.cpu_count() or 1, MOST_THREADS)
    sides = {"selfplay": OnThreads([Cohorts(net, evaluator) for _ in range(threads)]), "raw": OnThreads([Raw(net, evaluator)])}
    rates = best_rates({name: Paced(side) for name, side in sides.items()}, setup.seconds)
    facts: dict[str, Any] = {
        "lanes": LANES,
        "batch": LANES * INFLIGHT,
        "simulations": SIMULATIONS,
        "threads": threads,
        "evals_per_s": rates["selfplay"],
        "raw_evals_per_s": rates["raw"],
        "raw_tflops": rates["raw"] * _operations(net) / 1e12,
        "cores_used": sides["selfplay"].cores_used,
    }
    return Measured(rates["selfplay"] / rates["raw"], facts)


def _open(net: BenchNet) -> NetEvaluator:
    """A new network on the GPU."""
    require_gpu()
    from playmill.nets.evaluators import open_evaluator

    return open_evaluator(net.checkpoint(), "auto", "cuda", game=net.find_game(), rows=LANES * INFLIGHT)


def require_gpu() -> None:
    """Leave a benchmark out where there is no GPU."""
    require_extra("nets", "a benchmark of a GPU", ["torch"])
    import torch

    if not torch.cuda.is_available():
        raise MissingExtra("it needs a GPU that torch can use")


def _operations(net: BenchNet) -> int:
    """Floating-point operations of the stem and the blocks for one position, two for each product."""
    planes, rows, columns = net.find_game().features
    channels, blocks = net.spec["channels"], net.spec["blocks"]
    return int(2 * rows * columns * 9 * (planes * channels + 2 * blocks * channels**2))
