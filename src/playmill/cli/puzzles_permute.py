"""`playmill puzzles permute`: every puzzle in its eight orientations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from playmill.cli.options import AsJson, Force
from playmill.cli.output import print_json, tell_problems
from playmill.cli.progress import progress_bar


def register(app: typer.Typer) -> None:
    app.command()(permute)


def permute(
    file: Annotated[Path, typer.Argument(help="Puzzles, one JSON object a line.", metavar="FILE")],
    out: Annotated[Path, typer.Argument(help="File for all orientations; proofs go into the folder beside it.", metavar="OUT")],
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write each puzzle turned and mirrored in all eight ways, with its solution and its proof; equal ones only once."""
    from playmill.core.documents import read_bytes
    from playmill.core.files import claim_output
    from playmill.puzzles.permuting import permute_file

    lines = read_bytes(file).count(b"\n")
    claim_output(out, force, [file])
    with progress_bar("turning", lines) as bar:
        done = permute_file(file, out, bar)
    tell_problems(done.problems)
    if as_json:
        print_json({"file": file, "out": out, **vars(done)})
    else:
        typer.echo(f"{out}: {done.written} orientations of {done.puzzles} puzzles, {done.proofs} proofs")
