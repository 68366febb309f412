"""`playmill puzzles browse`: puzzles looked at, solved and reviewed in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from playmill.core.errors import Interrupted


def register(app: typer.Typer) -> None:
    app.command()(browse)


def browse(
    file: Annotated[Path, typer.Argument(help="Puzzles, one JSON object a line; they are read only.", metavar="FILE")],
    port: Annotated[
        int | None, typer.Option(help="Port on this machine.  [default: 8180, or a free one]", min=1, max=65_535, metavar="N")
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the address and open no browser.")] = False,
) -> None:
    """Look at puzzles in the browser, solve them, approve or delete them; Ctrl-C ends it, decisions are kept beside FILE."""
    from playmill.core.extras import require_extra

    require_extra("web", "puzzles browse")
    from playmill.web.server import browse_puzzles

    try:
        browse_puzzles(file, port, lambda address: typer.echo(f"{file}: {address}"), open_browser=not no_open)
    except KeyboardInterrupt:
        raise Interrupted from None
