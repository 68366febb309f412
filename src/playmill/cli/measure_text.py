"""What `playmill measure` shows to people."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table

from playmill.arena.measure import Fields, Measure
from playmill.cli.output import print_table, table_console


def show_measure(measure: Measure, games: int, found: Mapping[str, Fields]) -> None:
    """What each bot came to in a line, and then the measure's figures, one column a bot."""
    console = table_console()
    console.print(f"[bold]{measure.name}[/bold]: {measure.about}; {games:,} games a bot")
    for bot, fields in found.items():
        console.print(f"{bot}: {measure.words(fields)}")
    if measure.columns:
        console.print()
        print_table(_table(measure, found), console)


def _table(measure: Measure, found: Mapping[str, Fields]) -> Table:
    table = Table("", *found, box=None, padding=(0, 2, 0, 0))
    for column in measure.columns:
        table.add_row(f"[dim]{column.header}[/dim]", *(column.cell(fields) for fields in found.values()))
    return table
