"""A server's tally for Prometheus, read when somebody scrapes it; the server itself does nothing for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from playmill.core.errors import UsageError
from playmill.serve.addresses import host_and_port
from playmill.serve.tally import STEPS, US, LatencyHistogram, ServerTally, bound_us

BATCH_BOUNDS = [float(1 << power) for power in range(15)]
LATENCY_BOUNDS = [bound_us(STEPS * power) / US for power in range(4, 25)]  # 16 us to 17 s


class TallyCollector(Collector):
    """The tally as metrics."""

    def __init__(self, tally: ServerTally) -> None:
        self._tally = tally

    def collect(self) -> Iterator[Metric]:
        tally = self._tally
        yield from self._by_model()
        yield GaugeMetricFamily("playmill_serve_queue_rows", "Rows that wait to be answered.", value=tally.queue_rows)
        yield GaugeMetricFamily("playmill_serve_clients", "Clients heard of in the last minute.", value=tally.clients)
        yield CounterMetricFamily(
            "playmill_serve_dropped_requests", "Requests whose client was gone.", value=tally.dropped_requests
        )
        refusals = CounterMetricFamily("playmill_serve_errors", "Requests that were refused.", labels=["reason"])
        for reason, count in dict(tally.refusals).items():
            refusals.add_metric([reason], count)
        yield refusals
        sizes = dict(tally.batch_rows)
        rows = sum(rows * count for rows, count in sizes.items())
        yield histogram("playmill_serve_batch_rows", "Rows of a batch.", sizes, BATCH_BOUNDS, rows)
        yield latencies("playmill_serve_latency_seconds", "From a request's arrival to its answer.", tally.latency)

    def _by_model(self) -> Iterator[Metric]:
        about = {
            "evaluations": "Positions answered.",
            "batches": "Passes of the network.",
            "reloads": "Networks swapped in after the first.",
        }
        models = dict(self._tally.models)
        for name, words in about.items():
            counter = CounterMetricFamily(f"playmill_serve_{name}", words, labels=["model"])
            for model, counts in models.items():
                counter.add_metric([model], getattr(counts, name))
            yield counter
        generation = GaugeMetricFamily("playmill_serve_generation", "The generation at work.", labels=["model"])
        for model, counts in models.items():
            generation.add_metric([model], counts.generation)
        yield generation


def latencies(name: str, words: str, found: LatencyHistogram) -> Metric:
    """How long answers took."""
    waits = {bound_us(bucket) / US: count for bucket, count in dict(found.counts).items()}
    return histogram(name, words, waits, LATENCY_BOUNDS, found.total_s)


def histogram(name: str, words: str, counts: Mapping[Any, int], bounds: list[float], total: float) -> Metric:
    """Counts by value, as Prometheus wants them: how many are at most each bound."""
    buckets = [(str(bound), float(sum(n for value, n in counts.items() if value <= bound))) for bound in bounds]
    buckets.append(("+Inf", float(sum(counts.values()))))
    return HistogramMetricFamily(name, words, buckets=buckets, sum_value=total)


class MetricsPage:
    """`http://HOST:PORT/metrics`, in threads of its own."""

    def __init__(self, address: str, collector: Collector) -> None:
        host, port = host_and_port(address)
        registry = CollectorRegistry()
        registry.register(collector)
        try:
            self._server, self._thread = start_http_server(port, host, registry)
        except OSError as error:
            raise UsageError(f"--metrics {address}: can't be listened on ({error.strerror or error})") from None

    def close(self) -> None:
        with suppress(OSError):
            self._server.shutdown()
            self._server.server_close()
        self._thread.join()
