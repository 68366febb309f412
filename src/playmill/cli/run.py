"""`playmill run`: iterations of self-play, training and gating, with a display of where they are."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.configured import GameOrConfig
from playmill.cli.executor import ExecutorName, RayAddress, executing, executor_words
from playmill.cli.infer import InferKey, RunInfer, infer_words
from playmill.cli.metrics import Metrics, metrics_page
from playmill.cli.options import AsJson, Overrides, PresetName
from playmill.cli.output import print_json
from playmill.core.extras import require_extra
from playmill.core.native_output import native_output_in

if TYPE_CHECKING:
    from playmill.runs.folder import Manifest, RunFolder
    from playmill.runs.kind import RunKind, RunLike


def register(app: typer.Typer) -> None:
    app.command()(run)


def run(
    config: GameOrConfig,
    out: Annotated[Path, typer.Option(help="Run folder; made if missing, carried on if there.")],
    preset: PresetName = None,
    iterations: Annotated[int | None, typer.Option(help="How many in all; short for --set iterations=N.", min=1)] = None,
    games: Annotated[int | None, typer.Option(help="Games an iteration; short for selfplay.games.", min=1)] = None,
    asymmetric: Annotated[
        bool, typer.Option("--asymmetric", help="A searching teacher against a one-ply student; else both sides search.")
    ] = False,
    asymmetric_sims: Annotated[
        int | None, typer.Option(help="The teacher's simulations a decision; short for search.puct.budget.", min=1)
    ] = None,
    no_combo_bonus: Annotated[
        bool, typer.Option("--no-combo-bonus", help="exchange: no reward for attacks under Royal Decree.")
    ] = False,
    combo_bonus_per_attack: Annotated[
        float | None, typer.Option(help="exchange: that reward; short for selfplay.rewards.rd_combo_per_attack.")
    ] = None,
    combo_bonus_max: Annotated[
        float | None, typer.Option(help="exchange: its most a game; short for selfplay.rewards.rd_combo_max.")
    ] = None,
    executor: ExecutorName = None,
    ray_address: RayAddress = None,
    infer: RunInfer = None,
    infer_key: InferKey = None,
    metrics: Metrics = None,
    overrides: Overrides = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Only carry on a run that is there; what is left out stays.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run the remaining iterations of a training run; a run that was stopped or killed goes on where it was.

    The settings are those of a file, or of a game's preset. A terminal shows it live; otherwise each phase that is done gives
    a line on stderr.
    """
    require_extra("nets", "a run")
    from playmill.cli.display import open_display
    from playmill.cli.run_source import RunRequest, choose_source
    from playmill.pipeline.metering import MeteredDisplay
    from playmill.pipeline.run import kind_of, open_run, require_pack
    from playmill.runs.folder import RunFolder, read_manifest

    values = {
        "iterations": iterations, "games": games, "asymmetric": asymmetric or None, "asymmetric-sims": asymmetric_sims,
        "no-combo-bonus": no_combo_bonus or None, "combo-bonus-per-attack": combo_bonus_per_attack,
        "combo-bonus-max": combo_bonus_max,
    }  # fmt: skip
    given = {name: value for name, value in values.items() if value is not None}
    # All before the folder is made: what is refused leaves nothing behind.
    folder = RunFolder(out)
    manifest = read_manifest(folder)
    require_pack(folder, manifest)
    source, changes = choose_source(
        RunRequest(
            config, preset, given,
            [*executor_words(executor, ray_address), *infer_words(infer, infer_key), *(overrides or [])],
        ),
        folder, manifest, resume,
    )  # fmt: skip
    kind = kind_of(source)
    kind.check(source, changes)
    settings = kind.load(source, changes)[0]
    with (
        executing(settings.executor, settings.ray_address, settings.workers),
        metrics_page(metrics) as tally,
        folder.locked(),
        native_output_in(folder.native_log),
        open_display(out) as display,
    ):
        controller = open_run(source, out, MeteredDisplay(display, tally), changes)
        tally.opener = controller.phases.opener
        controller.run()
    if as_json:
        print_json(run_facts(out, controller.manifest))
        return
    typer.echo(closing_line(out, controller.manifest))
    show_next(next_commands(folder, kind, settings))


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
