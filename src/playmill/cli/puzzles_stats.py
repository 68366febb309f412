"""`playmill puzzles stats`: what a file of puzzles holds, and whether its grades go along with known levels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from playmill.cli.options import AsJson, Force
from playmill.cli.output import print_json, tell_problems
from playmill.core.errors import UsageError

if TYPE_CHECKING:
    from playmill.puzzles.levels import Agreement
    from playmill.puzzles.puzzle import Puzzle


def register(app: typer.Typer) -> None:
    app.command()(stats)


def stats(
    file: Annotated[Path, typer.Argument(help="Puzzles, one JSON object a line.", metavar="FILE")],
    against: Annotated[
        Path | None,
        typer.Option(help="Known levels, JSON lines or CSV with `puzzle` and `level`: how well do the scores go along?"),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the counts into this .svg file.", metavar="OUT.svg")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Count puzzles by difficulty, tag, verification, side, goal, source and review."""
    from playmill.cli.puzzles_chart import draw_stats
    from playmill.cli.puzzles_stats_text import show_agreement, show_stats
    from playmill.core.files import atomic_write, claim_output
    from playmill.puzzles.puzzle_file import read_puzzles
    from playmill.puzzles.review import read_review
    from playmill.puzzles.stats import count_puzzles

    if plot is not None:
        if plot.suffix.lower() != ".svg":
            raise UsageError(f"{plot}: expected a name that ends in .svg, as that is what is drawn")
        claim_output(plot, force, [file])
    found = read_puzzles(file)
    counted = count_puzzles(found.puzzles, read_review(file))
    known = _agreement(found.puzzles, against)
    tell_problems(found.problems)
    if plot is not None:
        atomic_write(plot, draw_stats(counted, file.name))
    if as_json:
        print_json({"file": file, **counted.fields(), "problems": found.problems, **_fields(known, against), "plot": plot})
        return
    show_stats(counted, file)
    if known is not None:
        show_agreement(known)


def _agreement(puzzles: list[Puzzle], against: Path | None) -> Agreement | None:
    from playmill.puzzles.levels import agreement, read_levels

    return None if against is None else agreement(puzzles, read_levels(against), str(against))


def _fields(known: Agreement | None, against: Path | None) -> dict[str, Any]:
    return {"against": None if known is None else {"file": str(against), **vars(known)}}
