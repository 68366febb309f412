"""What a process asks of servers, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from playmill.serve.link import LinkTally
from playmill.serve.metrics import BATCH_BOUNDS, histogram, latencies


def link_metrics(total: LinkTally) -> Iterator[Metric]:
    """The tally as metrics."""
    yield CounterMetricFamily("playmill_client_rows", "Rows that servers answered.", value=total.rows)
    yield CounterMetricFamily(
        "playmill_client_sent_again", "Requests asked again, of servers that were lost or busy.", value=total.sent_again
    )
    yield GaugeMetricFamily("playmill_client_rows_out", "Rows that wait for a server's answer.", value=total.rows_out)
    yield histogram("playmill_client_request_rows", "Rows of a request.", total.sizes, BATCH_BOUNDS, total.rows)
    yield latencies("playmill_client_latency_seconds", "From sending a request to its answer.", total.latency)
