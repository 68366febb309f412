"""How commands print: one JSON object for programs, tables for people."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PIPE_COLUMNS = 200
TEXT_COLUMNS = 16  # the least that a table's last column, which may wrap, is given


def print_json(facts: Any) -> None:
    """One line of JSON; a path is its text."""
    typer.echo(json.dumps(facts, allow_nan=False, default=str))


def is_for_people() -> bool:
    """Whether somebody reads standard output; else a program does."""
    return sys.stdout.isatty()


def table_console(stderr: bool = False) -> Console:
    """Where tables go: as wide as the terminal, and into a pipe so wide that one row is one line. COLUMNS is obeyed."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    is_measured = stream.isatty() or "COLUMNS" in os.environ
    return Console(stderr=stderr, highlight=False, width=None if is_measured else PIPE_COLUMNS)


def print_table(table: Table, console: Console | None = None) -> None:
    """Print the table; where the terminal is too narrow for it, each row as a list of its cells."""
    console = console or table_console()
    if _width(table, console) <= console.width:
        console.print(table)
        return
    rows = zip(*(column.cells for column in table.columns), strict=True)
    for (first, *others), row in zip(rows, table.rows, strict=True):
        console.print(first, style=row.style or "")
        console.print(_as_list(table, others), style=row.style or "")


def _width(table: Table, console: Console) -> int:
    """What the table needs to be readable: its last column may wrap, the others may not."""
    widths = [max(console.measure(cell).maximum for cell in (column.header, *column.cells)) for column in table.columns]
    pads = sum(table.padding[side] for side in (1, 3)) * len(widths)
    return sum(widths[:-1]) + min(widths[-1], TEXT_COLUMNS) + pads


def _as_list(table: Table, cells: list[Any]) -> Table:
    """A row's cells after the first, one a line with its column's name; empty ones are left out."""
    from rich.table import Table as RichTable

    grid = RichTable.grid(padding=(0, 2, 0, 0))
    for column, cell in zip(table.columns[1:], cells, strict=True):
        if cell:
            grid.add_row(f"  [dim]{column.header}[/dim]", cell)
    return grid


def tell_problems(problems: list[str]) -> None:
    """Lines on stderr about what was left out; the command goes on with the rest."""
    for problem in problems:
        typer.echo(f"playmill: warning: {problem}", err=True)
