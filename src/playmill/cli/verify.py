"""`playmill verify`: whether a run's files are what it wrote, and its replay what its networks really played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from playmill.cli.options import AsJson, Run
from playmill.cli.output import print_json
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.runs.verification import VerifyReport


def register(app: typer.Typer) -> None:
    app.command()(verify)


def verify(
    run: Run,
    games: Annotated[int, typer.Option(help="Games to play and search again, spread over the shards.", min=0)] = 32,
    seed: Annotated[int, typer.Option(help="Which games; same seed, same choice.", min=0)] = 0,
    as_json: AsJson = False,
) -> None:
    """Check every file, and play and search some games again; exit 1 with a line for each thing that is wrong."""
    require_extra("nets", "verifying a run")
    from playmill.cli.progress import progress_bar
    from playmill.pipeline.verify import count_game_files, verify_run

    with progress_bar("files of games", count_game_files(run)) as progress:
        report = verify_run(run, games, seed, progress)
    if as_json:
        print_json(report.fields())
    else:
        for problem in report.problems:
            typer.echo(str(problem))
        if not report.problems:
            typer.echo(closing_line(report))
    if report.problems:
        raise typer.Exit(1)


def closing_line(report: VerifyReport) -> str:
    """What was found to be in order."""
    files = f"{report.run}: {report.files} files are as they were written"
    if not report.searched:
        return files
    games = f"{report.searched} of {report.games:,} games, played and searched again"
    return f"{files}; {games}, are the same in all {report.samples:,} samples"
