"""`playmill report`: a run as one web page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from playmill.cli.options import AsJson, Run
from playmill.cli.output import print_json


def register(app: typer.Typer) -> None:
    app.command()(report)


def report(
    run: Run,
    out: Annotated[Path | None, typer.Option(help="The file to write. [default: report.html in the folder]")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there; the default one always is.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write one self-contained HTML page: strength, gates, losses, rates, iterations."""
    from playmill.cli.run_report import make_report
    from playmill.core.files import atomic_write, claim_output

    path = run / "report.html" if out is None else claim_output(out, force)
    page = make_report(run)
    atomic_write(path, page)
    if as_json:
        print_json({"run": run, "path": path, "bytes": len(page.encode())})
    else:
        typer.echo(f"{path}: {len(page) / 1024:.0f} KiB")
