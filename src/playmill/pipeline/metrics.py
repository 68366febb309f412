"""A run's tally for Prometheus, read when somebody scrapes it; the run itself does nothing for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from playmill.core.evaluation import BATCHES_LE
from playmill.pipeline.metering import RunTally
from playmill.runs.folder import PHASES
from playmill.runs.status import memory_bytes
from playmill.serve.metrics import BATCH_BOUNDS, histogram

SEARCHED = {
    "evaluations": "Positions that networks answered.",
    "cache_hits": "Descents that ended at a position whose answer was known.",
    "terminals": "Descents that ended at the end of a game.",
    "collisions": "Descents that met a leaf already under evaluation.",
    "decisions": "Decisions of players.",
    "fallbacks": "Decisions whose policy was made even, as nothing else was known.",
    "batch_room": "Rows that the batches had room for.",
}
RATES = {
    "simulations_s": ("simulations_per_second", "All threads."),
    "fallback_rate": ("fallback_rate", "Decisions whose policy was made even."),
    "collision_rate": ("collision_rate", "Descents that met a leaf already under evaluation."),
    "batch_fill": ("batch_fill", "Rows asked for, of those that batches had room for."),
}


class RunCollector(Collector):
    """The tally as metrics."""

    def __init__(self, tally: RunTally) -> None:
        self._tally = tally

    def collect(self) -> Iterator[Metric]:
        tally = self._tally
        yield from self._progress()
        yield _labelled("loss", "Losses of training, as last told.", "name", dict(tally.losses))
        yield _counter("gates", "Gates played.", tally.gates)
        yield _counter("promotions", "Candidates that became the best.", tally.promotions)
        if tally.win_rate is not None:
            yield _gauge("gate_win_rate", "Of the candidate, in the gate under way or the last one.", tally.win_rate)
        for name, words in SEARCHED.items():
            yield _counter(name, f"Of self-play: {words}", tally.searched[name])
        yield from self._batches()
        for field, (name, words) in RATES.items():
            value = getattr(tally.rates, field, None)
            if value is not None:
                yield _gauge(name, f"Of the self-play under way, or the last: {words}", value)
        yield _gauge("memory_bytes", "Memory that the process holds.", memory_bytes())
        if tally.opener is not None:
            from playmill.serve.link_metrics import link_metrics  # brings ZeroMQ, which nobody else needs

            yield from link_metrics(tally.opener.total())

    def _batches(self) -> Iterator[Metric]:
        searched = self._tally.searched
        sizes = {int(name.removeprefix(BATCHES_LE)): count for name, count in searched.items() if name.startswith(BATCHES_LE)}
        yield histogram(
            "playmill_run_batch_rows", "Of self-play: rows of a batch.", sizes, BATCH_BOUNDS, searched["batch_rows"]
        )

    def _progress(self) -> Iterator[Metric]:
        tally = self._tally
        yield _gauge("iteration", "The iteration under way, counted from 0.", tally.iteration)
        yield _gauge("iterations", "How many the run is to have.", tally.iterations)
        yield _labelled("phase", "1 for the phase under way.", "phase", {name: float(name == tally.phase) for name in PHASES})
        yield _gauge("phase_done", "Games or steps of the phase.", tally.done)
        yield _gauge("phase_total", "How many the phase has.", tally.total)
        games = CounterMetricFamily("playmill_run_games", "Games played by this process.", labels=["phase"])
        for name in PHASES:
            if name != "train":
                games.add_metric([name], tally.units[name])
        yield games
        yield _counter("train_steps", "Optimizer steps made by this process.", tally.units["train"])


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(f"playmill_run_{name}", words, value=value)


def _counter(name: str, words: str, value: float) -> Metric:
    return CounterMetricFamily(f"playmill_run_{name}", words, value=value)


def _labelled(name: str, words: str, label: str, values: Mapping[str, float]) -> Metric:
    gauge = GaugeMetricFamily(f"playmill_run_{name}", words, labels=[label])
    for key, value in values.items():
        gauge.add_metric([key], value)
    return gauge
