"""torch's own traces of a configuration's training and inference, as Chrome reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playmill.core.files import atomic_write, temporary_folder

if TYPE_CHECKING:
    from playmill.games.game import Game
    from playmill.pipeline.settings import RunSettings

WARMUP = 2  # steps that are not traced: buffers are made, the optimizer's state is
ROWS = 8  # operators that are named


def trace_training(settings: RunSettings, game: Game, path: Path, steps: int) -> Iterator[str]:
    """Trace some steps on games that a new network has just played; yields lines for people."""
    from playmill.bench.shipped import play_some
    from playmill.bench.train import Fed
    from playmill.replay import list_shards
    from playmill.train.device import steady
    from playmill.train.plan import TrainJob
    from playmill.train.trainer import Training

    with temporary_folder("playmill-profile-") as folder:
        best = _new_network(settings, game, folder)
        play_some(settings, best, folder / "replay")
        shards = list_shards(folder / "replay")
        training = Training(TrainJob(game, settings.train, best, folder / "c.pt", shards, device=settings.device))
        with steady(training.device), closing(training.stepper()) as stepper:
            yield from _traced(Fed(training, stepper), path, steps, f"training, {settings.train.batch_size} samples a step")


def trace_inference(settings: RunSettings, game: Game, path: Path, steps: int) -> Iterator[str]:
    """Trace some batches as large as self-play's, answered by torch."""
    import numpy as np

    from playmill.bench.positions import features_of
    from playmill.nets.evaluators import open_evaluator
    from playmill.search.make import batch_rows

    with temporary_folder("playmill-profile-") as folder:
        rows = batch_rows(settings.search, settings.selfplay.lanes)
        evaluator = open_evaluator(_new_network(settings, game, folder), "torch", settings.device, game=game, rows=rows)
        some = features_of(game, min(rows, 64))
        features = np.ascontiguousarray(some[np.arange(rows) % len(some)])
        logits = np.empty((rows, evaluator.logits), np.float32)
        values = np.empty((rows, evaluator.columns), np.float32)

        def answer(times: int) -> int:
            for _ in range(times):
                evaluator.evaluate(features, logits, values)
            return times * rows

        yield from _traced(answer, path, steps, f"inference, batches of {rows:,} rows")


def _new_network(settings: RunSettings, game: Game, folder: Path) -> Path:
    from playmill.nets.checkpoint import save_checkpoint
    from playmill.pipeline.selfplay_phase import first_network

    save_checkpoint(folder / "best.pt", first_network(game, settings))
    return folder / "best.pt"


def _traced(work: Callable[[int], int], path: Path, steps: int, what: str) -> Iterator[str]:
    from torch.profiler import ProfilerActivity, profile

    work(WARMUP)
    with profile(activities=_activities(ProfilerActivity), record_shapes=True) as found:
        work(steps)
    with temporary_folder("playmill-trace-") as folder:
        found.export_chrome_trace(str(folder / "trace.json"))
        atomic_write(path, (folder / "trace.json").read_bytes())
    yield f"{what}; {steps} of them, by operator:"
    rows = sorted(found.key_averages(), key=lambda row: -_self_us(row))[:ROWS]
    total = sum(map(_self_us, found.key_averages())) or 1.0
    for row in rows:
        yield f"  {_self_us(row) / total:6.1%}  {row.key}, {row.count} calls"


def _activities(kinds: Any) -> list[Any]:
    import torch

    return [kinds.CPU, *([kinds.CUDA] if torch.cuda.is_available() else [])]


def _self_us(row: Any) -> float:
    """An operator's own time: on the GPU where it ran there."""
    return float(getattr(row, "self_device_time_total", 0) or row.self_cpu_time_total)
