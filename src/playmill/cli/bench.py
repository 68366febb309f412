"""`playmill bench`: measure, print a table for people or JSON lines for programs, compare with an earlier run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.bench_text import BenchRows, number, thread_advice
from playmill.cli.options import Force
from playmill.cli.output import is_for_people, print_json, print_table, table_console
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
    force: Force = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line, as into a pipe; a terminal gets a table.")
    ] = False,
) -> None:
    """Measure speed and memory: a table on a terminal, one JSON line for each benchmark elsewhere."""
    from playmill.bench.compare import read_results
    from playmill.bench.peers.children import Peers
    from playmill.bench.registry import Setup, select
    from playmill.core.files import claim_output

    chosen, limit_s = select(names or []), _above_zero(seconds)
    if only_list:
        _list(chosen, as_json)
        return
    old = read_results(compare) if compare else None
    if out is not None:
        claim_output(out, force, [compare] if compare else [])
    with Peers(wanted=not no_peers) as peers:
        lines, left_out = _run(chosen, Setup(limit_s, peers), as_json or not is_for_people())
        _tell(peers.explain())
    _tell(thread_advice(lines))
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


def _list(chosen: list[Benchmark], as_json: bool) -> None:
    if as_json:
        print_json([{"name": each.name, "unit": each.unit, "title": each.title} for each in chosen])
        return
    from rich.table import Table

    table = Table("benchmark", "unit", "what", box=None, pad_edge=False, show_header=False)
    for benchmark in chosen:
        table.add_row(benchmark.name, benchmark.unit, benchmark.title)
    print_table(table)


def _run(chosen: list[Benchmark], setup: Setup, as_json: bool) -> tuple[list[dict[str, Any]], list[str]]:
    """Print each result as soon as it is there; one that can't be had is told, and the others go on.

    Besides the results it returns why others were left out: they need packages that are not installed.
    """
    from playmill.bench.run import run_benchmark

    lines: list[dict[str, Any]] = []
    left_out: list[str] = []
    rows = BenchRows(chosen)
    for count, benchmark in enumerate(chosen, 1):
        _tell(f"[{count}/{len(chosen)}] {benchmark.name}: {benchmark.title}") if as_json else rows.begin(benchmark)
        try:
            lines.append(run_benchmark(benchmark, setup))
        except (MissingExtra, ModuleNotFoundError) as error:
            left_out.append(f"{benchmark.name}: left out: {_missing(error)}")
            if not as_json:
                rows.end(None)
            _tell(f"playmill: {left_out[-1]}")
            continue
        except PlaymillError as error:
            if not as_json:
                rows.end(None)
            _tell(f"playmill: {benchmark.name}: {error}")
            continue
        print_json(lines[-1]) if as_json else rows.end(lines[-1])
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
    from playmill.bench.compare import changes, other_machines

    console = table_console(stderr=True)
    print_table(_table(changes(old, new)), console)
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
        table.add_row(row.name, row.unit, number(row.old), number(row.new), number(row.ratio), row.verdict, style=style)
    return table
