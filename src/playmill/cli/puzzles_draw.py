"""`playmill puzzles draw`: puzzles as a picture, as a book has them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from playmill.cli.options import Force
from playmill.cli.output import tell_problems
from playmill.core.errors import PlaymillError


def register(app: typer.Typer) -> None:
    app.command()(draw)


def draw(
    file: Annotated[Path, typer.Argument(help="Puzzles, one JSON object a line.", metavar="FILE")],
    out: Annotated[Path, typer.Option(help="The picture, an SVG file.")],
    count: Annotated[int, typer.Option(help="Puzzles to draw, at most, evenly spread over the file.", min=1)] = 20,
    force: Force = False,
) -> None:
    """Draw puzzles on one sheet: the stones, whom they are about, who has to do what, and how hard it is."""
    from playmill.core.files import atomic_write, claim_output
    from playmill.puzzles.gallery import draw_gallery, spread_over
    from playmill.puzzles.puzzle_file import read_puzzles

    claim_output(out, force, [file])
    found = read_puzzles(file)
    if not found.puzzles:
        raise PlaymillError("; ".join([f"{file}: expected puzzles to draw, got none", *found.problems[:1]]))
    tell_problems(found.problems)
    chosen = spread_over(found.puzzles, count)
    atomic_write(out, draw_gallery(chosen))
    typer.echo(f"{out}: {len(chosen)} of {len(found.puzzles)} puzzles")
