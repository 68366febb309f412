"""`playmill run`: iterations of self-play, training and gating, with a display of where they are."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.options import AsJson, Overrides
from playmill.cli.output import print_json
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.pipeline.folder import Manifest, RunFolder
    from playmill.pipeline.settings import RunSettings


def register(app: typer.Typer) -> None:
    app.command()(run)


def run(
    config: Annotated[Path, typer.Argument(help="Settings, e.g. configs/yatzy_smoke.yaml.")],
    out: Annotated[Path, typer.Option(help="Run folder; made if missing, carried on if there.")],
    overrides: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Run the remaining iterations of a training run; a run that was stopped or killed goes on where it was.

    A terminal shows it live; otherwise each phase that is done gives a line on stderr.
    """
    require_extra("nets", "a run")
    from playmill.cli.display import open_display
    from playmill.pipeline.checks import check_run
    from playmill.pipeline.folder import RunFolder, read_manifest
    from playmill.pipeline.opening import open_run

    check_run(config, overrides or [])  # before the folder is made: what is refused leaves nothing behind
    read_manifest(RunFolder(out))
    with RunFolder(out).locked(), open_display(out) as display:
        controller = open_run(config, out, display, overrides or [])
        controller.run()
    if as_json:
        print_json(run_facts(out, controller.manifest))
        return
    typer.echo(closing_line(out, controller.manifest))
    show_next(next_commands(out, controller.settings))


def run_facts(out: Path, manifest: Manifest) -> dict[str, Any]:
    """What `--json` prints: the folder, and the manifest's counts."""
    counts = ("iterations_done", "selfplay_games", "train_steps", "gate_games", "best")
    return {"run": out, "game": manifest.game, **{name: getattr(manifest, name) for name in counts}}


def closing_line(out: Path, manifest: Manifest) -> str:
    """How far the run is."""
    return f"{out}: {manifest.iterations_done} iterations, {manifest.selfplay_games} games, {manifest.train_steps} steps"


def next_commands(out: Path, settings: RunSettings) -> list[str]:
    """What to type after a run, with its own paths."""
    from playmill.pipeline.folder import RunFolder

    folder = RunFolder(out)
    run, best, game = (shlex.quote(str(word)) for word in (out, folder.best, settings.game))
    solved = [f"playmill oracle-eval --model {best}"] if settings.game == "yatzy" else []
    return [
        f"playmill report {run}",
        f"playmill verify {run}",
        *solved,
        f"playmill explore {game} --model {best}",
        more_iterations("playmill run", folder, settings.iterations),
    ]


def more_iterations(command: str, folder: RunFolder, iterations: int) -> str:
    """The command that gives a finished run as many iterations again."""
    config, run = (shlex.quote(str(path)) for path in (folder.config, folder.root))
    return f"{command} {config} --out {run} --set iterations={2 * iterations}"


def show_next(commands: list[str]) -> None:
    """The commands, one a line, ready to be copied."""
    typer.echo("next:")
    for command in commands:
        typer.echo(f"  {command}")
