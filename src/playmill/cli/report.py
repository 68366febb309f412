"""`playmill report`: a run as one web page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    app.command()(report)


def report(
    run: Annotated[Path, typer.Argument(help="A run's folder, finished or not.", metavar="RUN")],
    out: Annotated[Path | None, typer.Option(help="The file to write. [default: report.html in the folder]")] = None,
) -> None:
    """Write one self-contained HTML page: strength, gates, losses, rates, iterations."""
    from playmill.core.files import atomic_write
    from playmill.pipeline.report import make_report

    path = out or run / "report.html"
    page = make_report(run)
    atomic_write(path, page)
    typer.echo(f"{path}: {len(page) / 1024:.0f} KiB")
