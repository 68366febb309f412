"""`playmill train`: train a candidate on replay shards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.configured import GameOrConfig, is_config, refuse_given, refuse_other_size, refuse_overrides
from playmill.cli.options import AsJson, Overrides
from playmill.cli.output import print_json
from playmill.core.errors import UsageError, require_seed
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.train.plan import TrainJob
    from playmill.train.trainer import TrainReport


CANDIDATE = "candidate.pt"


def register(app: typer.Typer) -> None:
    app.command()(train)


def train(
    context: typer.Context,
    game: GameOrConfig,
    replay: Annotated[Path, typer.Option(help="Folder of replay shards.")],
    best: Annotated[Path, typer.Option(help="The network to start from, e.g. runs/1/models/best.pt.")],
    out: Annotated[Path, typer.Option(help="Folder for candidate.pt and metrics.ndjson; made if missing.")],
    steps: Annotated[int | None, typer.Option(help="Optimizer steps; otherwise --epochs counts.", min=1)] = None,
    epochs: Annotated[int | None, typer.Option(help="Times through the samples. [default: 1]")] = None,
    batch_size: Annotated[int | None, typer.Option(help="Samples a step. [default: 1024]")] = None,
    lr: Annotated[float | None, typer.Option(help="Learning rate. [default: 0.001]")] = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, same weights. [default: the run's, else 0]")] = None,
    iteration: Annotated[
        int | None, typer.Option(help="Of a run, from 0. [default: the one after the network's]", min=0)
    ] = None,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto: the GPU where there is one.")] = "auto",
    overrides: Overrides = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a candidate of another training.")] = False,
    as_json: AsJson = False,
) -> None:
    """Train a candidate from the best network; the same command goes on where it was killed."""
    require_extra("nets", "training")
    from playmill.cli.progress import progress_bar
    from playmill.core.events import EventLog
    from playmill.nets.pretrained import model_path
    from playmill.train.trainer import Training

    best = model_path(best)

    asked = {name: value for name, value in {"epochs": epochs, "batch_size": batch_size, "lr": lr}.items() if value is not None}
    if is_config(game):
        refuse_given(context, {name: f"train.{name}" for name in asked} | {"device": "device"})
        job, head = _job_of_run(Path(game), overrides or [], replay, best, out, steps, seed, iteration)
    else:
        refuse_overrides(overrides)
        job, head = _job(game, asked, replay, best, out, steps, seed or 0, iteration, device)
    with EventLog(out / "metrics.ndjson", head) as events:
        training = Training(job, events)
        refuse_other_training(job.candidate, training.saved is not None, force)
        with progress_bar(f"{job.game.name} training", training.plan.steps_target) as progress:
            report = training.run(progress)
    print_json(vars(report)) if as_json else typer.echo(closing_line(report))


def _job(
    game: str,
    asked: dict[str, Any],
    replay: Path,
    best: Path,
    out: Path,
    steps: int | None,
    seed: int,
    iteration: int | None,
    device: str,
) -> tuple[TrainJob, dict[str, Any]]:
    """A training by itself, and what its events say of it."""
    from playmill.nets.checkpoint import load_checkpoint
    from playmill.packs.registry import find_game
    from playmill.runs.folder import event_head
    from playmill.train.plan import TrainJob, take_snapshot
    from playmill.train.settings import make_settings

    rules, settings = find_game(game), make_settings(asked)
    number = load_checkpoint(best, rules).meta.iteration + 1 if iteration is None else iteration
    shards = take_snapshot(replay, settings, out / CANDIDATE, number)
    job = TrainJob(rules, settings, best, out / CANDIDATE, shards, require_seed(seed), number, steps, device)
    return job, event_head(out.name, rules, None)


def _job_of_run(
    config: Path,
    overrides: list[str],
    replay: Path,
    best: Path,
    out: Path,
    steps: int | None,
    seed: int | None,
    iteration: int | None,
) -> tuple[TrainJob, dict[str, Any]]:
    """The very training that a run with these settings has in that iteration."""
    from playmill.core.commit import source_commit
    from playmill.nets.checkpoint import load_checkpoint
    from playmill.pipeline.checks import check_run
    from playmill.pipeline.streams import TRAINING, iteration_seed
    from playmill.runs.folder import event_head
    from playmill.train.plan import TrainJob, take_snapshot

    run, _, rules = check_run(config, overrides)
    start = load_checkpoint(best, rules)
    refuse_other_size("--best", start, run)
    number = start.meta.iteration + 1 if iteration is None else iteration
    settings = run.train.in_iteration(number, run.iterations)
    shards = take_snapshot(replay, settings, out / CANDIDATE, number)
    chosen = iteration_seed(run.seed, TRAINING, number) if seed is None else require_seed(seed)
    job = TrainJob(
        rules, settings, best, out / CANDIDATE, shards, chosen, number, steps,
        device=run.device, config_hash=run.digest(), commit=source_commit(),
    )  # fmt: skip
    return job, event_head(out.name, rules, run.digest())


def refuse_other_training(path: Path, is_ours: bool, force: bool) -> None:
    """A network that is there is gone on with if it is this very training's; another one is replaced only by force."""
    if path.exists() and not is_ours and not force:
        raise UsageError(f"{path}: it comes from another training; choose another place, or replace it with --force")


def closing_line(report: TrainReport) -> str:
    """The report as one line."""
    if report.steps == 0:
        return f"{report.candidate}: all {report.steps_target} steps had been made before"
    resumed = f" after {report.resumed_at} earlier ones" if report.resumed_at else ""
    losses = ", ".join(f"{name.removeprefix('loss_')} {loss:.4f}" for name, loss in report.losses.items())
    return (
        f"{report.candidate}: {report.steps} steps{resumed} on {report.samples:,} samples, "
        f"{report.samples_s:,.0f} samples/s; losses: {losses}"
    )
