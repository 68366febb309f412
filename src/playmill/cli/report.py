"""`playmill report`: a run, or a comparison of several, as one web page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from playmill.cli.options import AsJson
from playmill.cli.output import print_json
from playmill.core.errors import UsageError

COMPARISON = Path("comparison.html")


def register(app: typer.Typer) -> None:
    app.command()(report)


def report(
    runs: Annotated[
        list[Path], typer.Argument(help="A run's folder, finished or not; of several, a comparison.", metavar="RUN...")
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="The file to write. [default: report.html in the folder; of several, comparison.html here]"),
    ] = None,
    png: Annotated[Path | None, typer.Option(help="Write the page as a picture, too; needs Chromium.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a file that is there; a run's report.html always is.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write one self-contained HTML page: strength, gates, losses, rates, iterations; of several runs, a comparison."""
    from playmill.cli.page_picture import draw_page, find_browser
    from playmill.cli.run_comparison import compare_runs
    from playmill.cli.run_report import make_report
    from playmill.core.files import atomic_write, claim_output

    if len({os.path.realpath(run) for run in runs}) < len(runs):
        raise UsageError("report: expected each run once, got one of them twice")
    is_one = len(runs) == 1
    path = runs[0] / "report.html" if is_one and out is None else claim_output(out or COMPARISON, force)
    browser = None if png is None else find_browser()
    if png is not None:
        claim_output(png, force)
    page = make_report(runs[0]) if is_one else compare_runs(runs)
    atomic_write(path, page)
    if png is not None and browser is not None:
        draw_page(page, png, browser)
    if as_json:
        about = {"run": runs[0]} if is_one else {"runs": [str(run) for run in runs]}
        print_json({**about, "path": path, "bytes": len(page.encode()), "png": png})
    else:
        typer.echo(f"{path}: {len(page) / 1024:.0f} KiB" + (f"; {png}" if png else ""))
