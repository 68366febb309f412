"""`playmill export`: a run's numbers for other tools, once or while it works."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.options import Run
from playmill.core.errors import UsageError
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.exports.cursor import Cursor
    from playmill.exports.exporting import Sink
    from playmill.runs.view import RunView

KINDS = ("wandb", "tensorboard", "json", "csv")


def register(app: typer.Typer) -> None:
    app.command()(export)


def export(
    run: Run,
    wandb: Annotated[bool, typer.Option("--wandb", help="To Weights & Biases; online it needs `wandb login`.")] = False,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="As TensorBoard's event file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="To stdout: one JSON object an iteration.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="To stdout: one row an iteration, under a header.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="Go on until the run is no longer at work.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="wandb: into files for `wandb sync`, without a network.")] = False,
    project: Annotated[str, typer.Option(help="wandb: the project over there.")] = "playmill",
    out: Annotated[Path | None, typer.Option(help="The folder to write. [default: exports/wandb|tensorboard in RUN]")] = None,
    after: Annotated[int, typer.Option(help="json, csv: only iterations behind this number.", min=-1)] = -1,
) -> None:
    """Give a run's numbers to other tools; the same command goes on where it was, and tells nothing twice."""
    from playmill.runs.view import RunView

    chosen = [kind for kind, is_on in zip(KINDS, (wandb, tensorboard, as_json, as_csv), strict=True) if is_on]
    if len(chosen) != 1:
        raise UsageError(f"export: expected one of {', '.join('--' + kind for kind in KINDS)}, got {len(chosen)}")
    kind, view = chosen[0], RunView(run)
    _refuse_foreign(kind, offline, project, out, after)
    if kind in ("json", "csv"):
        rows = _rows(view, follow, after)
        _print_json(rows) if kind == "json" else _print_csv(rows, follow)
    else:
        _write(view, kind, out or run / "exports" / kind, follow, project, offline)


def _refuse_foreign(kind: str, offline: bool, project: str, out: Path | None, after: int) -> None:
    """Options that only one kind has."""
    if kind != "wandb" and (offline or project != "playmill"):
        raise UsageError(f"export: --offline and --project belong to --wandb, not to --{kind}")
    if kind in ("json", "csv") and out is not None:
        raise UsageError(f"--out: --{kind} goes to stdout; send it to a file with > FILE")
    if kind in ("wandb", "tensorboard") and after >= 0:
        raise UsageError(f"--after: --{kind} keeps its own place")


# ------------------------------------------------------------------ wandb and TensorBoard


def _write(view: RunView, kind: str, folder: Path, follow: bool, project: str, offline: bool) -> None:
    require_extra(kind, f"export --{kind}")
    from playmill.cli.progress import progress_bar
    from playmill.core.disk import writing
    from playmill.core.lines import open_alone
    from playmill.exports.cursor import open_cursor
    from playmill.exports.exporting import export_events

    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with open_alone(folder / "export.lock"), progress_bar("events", 0) as progress:
        cursor = open_cursor(folder, view.manifest)
        sink = _open(kind, folder, cursor, view, project, offline)
        told = export_events(view, folder, cursor, sink, follow, progress)
    typer.echo(f"{folder}: {told} events told now, {cursor.rows} in all")


def _open(kind: str, folder: Path, cursor: Cursor, view: RunView, project: str, offline: bool) -> Sink:
    if kind == "tensorboard":
        from playmill.exports.tensorboard import TensorBoardFile

        return TensorBoardFile(folder, cursor)
    from playmill.exports.weights_and_biases import WandbRun

    return WandbRun(folder, cursor, view, project, offline)


# ------------------------------------------------------------------ rows


def _rows(view: RunView, is_live: bool, after: int) -> Iterator[dict[str, Any]]:
    """A row an iteration, in order."""
    from playmill.exports.following import follow
    from playmill.exports.scalars import row_of

    for told in follow(view.folder.root, view.folder.iteration_stats, is_live=is_live):
        if told is not None and told[0]["event"] == "iteration" and (row := row_of(told[0]))["iteration"] > after:
            yield row


def _print_json(rows: Iterable[dict[str, Any]]) -> None:
    for row in rows:
        print(json.dumps(row, allow_nan=False), flush=True)


def _print_csv(rows: Iterator[dict[str, Any]], is_live: bool) -> None:
    """The columns are those of all rows; live, of the first one: a column that comes later is named and left out."""
    ready = list(islice(rows, 1 if is_live else None))
    columns = list(dict.fromkeys(name for row in ready for name in row))
    writer = csv.DictWriter(sys.stdout, columns or ["iteration"], extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(ready)
    sys.stdout.flush()
    missed: set[str] = set()
    for row in rows:
        new = sorted({*row} - {*columns} - missed)
        missed |= {*new}
        if new:
            typer.echo(f"playmill: export: {len(new)} columns came after the header was written and are left out"
                       f" ({new[0]}, ...); --json has them", err=True)  # fmt: skip
        writer.writerow(row)
        sys.stdout.flush()
