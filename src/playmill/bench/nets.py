"""How fast networks answer on the CPU, in every backend that is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from playmill.bench.measure import Paced, best_rates
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.core.files import temporary_folder

if TYPE_CHECKING:
    from playmill.core.evaluation import EvalBuffer
    from playmill.games.game import Game
    from playmill.nets.checkpoint import Checkpoint
    from playmill.nets.net_evaluator import NetEvaluator

BATCH = 256
CALIBRATION = 512
BACKENDS = ("torch", "ort", "ort_int8")


@dataclass(frozen=True)
class BenchNet:
    """A new network to measure: its game, and what its settings say."""

    game: str
    spec: dict[str, Any]

    def find_game(self) -> Game:
        from playmill.packs.registry import find_game

        return find_game(self.game)

    def checkpoint(self) -> Checkpoint:
        from playmill.nets.checkpoint import make_checkpoint
        from playmill.nets.model import build_net
        from playmill.nets.spec import make_spec

        game, spec = self.find_game(), make_spec(self.spec)
        return make_checkpoint(game, spec, build_net(game, spec))


YATZY = BenchNet("yatzy", {"kind": "mlp", "hidden": 256, "blocks": 2})


def exchange_net(channels: int, blocks: int) -> BenchNet:
    """A board net of EXCHANGE."""
    size = {"channels": channels, "blocks": blocks, "hidden": 2 * channels}
    return BenchNet("exchange", {"kind": "conv", **size, "value": "utilities", "policy": "planes"})


EXCHANGE = exchange_net(32, 2)


@benchmark("nets.rates", "evals/s")
def rates(setup: Setup) -> Measured:
    """Answers of the Yatzy network, 256 positions at a time, on one core: int8; the other backends are among the facts."""
    return _rates(YATZY, setup)


@benchmark("nets.rates.exchange", "evals/s")
def exchange_rates(setup: Setup) -> Measured:
    """The same of EXCHANGE's board net 32x2."""
    return _rates(EXCHANGE, setup)


def _rates(net: BenchNet, setup: Setup) -> Measured:
    with evaluators_of(net, BACKENDS) as evaluators:
        sides = {name: Paced(answering(net, evaluator, BATCH)) for name, evaluator in evaluators.items()}
        found = best_rates(sides, setup.seconds)
    facts = {f"{name}_evals_per_s": rate for name, rate in found.items()}
    return Measured(found["ort_int8"], {"batch": BATCH, **net.spec, "cores": 1, **facts})


@contextmanager
def evaluators_of(net: BenchNet, backends: tuple[str, ...]) -> Iterator[dict[str, NetEvaluator]]:
    """An evaluator of each backend, of one new network."""
    from playmill.bench.positions import features_of
    from playmill.nets.checkpoint import save_checkpoint
    from playmill.nets.evaluators import open_evaluator
    from playmill.nets.int8 import export_int8

    with temporary_folder("playmill-bench-") as folder:
        path = folder / "net.pt"
        save_checkpoint(path, net.checkpoint())
        export_int8(path, features_of(net.find_game(), CALIBRATION))
        yield {backend: open_evaluator(path, backend) for backend in backends}


def answering(net: BenchNet, evaluator: NetEvaluator, batch: int) -> Callable[[int], int]:
    """A work that has the same `batch` positions answered again and again, as a search does; it counts positions."""
    from playmill.bench.positions import features_of

    game = net.find_game()
    buffer = evaluator.open_buffer(game, batch)
    buffer.features[:] = features_of(game, batch)
    return partial(_answer, evaluator, buffer)


def _answer(evaluator: NetEvaluator, buffer: EvalBuffer, times: int) -> int:
    rows = len(buffer.features)
    for _ in range(times):
        evaluator.submit(buffer, rows)
        evaluator.collect(buffer)
    return times * rows
