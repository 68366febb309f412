"""`playmill puzzles recheck`: puzzles solved again with many times the budget."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from playmill.cli.options import AsJson, Workers
from playmill.cli.output import print_json, tell_problems
from playmill.cli.progress import progress_bar
from playmill.cli.puzzles_mine import MiningFile, read_settings
from playmill.core.errors import Interrupted, UsageError
from playmill.core.executor import count_threads

BUDGET = re.compile(r"([1-9]\d{0,3})x")


def register(app: typer.Typer) -> None:
    app.command()(recheck)


def recheck(
    file: Annotated[Path, typer.Argument(help="Puzzles, one JSON object a line.", metavar="FILE")],
    budget: Annotated[str, typer.Option(help="How many times each puzzle's budget, such as 10x.")] = "10x",
    settings: MiningFile = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Solve puzzles again with more nodes or visits, check their proofs, and tell how many are overturned."""
    from playmill.puzzles.mining.rechecking import CONFIRMED, OVERTURNED, UNDECIDED
    from playmill.puzzles.mining.rechecking import recheck as look_again
    from playmill.puzzles.puzzle_file import read_puzzles

    match = BUDGET.fullmatch(budget)
    if match is None:
        raise UsageError(f"recheck: --budget: expected a number of times such as 10x, got '{budget}'")
    with progress_bar("rechecking", len(read_puzzles(file).puzzles)) as bar:
        try:
            report = look_again(file, int(match[1]), count_threads(workers), bar, read_settings(settings))
        except KeyboardInterrupt:
            raise Interrupted from None
    if as_json:
        print_json({"file": file, "budget": budget, **report.fields()})
        return
    counts = ", ".join(f"{report.count(verdict)} {verdict}" for verdict in (CONFIRMED, OVERTURNED, UNDECIDED))
    typer.echo(f"{file}: {len(report.found)} puzzles at {budget} the budget: {counts}")
    for one in report.found:
        if one.verdict != CONFIRMED:
            typer.echo(f"{one.name}: {one.verdict}: {one.detail}")
    tell_problems(report.problems)
