"""How fast networks answer on the CPU, in every backend that is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from playmill.bench.measure import Paced, best_rates
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.core.files import temporary_folder

if TYPE_CHECKING:
    from playmill.nets.net_evaluator import NetEvaluator

BATCH = 256
HIDDEN, BLOCKS = 256, 2
CALIBRATION = 512
BACKENDS = ("torch", "ort", "ort_int8")


@benchmark("nets.rates", "evals/s")
def rates(setup: Setup) -> Measured:
    """Answers of the Yatzy network, 256 positions at a time, on one core: int8; the other backends are among the facts."""
    with yatzy_evaluators(BACKENDS) as evaluators:
        sides = {name: Paced(answering(evaluator, BATCH)) for name, evaluator in evaluators.items()}
        found = best_rates(sides, setup.seconds)
    facts = {f"{name}_evals_per_s": rate for name, rate in found.items()}
    return Measured(found["ort_int8"], {"batch": BATCH, "hidden": HIDDEN, "blocks": BLOCKS, "cores": 1, **facts})


@contextmanager
def yatzy_evaluators(backends: tuple[str, ...]) -> Iterator[dict[str, NetEvaluator]]:
    """An evaluator of each backend, of one new Yatzy network."""
    from playmill.bench.positions import features_of
    from playmill.games.registry import get_game
    from playmill.nets.checkpoint import make_checkpoint, save_checkpoint
    from playmill.nets.evaluators import open_evaluator
    from playmill.nets.int8 import export_int8
    from playmill.nets.model import build_net
    from playmill.nets.spec import NetSpec

    game, spec = get_game("yatzy"), NetSpec(kind="mlp", hidden=HIDDEN, blocks=BLOCKS)
    with temporary_folder("playmill-bench-") as folder:
        path = folder / "net.pt"
        save_checkpoint(path, make_checkpoint(game, spec, build_net(game, spec)))
        export_int8(path, features_of(game, CALIBRATION))
        yield {backend: open_evaluator(path, backend) for backend in backends}


def answering(evaluator: NetEvaluator, batch: int) -> Callable[[int], int]:
    """A work that answers the same `batch` positions again and again; it counts positions."""
    import numpy as np

    from playmill.bench.positions import features_of
    from playmill.games.registry import get_game

    features = features_of(get_game("yatzy"), batch)
    logits = np.zeros((batch, evaluator.logits), np.float32)
    values = np.zeros((batch, evaluator.columns), np.float32)
    return partial(_answer, evaluator, features, logits, values)


def _answer(evaluator: NetEvaluator, features: object, logits: object, values: object, times: int) -> int:
    for _ in range(times):
        evaluator.evaluate(features, logits, values)  # type: ignore[arg-type]
    return times * len(features)  # type: ignore[arg-type]
