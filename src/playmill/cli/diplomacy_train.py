"""`playmill diplomacy train` and `playmill diplomacy loop`: a network from recorded games, and the loop around it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from playmill.cli.options import AsJson, Overrides
from playmill.cli.output import print_json
from playmill.cli.run import closing_line as run_line
from playmill.cli.run import more_iterations, run_facts, show_next
from playmill.core.errors import require_seed
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.diplomacy.neural.loop import Loop
    from playmill.diplomacy.neural.training import DiplomacyReport


class Display:
    """A bar for the phase under way, and a line for each gate; all on stderr."""

    @contextmanager
    def phase(self, label: str, total: int) -> Iterator[Callable[[int], None] | None]:
        from playmill.cli.progress import progress_bar

        with progress_bar(label, total) as progress:
            yield progress

    def note(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)


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
    from playmill.cli.train import refuse_other_training
    from playmill.core.commit import source_commit
    from playmill.core.events import EventLog
    from playmill.diplomacy.neural.plan import BATCH_SIZE, DiplomacyJob
    from playmill.diplomacy.neural.spec import make_spec
    from playmill.diplomacy.neural.training import DiplomacyTraining
    from playmill.train.settings import make_settings

    asked = {"epochs": epochs, "batch_size": batch_size, "lr": lr, "bootstrap": bootstrap, "threads": workers}
    fields = {"batch_size": BATCH_SIZE, **{name: value for name, value in asked.items() if value is not None}}
    job = DiplomacyJob(
        data=tuple(data),
        out=out,
        settings=make_settings(fields),
        init=best,
        spec=make_spec({"channels": channels, "blocks": blocks}),
        seed=require_seed(seed),
        steps=steps,
        validation=validation,
        device=device,
        commit=source_commit(),
    )
    with EventLog(out.with_suffix(".metrics.ndjson")) as events:
        training = DiplomacyTraining(job, events)
        refuse_other_training(out, training.saved is not None, force)
        with progress_bar("diplomacy training", training.plan.steps_target) as progress:
            report = training.run(progress)
    if as_json:
        print_json({**vars(report), "validation": None if report.validation is None else vars(report.validation)})
    else:
        typer.echo(closing_line(report))


def closing_line(report: DiplomacyReport) -> str:
    """The report as one line."""
    kept = report.validation
    seen = (
        "" if kept is None else f"; {kept.games} other games: {kept.accuracy:.1%} of orders told (by chance {kept.chance:.1%})"
    )
    if report.steps == 0:
        return f"{report.out}: all {report.steps_target} steps had been made before{seen}"
    resumed = f" after {report.resumed_at} earlier ones" if report.resumed_at else ""
    losses = ", ".join(f"{name.removeprefix('loss_')} {loss:.4f}" for name, loss in report.losses.items())
    return (
        f"{report.out}: {report.steps} steps{resumed} on {report.samples:,} positions of {report.games} games, "
        f"{report.samples_s:,.0f} positions/s; losses: {losses}{seen}"
    )


def loop(
    config: Annotated[Path, typer.Argument(help="Settings, e.g. configs/diplomacy_smoke.yaml.")],
    out: Annotated[Path, typer.Option(help="Run folder; made if missing, carried on if there.")],
    overrides: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Self-play, training and gate, again and again; a run that was stopped or killed goes on where it was."""
    require_extra("nets", "the loop")
    from playmill.diplomacy.neural.loop import open_loop
    from playmill.diplomacy.neural.loop_settings import load_settings
    from playmill.pipeline.folder import RunFolder, read_manifest
    from playmill.train.device import pick_device

    # Before the folder is made: what is refused leaves nothing behind.
    pick_device(load_settings(config, overrides or [])[0].device)
    read_manifest(RunFolder(out))
    with RunFolder(out).locked():
        found = open_loop(config, out, Display(), overrides or [])
        found.run()
    if as_json:
        print_json(run_facts(out, found.manifest))
        return
    best = f"best {found.manifest.best[:12]}" if found.manifest.best else "no network has passed the gate"
    typer.echo(f"{run_line(out, found.manifest)}, {best}")
    show_next(next_commands(found))


def next_commands(loop: Loop) -> list[str]:
    """What to type after a loop, with its own paths."""
    folder = loop.folder
    games, best = (shlex.quote(str(path)) for path in (loop.games_of(0), folder.best))
    with_network = [
        f"playmill diplomacy search start --kind neural --model {best}",
        f"playmill diplomacy ladder --rung neural:rm_plus --model {best}",
    ]
    return [
        f"playmill diplomacy check {games}",
        *(with_network if folder.best.exists() else []),
        more_iterations("playmill diplomacy loop", folder, loop.settings.iterations),
    ]
