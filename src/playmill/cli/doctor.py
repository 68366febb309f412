"""`playmill doctor`: what this machine has, what is missing, and the command that gets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from playmill.cli.options import AsJson
from playmill.cli.output import print_json, print_table, table_console

if TYPE_CHECKING:
    from playmill.bench.inventory import Finding


def register(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(as_json: AsJson = False) -> None:
    """Say what this machine has of all that playmill can use, what is missing, and how to get it; nothing is changed."""
    from playmill.bench.inventory import take_inventory

    found = take_inventory()
    if as_json:
        print_json({"findings": [vars(finding) for finding in found]})
        return
    for group in dict.fromkeys(finding.group for finding in found):
        _show([finding for finding in found if finding.group == group])
    missing = [finding for finding in found if finding.remedy]
    typer.echo(f"what could be added ({len(missing)}):" if missing else "nothing is missing")
    for finding in missing:
        typer.echo(f"  {finding.remedy}  # {finding.name}: {finding.use}")


def _show(rows: list[Finding]) -> None:
    from rich.table import Table

    table = Table(rows[0].group, "", "", "", box=None, padding=(0, 2, 0, 0))
    for row in rows:
        state, style = ("yes", "green") if row.is_there else ("no", "yellow")
        table.add_row(row.name, f"[{style}]{state}[/{style}]", row.found, row.use)
    console = table_console()
    print_table(table, console)
    console.print()
