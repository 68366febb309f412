"""`playmill studio`: runs, games and puzzles in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from playmill.core.errors import Interrupted, UsageError

USUAL, FOLDER = Path("runs"), Path("games")


def register(app: typer.Typer) -> None:
    app.command()(studio)


def studio(
    runs: Annotated[
        Path | None, typer.Argument(help="A folder of runs.  [default: ./runs, if it is there]", metavar="RUNS_FOLDER")
    ] = None,
    puzzles: Annotated[Path | None, typer.Option(help="Puzzles to solve and review, one JSON object a line.")] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="A checkpoint to play against, under a name; may be given again.", metavar="NAME=PATH"),
    ] = None,
    kept: Annotated[Path, typer.Option(help="The folder of kept games: yours go there.")] = FOLDER,
    port: Annotated[
        int | None, typer.Option(help="Port on this machine.  [default: 8180, or a free one]", min=1, max=65_535, metavar="N")
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the address and open no browser.")] = False,
) -> None:
    """Watch runs live, compare them, replay their games, and play against models and bots, in the browser; Ctrl-C ends it."""
    from playmill.core.extras import require_extra

    require_extra("web", "studio")
    from playmill.web.opponents import Opponents
    from playmill.web.run_shelf import RunShelf, require_runs
    from playmill.web.server import open_studio
    from playmill.web.table_room import TableRoom

    shelf = RunShelf(USUAL) if runs is None else require_runs(runs)
    if kept.exists() and not kept.is_dir():
        raise UsageError(f"--kept: expected a folder, got the file {kept}")
    tables = TableRoom(kept, Opponents(read_models(model or []), shelf))
    try:
        open_studio(shelf, tables, puzzles, port, lambda address: typer.echo(f"studio: {address}"), open_browser=not no_open)
    except KeyboardInterrupt:
        raise Interrupted from None


def read_models(words: list[str]) -> dict[str, Path]:
    """NAME=PATH, each name once."""
    models: dict[str, Path] = {}
    for word in words:
        name, equals, path = word.partition("=")
        if not (name.strip() and equals and path):
            raise UsageError(f"--model: expected NAME=PATH such as mine=runs/mine/models/best.pt, got '{word}'")
        if name in models:
            raise UsageError(f"--model: expected each name once, got '{name}' again")
        models[name] = Path(path)
    return models
