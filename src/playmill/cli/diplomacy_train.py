"""`playmill diplomacy train`: a network from recorded games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from playmill.cli.options import AsJson
from playmill.cli.output import print_json
from playmill.core.errors import require_seed
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.train.trainer import TrainReport


def train(
    data: Annotated[list[Path], typer.Argument(help="Files of recorded games, as `playmill diplomacy selfplay` writes them.")],
    out: Annotated[Path, typer.Option(help="The network's file, NAME.pt; a log is written beside it.")],
    best: Annotated[Path | None, typer.Option(help="The network to start from. [default: a new one]")] = None,
    steps: Annotated[int | None, typer.Option(help="Optimizer steps; otherwise --epochs counts.", min=1)] = None,
    epochs: Annotated[int | None, typer.Option(help="Times through the positions. [default: 1]")] = None,
    batch_size: Annotated[int | None, typer.Option(help="Positions a step. [default: 128]")] = None,
    lr: Annotated[float | None, typer.Option(help="Learning rate. [default: 0.001]")] = None,
    bootstrap: Annotated[
        float | None, typer.Option(help="Share of recorded estimates in the values' targets. [default: 0]")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="CPU threads; the same number, the same weights. [default: 2]")] = None,
    channels: Annotated[int, typer.Option(help="Width of a new network.")] = 64,
    blocks: Annotated[int, typer.Option(help="Layers of a new network.")] = 4,
    validation: Annotated[float, typer.Option(help="Share of the games that are only looked at.", min=0.0, max=0.9)] = 0.1,
    seed: Annotated[int, typer.Option(help="Same seed, same weights.")] = 0,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto: the GPU where there is one.")] = "auto",
    force: Annotated[bool, typer.Option("--force", help="Replace a network of another training.")] = False,
    as_json: AsJson = False,
) -> None:
    """Train a network on recorded games; the same command goes on where it was killed."""
    require_extra("nets", "training")
    from playmill.cli.progress import progress_bar
    from playmill.cli.train import closing_line, refuse_other_training
    from playmill.core.commit import source_commit
    from playmill.core.events import EventLog
    from playmill.packs.diplomacy.neural.spec import make_spec
    from playmill.packs.diplomacy.neural.train_settings import make_train_settings
    from playmill.packs.diplomacy.neural.training import DiplomacyJob
    from playmill.packs.diplomacy.runs import identity
    from playmill.runs.folder import event_head
    from playmill.train.trainer import Training

    asked = {"epochs": epochs, "batch_size": batch_size, "lr": lr, "bootstrap": bootstrap, "threads": workers}
    fields = {"validation": validation, **{name: value for name, value in asked.items() if value is not None}}
    job = DiplomacyJob(
        data=tuple(data),
        candidate=out,
        settings=make_train_settings(fields),
        parent=best,
        spec=make_spec({"channels": channels, "blocks": blocks}),
        seed=require_seed(seed),
        steps=steps,
        device=device,
        commit=source_commit(),
    )
    head = event_head(out.stem, identity(), None, job.commit)
    with EventLog(out.with_suffix(".metrics.ndjson"), head) as events:
        training = Training(job, events)
        refuse_other_training(out, training.saved is not None, force)
        with progress_bar("diplomacy training", training.plan.steps_target) as progress:
            report = training.run(progress)
    print_json(vars(report)) if as_json else typer.echo(closing_line(report) + validation_words(report))


def validation_words(report: TrainReport) -> str:
    """What the report's line ends with: how the network does on games that it has not seen."""
    if not (kept := report.validation):
        return ""
    return f"; {kept['games']} other games: {kept['accuracy']:.1%} of orders told (by chance {kept['chance']:.1%})"
