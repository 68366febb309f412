"""`playmill train`: train a candidate on replay shards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from playmill.cli.options import AsJson, GameName
from playmill.cli.output import print_json
from playmill.core.errors import UsageError, require_seed
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.train.trainer import TrainReport


def register(app: typer.Typer) -> None:
    app.command()(train)


def train(
    game: GameName,
    replay: Annotated[Path, typer.Option(help="Folder of replay shards.")],
    best: Annotated[Path, typer.Option(help="The network to start from, e.g. runs/1/models/best.pt.")],
    out: Annotated[Path, typer.Option(help="Folder for candidate.pt and metrics.ndjson; made if missing.")],
    steps: Annotated[int | None, typer.Option(help="Optimizer steps; otherwise --epochs counts.", min=1)] = None,
    epochs: Annotated[int | None, typer.Option(help="Times through the samples. [default: 1]")] = None,
    batch_size: Annotated[int | None, typer.Option(help="Samples a step. [default: 1024]")] = None,
    lr: Annotated[float | None, typer.Option(help="Learning rate. [default: 0.001]")] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same weights.")] = 0,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto: the GPU where there is one.")] = "auto",
    force: Annotated[bool, typer.Option("--force", help="Replace a candidate of another training.")] = False,
    as_json: AsJson = False,
) -> None:
    """Train a candidate from the best network; the same command goes on where it was killed."""
    require_extra("nets", "training")
    from playmill.cli.progress import progress_bar
    from playmill.core.events import EventLog
    from playmill.games.registry import get_game
    from playmill.nets.checkpoint import load_checkpoint
    from playmill.train.plan import TrainJob, take_snapshot
    from playmill.train.settings import make_settings
    from playmill.train.trainer import Training

    rules = get_game(game)
    asked = {"epochs": epochs, "batch_size": batch_size, "lr": lr}
    settings = make_settings({name: value for name, value in asked.items() if value is not None})
    iteration = load_checkpoint(best, rules).meta.iteration + 1
    candidate = out / "candidate.pt"
    shards = take_snapshot(replay, settings, candidate, iteration)
    job = TrainJob(rules, settings, best, candidate, shards, require_seed(seed), iteration, steps, device)
    with EventLog(out / "metrics.ndjson") as events:
        training = Training(job, events)
        refuse_other_training(candidate, training.saved is not None, force)
        with progress_bar(f"{rules.name} training", training.plan.steps_target) as progress:
            report = training.run(progress)
    print_json(vars(report)) if as_json else typer.echo(closing_line(report))


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
