"""How much of a network's own rate is left when it plays against itself."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from playmill.bench.measure import Paced, best_rates
from playmill.bench.nets import EXCHANGE, YATZY, BenchNet, answering, evaluators_of
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.bench.threads import OnThreads

if TYPE_CHECKING:
    from playmill.nets.net_evaluator import NetEvaluator

LANES = 128  # as self-play has them: leaves of 128 games, four each, are a batch of 512, of which the trees answer half
SIMULATIONS = 100
MOVES = 3  # about a turn
THREADS = (1, 2)
BACKENDS = {"fp32": "ort", "int8": "ort_int8"}


class BenchGames:
    """Self-play by PUCT with one evaluator: LANES new games at a time, from their start."""

    def __init__(self, net: BenchNet, evaluator: NetEvaluator) -> None:
        from playmill.search.settings import PuctSettings, SearchSettings
        from playmill.selfplay.settings import SelfPlaySettings
        from playmill.selfplay.shards import Learner

        self._game, self._settings, self._seed = net.find_game(), SelfPlaySettings(), 0
        search = SearchSettings(puct=PuctSettings(budget=SIMULATIONS))
        self._players = [Learner(self._game, self._settings, search, lambda: evaluator)(LANES)]

    def __call__(self, size: int) -> int:
        """Play `size` times MOVES moves in each game; return how many positions the network answered."""
        from playmill.play.cohort import Cohort, run_in_turn
        from playmill.selfplay.recorder import ShardRecorder
        from playmill.selfplay.shards import games_of_run

        self._seed += 1
        recorder = ShardRecorder(self._game, self._players, self._settings, LANES, lambda _shard, _data: None)
        games = recorder.open(games_of_run(self._game, self._settings, self._seed, 0, LANES))
        cohort = Cohort(self._game, self._players, iter([games]), LANES, recorder, is_strict=False)
        for _ in islice(run_in_turn([cohort]), size * MOVES):
            pass
        return recorder.stats["evaluations"]


@benchmark("selfplay.efficiency.fp32", "x")
def fp32(setup: Setup) -> Measured:
    """Positions answered in Yatzy self-play on one thread over the raw rate of the same fp32 network."""
    return _efficiency(setup, YATZY, ("fp32",))


@benchmark("selfplay.efficiency.int8", "x")
def int8(setup: Setup) -> Measured:
    """The same for the int8 network; `over_fp32` is its self-play rate over that of fp32."""
    return _efficiency(setup, YATZY, ("int8", "fp32"))


@benchmark("selfplay.efficiency.exchange", "x")
def exchange(setup: Setup) -> Measured:
    """The same for EXCHANGE and its board net 32x2, int8 beside fp32."""
    return _efficiency(setup, EXCHANGE, ("int8", "fp32"))


def _efficiency(setup: Setup, net: BenchNet, kinds: tuple[str, ...]) -> Measured:
    """Self-play and the bare network in turns, on one thread and on two; the first kind is the one that is asked about."""
    with evaluators_of(net, tuple(BACKENDS[kind] for kind in kinds)) as evaluators:
        sides = {
            (kind, threads, what): OnThreads([make(net, evaluators[BACKENDS[kind]].clone()) for _ in range(threads)])
            for kind in kinds
            for threads in THREADS
            for what, make in (("selfplay", BenchGames), ("raw", _raw))
        }
        rates = best_rates({name: Paced(side) for name, side in sides.items()}, setup.seconds)
    facts: dict[str, Any] = {"lanes": LANES, "simulations": SIMULATIONS, "batch": _batch(), **net.spec}
    for threads in THREADS:
        facts[f"threads_{threads}"] = _on_threads(kinds, threads, rates, sides)
    return Measured(facts["threads_1"]["efficiency"], facts)


def _on_threads(kinds: tuple[str, ...], threads: int, rates: Any, sides: Any) -> dict[str, float]:
    """What came out on so many threads, cores really had included."""
    kind = kinds[0]
    selfplay, raw = (kind, threads, "selfplay"), (kind, threads, "raw")
    found = {
        "efficiency": rates[selfplay] / rates[raw],
        "evals_per_s": rates[selfplay],
        "raw_evals_per_s": rates[raw],
        "cores_used": sides[selfplay].cores_used,
        "raw_cores_used": sides[raw].cores_used,
    }
    for other in kinds[1:]:
        found[f"{other}_evals_per_s"] = rates[other, threads, "selfplay"]
        found[f"over_{other}"] = rates[selfplay] / rates[other, threads, "selfplay"]
    return found


def _raw(net: BenchNet, evaluator: NetEvaluator) -> Any:
    """The bare network on batches of the size that self-play sends."""
    return answering(net, evaluator, _batch())


def _batch() -> int:
    from playmill.search.settings import PuctSettings

    return LANES * PuctSettings().inflight
