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
SMALL_NET_LANES = 2048  # a small net answers 2,048 rows sooner than Python hands them over, so its batches are larger
SIMULATIONS = 100
MOVES = 4
MOST_THREADS = 16
RAW_THREADS = (1, 4)  # one may not pack wide rows as fast as the network answers them; of more, each takes the lock in turn


@benchmark("selfplay.cuda.256x12", "x")
def large(setup: Setup) -> Measured:
    """Positions answered in connect four self-play over the raw rate of the same 256x12 net on a GPU."""
    return _efficiency(setup, _connect_four(256, 12))


@benchmark("selfplay.cuda.64x4", "x")
def small(setup: Setup) -> Measured:
    """The same for a 64x4 board net."""
    return _efficiency(setup, _connect_four(64, 4), SMALL_NET_LANES)


@benchmark("selfplay.cuda.exchange.256x12", "x")
def exchange(setup: Setup) -> Measured:
    """The same for EXCHANGE and its 256x12 board net."""
    return _efficiency(setup, exchange_net(256, 12))


def _connect_four(channels: int, blocks: int) -> BenchNet:
    return BenchNet("connect_four", {"kind": "conv", "channels": channels, "blocks": blocks, "hidden": 256})


class Cohorts:
    """Self-play of one thread: as many cohorts in turn as the evaluator asks for, new games from their start."""

    def __init__(self, net: BenchNet, evaluator: NetEvaluator, lanes: int) -> None:
        from playmill.search.settings import PuctSettings, SearchSettings
        from playmill.selfplay.settings import SelfPlaySettings
        from playmill.selfplay.shards import Learner

        self._game, self._settings, self._lanes, self._seed = net.find_game(), SelfPlaySettings(), lanes, 0
        search = SearchSettings(puct=PuctSettings(budget=SIMULATIONS, inflight=INFLIGHT))
        learner = Learner(self._game, self._settings, search, evaluator.clone)
        self._players = [[learner(lanes)] for _ in range(evaluator.in_turn)]

    def __call__(self, size: int) -> int:
        """Play `size` times MOVES moves in each game; return how many positions the network answered."""
        from playmill.play.cohort import Cohort, run_in_turn
        from playmill.selfplay.recorder import ShardRecorder
        from playmill.selfplay.shards import games_of_run

        cohorts, recorders = [], []
        for players in self._players:
            self._seed += 1
            recorder = ShardRecorder(self._game, players, self._settings, self._lanes, lambda _shard, _data: None)
            games = recorder.open(games_of_run(self._game, self._settings, self._seed, 0, size * self._lanes))
            cohorts.append(Cohort(self._game, players, iter([games]), self._lanes, recorder, is_strict=False))
            recorders.append(recorder)
        for _ in islice(run_in_turn(cohorts), size * MOVES * len(cohorts)):
            pass
        return sum(recorder.stats["evaluations"] for recorder in recorders)


class Raw:
    """The bare network in one thread, on full batches, as many out at a time as self-play has."""

    def __init__(self, net: BenchNet, evaluator: NetEvaluator, rows: int) -> None:
        from playmill.bench.positions import features_of

        game = net.find_game()
        self._evaluator, self._rows = evaluator.clone(), rows
        self._buffers = [self._evaluator.open_buffer(game, rows) for _ in range(evaluator.in_turn)]
        features = features_of(game, 64)
        for buffer in self._buffers:
            buffer.features[:] = features[[i % 64 for i in range(rows)]]

    def __call__(self, size: int) -> int:
        for buffer in self._buffers:
            self._evaluator.submit(buffer, self._rows)
        for _ in range(size):
            for buffer in self._buffers:
                self._evaluator.collect(buffer)
                self._evaluator.submit(buffer, self._rows)
        for buffer in self._buffers:
            self._evaluator.collect(buffer)
        return (size + 1) * len(self._buffers) * self._rows


def _efficiency(setup: Setup, net: BenchNet, lanes: int = LANES) -> Measured:
    """Self-play and the bare network in turns, on the threads that there are cores for."""
    rows, threads = lanes * INFLIGHT, min(os.cpu_count() or 1, MOST_THREADS)
    evaluator = _open(net, rows)
    sides = {
        "selfplay": OnThreads([Cohorts(net, evaluator, lanes) for _ in range(threads)]),
        **{f"raw_{count}": OnThreads([Raw(net, evaluator, rows) for _ in range(count)]) for count in RAW_THREADS},
    }
    rates = best_rates({name: Paced(side) for name, side in sides.items()}, setup.seconds)
    raw = max(rates[f"raw_{count}"] for count in RAW_THREADS)
    facts: dict[str, Any] = {
        "lanes": lanes,
        "batch": rows,
        "simulations": SIMULATIONS,
        "threads": threads,
        "evals_per_s": rates["selfplay"],
        "raw_evals_per_s": raw,
        "raw_tflops": raw * _operations(net) / 1e12,
        "cores_used": sides["selfplay"].cores_used,
    }
    return Measured(rates["selfplay"] / raw, facts)


def _open(net: BenchNet, rows: int) -> NetEvaluator:
    """A new network on the GPU."""
    require_gpu()
    from playmill.nets.evaluators import open_evaluator

    return open_evaluator(net.checkpoint(), "auto", "cuda", game=net.find_game(), rows=rows)


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
