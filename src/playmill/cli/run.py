"""`playmill run`: iterations of self-play, training and gating, with a display of where they are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from playmill.core.extras import require_extra


def register(app: typer.Typer) -> None:
    app.command()(run)


def run(
    config: Annotated[Path, typer.Argument(help="Settings, e.g. configs/yatzy_smoke.yaml.")],
    out: Annotated[Path, typer.Option(help="Run folder; made if missing, carried on if there.")],
) -> None:
    """Run the remaining iterations of a training run; a run that was stopped or killed goes on where it was.

    A terminal shows it live; otherwise each phase that is done gives a line on stderr.
    """
    require_extra("nets", "a run")
    from playmill.cli.display import open_display
    from playmill.pipeline.checks import check_run
    from playmill.pipeline.folder import RunFolder, read_manifest
    from playmill.pipeline.opening import open_run

    check_run(config)  # before the folder is made: what is refused leaves nothing behind
    read_manifest(RunFolder(out))
    with RunFolder(out).locked(), open_display(out) as display:
        controller = open_run(config, out, display)
        controller.run()
    manifest = controller.manifest
    typer.echo(f"{out}: {manifest.iterations_done} iterations, {manifest.selfplay_games} games, {manifest.train_steps} steps")
