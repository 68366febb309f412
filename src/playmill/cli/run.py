"""`playmill run`: iterations of self-play, training and gating, with a display of where they are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    app.command()(run)


def run(
    config: Annotated[Path, typer.Argument(help="Settings, e.g. configs/yatzy_smoke.yaml.")],
    out: Annotated[Path, typer.Option(help="Run folder; made if missing, carried on if there.")],
) -> None:
    """Run the remaining iterations of a training run; a run that was stopped or killed goes on where it was."""
    from playmill.pipeline.controller import open_run
    from playmill.pipeline.folder import RunFolder

    with RunFolder(out).locked():
        controller = open_run(config, out, Display())
        controller.run()
    manifest = controller.manifest
    typer.echo(f"{out}: {manifest.iterations_done} iterations, {manifest.selfplay_games} games, {manifest.train_steps} steps")


class Display:
    """A bar for the phase under way, and a line for each that is done; all on stderr."""

    @contextmanager
    def phase(self, label: str, total: int) -> Iterator[Callable[[int], None] | None]:
        from playmill.cli.progress import progress_bar

        with progress_bar(label, total) as progress:
            yield progress

    def note(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)
