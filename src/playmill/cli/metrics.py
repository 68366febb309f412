"""`--metrics HOST:PORT`: a page for Prometheus while a run or self-play is at work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.pipeline.metering import RunTally

Metrics = Annotated[str | None, typer.Option("--metrics", help="HOST:PORT of a page for Prometheus.", metavar="HOST:PORT")]


@contextmanager
def metrics_page(address: str | None) -> Iterator[RunTally]:
    """The tally that the page shows; without an address there is no page, and nobody reads it."""
    from playmill.pipeline.metering import RunTally

    tally = RunTally()
    if address is None:
        yield tally
        return
    require_extra("serve", "--metrics", ("prometheus_client",))
    from playmill.pipeline.metrics import RunCollector
    from playmill.serve.metrics import MetricsPage

    page = MetricsPage(address, RunCollector(tally))
    try:
        yield tally
    finally:
        page.close()
