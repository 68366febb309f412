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
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there; the default one always is.")] = False,
) -> None:
    """Write one self-contained HTML page: strength, gates, losses, rates, iterations."""
    from playmill.core.files import atomic_write, claim_output
    from playmill.pipeline.report import make_report

    path = run / "report.html" if out is None else claim_output(out, force)
    page = make_report(run)
    atomic_write(path, page)
    typer.echo(f"{path}: {len(page) / 1024:.0f} KiB")
