"""`playmill bench`: measure, print one JSON line for each benchmark, compare with an earlier run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.core.errors import PlaymillError, UsageError
from playmill.core.extras import MissingExtra, missing_extra

if TYPE_CHECKING:
    from rich.table import Table

    from playmill.bench.compare import Change
    from playmill.bench.registry import Benchmark, Setup

STYLES = {"better": "green", "worse": "red"}


def register(app: typer.Typer) -> None:
    app.command()(bench)


def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Which: names, their beginnings, or globs such as 'sim.*'.")] = None,
    only_list: Annotated[bool, typer.Option("--list", help="List the benchmarks and measure nothing.")] = False,
    seconds: Annotated[float, typer.Option(help="How long to measure each side of a benchmark.")] = 2.0,
    out: Annotated[Path | None, typer.Option(help="Write the JSON lines to this file, too.")] = None,
    compare: Annotated[Path | None, typer.Option(help="Compare with a file that --out wrote.")] = None,
    no_peers: Annotated[bool, typer.Option("--no-peers", help="Leave out the peers: OpenSpiel, Pgx, mctx.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Measure speed and memory; print one JSON line for each benchmark."""
    from playmill.bench.compare import read_results
    from playmill.bench.peers.children import Peers
    from playmill.bench.registry import Setup, select
    from playmill.core.files import claim_output

    chosen, limit_s = select(names or []), _above_zero(seconds)
    if only_list:
        _list(chosen)
        return
    old = read_results(compare) if compare else None
    if out is not None:
        claim_output(out, force, [compare] if compare else [])
    with Peers(wanted=not no_peers) as peers:
        lines, left_out = _run(chosen, Setup(limit_s, peers))
        _tell(peers.explain())
    if out is not None:
        _write(out, lines)
    if old is not None:
        _show_changes(old, lines)
    if not lines and left_out:
        raise UsageError(left_out[-1])
    if len(lines) + len(left_out) < len(chosen):
        raise typer.Exit(PlaymillError.exit_code)


def _above_zero(seconds: float) -> float:
    if not 0 < seconds < float("inf"):
        raise UsageError(f"--seconds: expected a number above 0, got {seconds}")
    return seconds


def _list(chosen: list[Benchmark]) -> None:
    width = max(len(benchmark.name) for benchmark in chosen)
    for benchmark in chosen:
        typer.echo(f"{benchmark.name:{width}}  {benchmark.unit:8}  {benchmark.title}")


def _run(chosen: list[Benchmark], setup: Setup) -> tuple[list[dict[str, Any]], list[str]]:
    """Print each result as soon as it is there; one that can't be had is told, and the others go on.

    Besides the results it returns why others were left out: they need packages that are not installed.
    """
    from playmill.bench.run import run_benchmark

    lines: list[dict[str, Any]] = []
    left_out: list[str] = []
    for number, benchmark in enumerate(chosen, 1):
        _tell(f"[{number}/{len(chosen)}] {benchmark.name}: {benchmark.title}")
        try:
            lines.append(run_benchmark(benchmark, setup))
        except (MissingExtra, ModuleNotFoundError) as error:
            left_out.append(f"{benchmark.name}: left out: {_missing(error)}")
            _tell(f"playmill: {left_out[-1]}")
            continue
        except PlaymillError as error:
            _tell(f"playmill: {benchmark.name}: {error}")
            continue
        typer.echo(json.dumps(lines[-1], allow_nan=False))
    return lines, left_out


def _missing(error: MissingExtra | ModuleNotFoundError) -> str:
    """What is missing and how to get it; a module that belongs to no extra is a bug."""
    line = str(error) if isinstance(error, MissingExtra) else missing_extra(error)
    if line is None:
        raise error
    return line


def _tell(line: str | None) -> None:
    if line:
        typer.echo(line, err=True)


def _write(path: Path, lines: list[dict[str, Any]]) -> None:
    from playmill.core.files import atomic_write

    atomic_write(path, "".join(json.dumps(line, allow_nan=False) + "\n" for line in lines))


# ------------------------------------------------------------------ the comparison


def _show_changes(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> None:
    """On stderr, so that stdout stays one JSON object a line."""
    from rich.console import Console

    from playmill.bench.compare import changes, other_machines

    console = Console(stderr=True)
    console.print(_table(changes(old, new)))
    if other_machines(old, new):
        console.print("The runs come from different machines or versions: the ratios are not about the code alone.")


def _table(rows: list[Change]) -> Table:
    from rich.table import Table

    table = Table("benchmark", "unit", box=None)
    for column in ("old", "new", "new / old"):
        table.add_column(column, justify="right")
    table.add_column()
    for row in rows:
        style = STYLES.get(row.verdict)
        table.add_row(row.name, row.unit, _number(row.old), _number(row.new), _number(row.ratio), row.verdict, style=style)
    return table


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
