"""`playmill puzzles seed`: approved puzzles into the game's database, or into a migration file for it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from playmill.cli.options import AsJson, Force
from playmill.cli.output import print_json, tell_problems
from playmill.core.errors import UsageError

if TYPE_CHECKING:
    from playmill.puzzles.seeding import Placed

ENDING = "_seed_puzzles.sql"
FORMATS = {8: "%Y%m%d", 14: "%Y%m%d%H%M%S"}  # of a stamp, by its length


def register(app: typer.Typer) -> None:
    app.command()(seed)


def seed(
    file: Annotated[
        Path, typer.Argument(help="Puzzles, one JSON object a line; the review's decisions stand beside it.", metavar="FILE")
    ],
    sql: Annotated[
        Path | None,
        typer.Option(help=f"Write a migration: a .sql file, or a folder for STAMP{ENDING}.", metavar="OUT"),
    ] = None,
    stamp: Annotated[
        str | None, typer.Option(help="With a folder: the migration's date, YYYYMMDD or YYYYMMDDhhmmss.", metavar="STAMP")
    ] = None,
    database: Annotated[
        str | None, typer.Option(help="Load them into this database: postgresql://USER@HOST/NAME.", metavar="URL")
    ] = None,
    floors: Annotated[int | None, typer.Option(help="So many floors, as even as can be.", min=1)] = None,
    per_floor: Annotated[int | None, typer.Option(help="So many puzzles a floor.  [default: 10]", min=1)] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Put the approved puzzles on floors by difficulty, as a PostgreSQL migration or into a database; twice is as once."""
    from playmill.core.files import atomic_write, claim_output
    from playmill.puzzles.database import load_sql
    from playmill.puzzles.puzzle_file import read_puzzles
    from playmill.puzzles.review import read_review, review_path
    from playmill.puzzles.seed_sql import seed_sql
    from playmill.puzzles.seeding import approved, place

    target = _target(sql, stamp, database)
    found = read_puzzles(file)
    chosen = approved(found.puzzles, read_review(file))
    if not chosen:
        raise UsageError(f"{file}: no puzzle is approved in {review_path(file).name}; `playmill puzzles browse` approves")
    placed = place(chosen, floors, per_floor)
    text = seed_sql(placed)
    if target is None:
        where = load_sql(str(database), text)
    else:
        atomic_write(claim_output(target, force, [file, review_path(file)]), text)
        where = str(target)
    tell_problems(found.problems)
    _tell(placed, where, len(found.puzzles) - len(placed), as_json)


def _target(sql: Path | None, stamp: str | None, database: str | None) -> Path | None:
    """The file to write; None for a database."""
    if (sql is None) == (database is None):
        raise UsageError(f"seed: expected --sql or --database, got {'neither' if sql is None else 'both'}")
    is_folder = sql is not None and sql.suffix.lower() != ".sql"
    if stamp is not None and not is_folder:
        raise UsageError("seed: --stamp: expected it with a folder only, where it names the file; --sql names a file itself")
    if sql is None or not is_folder:
        return sql
    if stamp is None:
        raise UsageError(f"seed: expected --stamp with the folder {sql}, such as --stamp 20251129, as no clock is looked at")
    _check_stamp(stamp)
    return sql / f"{stamp}{ENDING}"


def _check_stamp(stamp: str) -> None:
    try:
        if not (stamp.isascii() and stamp.isdigit()):
            raise ValueError
        datetime.strptime(stamp, FORMATS[len(stamp)])
    except (ValueError, KeyError):
        raise UsageError(f"seed: --stamp: expected a date, YYYYMMDD or YYYYMMDDhhmmss, got {stamp[:40]!r}") from None


def _tell(placed: list[Placed], where: str, left_out: int, as_json: bool) -> None:
    floors = placed[-1].floor
    if as_json:
        print_json({"out": where, "puzzles": len(placed), "floors": floors, "not_approved": left_out})
        return
    ranks = f"{placed[0].puzzle.difficulty} to {placed[-1].puzzle.difficulty}"
    typer.echo(f"{where}: {len(placed)} puzzles on {floors} floors, {ranks}; {left_out} not approved")
