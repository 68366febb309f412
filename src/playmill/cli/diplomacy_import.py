"""`playmill diplomacy import`: games of other tools as our records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from playmill.cli.options import AsJson, Force
from playmill.cli.output import print_json

MAX_PROBLEMS = 20  # that are printed; all are counted


def import_games(
    files: Annotated[list[Path], typer.Argument(help="Saved games of the `diplomacy` package: JSON, or one a line.")],
    out: Annotated[Path | None, typer.Option(help="Where the records go. [default: nowhere, games are only checked]")] = None,
    rules: Annotated[str, typer.Option(help="Version of the DATC's rules; the package follows 2.x.")] = "2.x",
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Read saved games as records, and tell each phase that our rules play otherwise; exit 1 if there is any."""
    from playmill.core.files import atomic_writer, claim_output
    from playmill.packs.diplomacy.selfplay.package_import import import_files

    if out is not None:
        claim_output(out, force, files)
    games = list(import_files(files, rules))
    problems = [f"{game.name}: {problem}" for game in games for problem in game.problems]
    for problem in problems[:MAX_PROBLEMS]:
        print(problem, file=sys.stderr)
    records = [game.record for game in games if game.record is not None]
    if out is not None and records:
        with atomic_writer(out) as target:
            target.writelines(record.line() for record in records)
    illegal = sum(game.illegal for game in games)
    if as_json:
        counts = {"games": len(games), "alike": len(records), "differences": len(problems), "illegal_orders": illegal}
        print_json({**counts, "rules": rules, "out": out if records else None})
    else:
        written = f", written to {out}" if out is not None and records else ""
        alike = f"{len(records)} play alike by {rules}{written}; {len(problems)} differences"
        typer.echo(f"{len(games)} games: {alike}; {illegal} illegal orders left out")
    if problems:
        raise typer.Exit(1)
