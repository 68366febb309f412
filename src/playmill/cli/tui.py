"""`playmill tui`: runs of a folder on a screen of the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from playmill.core.errors import UsageError
from playmill.core.extras import require_extra

RUNS = Path("runs")


def register(app: typer.Typer) -> None:
    app.command()(tui)


def tui(
    folder: Annotated[Path, typer.Argument(help="The folder that the runs are in.", metavar="RUNS_FOLDER")] = RUNS,
) -> None:
    """Pick, make, start, watch and stop runs, and step through their games, on a screen of the terminal.

    A run that is started here is a process of its own: it goes on when the screen is left.
    """
    require_extra("tui", "the screen")
    from playmill.runs.shelf import require_shelf

    require_shelf(folder)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("tui: expected a terminal to draw on; `playmill status RUN` prints where a run is")
    from playmill.tui.app import MillApp

    screen = MillApp(folder)
    screen.run()
    if screen.return_code:
        raise typer.Exit(screen.return_code)
