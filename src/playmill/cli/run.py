"""`playmill run`: iterations of self-play, training and gating, with a display of where they are."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.options import AsJson, Overrides
from playmill.cli.output import print_json
from playmill.core.extras import require_extra
from playmill.core.native_output import native_output_in

if TYPE_CHECKING:
    from playmill.runs.folder import Manifest, RunFolder
    from playmill.runs.kind import RunKind, RunLike


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
    from playmill.pipeline.run import kind_of, open_run, require_pack
    from playmill.runs.folder import RunFolder, read_manifest

    # All before the folder is made: what is refused leaves nothing behind.
    folder = RunFolder(out)
    require_pack(folder, read_manifest(folder))
    kind = kind_of(config)
    kind.check(config, overrides or [])
    with folder.locked(), native_output_in(folder.native_log), open_display(out) as display:
        controller = open_run(config, out, display, overrides or [])
        controller.run()
    if as_json:
        print_json(run_facts(out, controller.manifest))
        return
    typer.echo(closing_line(out, controller.manifest))
    show_next(next_commands(folder, kind, kind.load(config, overrides or [])[0]))


def run_facts(out: Path, manifest: Manifest) -> dict[str, Any]:
    """What `--json` prints: the folder, and the manifest's counts."""
    counts = ("iterations_done", "selfplay_games", "train_steps", "gate_games", "best")
    return {"run": out, "game": manifest.game, **{name: getattr(manifest, name) for name in counts}}


def closing_line(out: Path, manifest: Manifest) -> str:
    """How far the run is."""
    return f"{out}: {manifest.iterations_done} iterations, {manifest.selfplay_games} games, {manifest.train_steps} steps"


def next_commands(folder: RunFolder, kind: RunKind, settings: RunLike) -> list[str]:
    """What to type after a run, with its own paths; the last command gives it as many iterations again."""
    run, config = (shlex.quote(str(path)) for path in (folder.root, folder.config))
    return [
        f"playmill report {run}",
        f"playmill verify {run}",
        *kind.suggest(folder, settings),
        f"playmill run {config} --out {run} --set iterations={2 * settings.iterations}",
    ]


def show_next(commands: list[str]) -> None:
    """The commands, one a line, ready to be copied."""
    typer.echo("next:")
    for command in commands:
        typer.echo(f"  {command}")
