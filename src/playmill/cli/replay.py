"""`playmill replay show` and `draw`: a recorded game move by move in the terminal, as an animated picture, as a page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from playmill.cli.groups import App
from playmill.cli.options import AsJson, Force
from playmill.cli.output import is_for_people, print_json
from playmill.core.errors import UsageError

app = App(help="Games that were recorded: a run's shards, and what `playmill play` kept.")

MAX_BYTES = 16 << 20
KINDS = (".svg", ".html")

Recording = Annotated[Path, typer.Argument(help="A shard (shard_000000.safetensors), or a kept game (.json).", metavar="FILE")]
Number = Annotated[
    int | None, typer.Option("--game", help="Which game, by its number. [default: the first]", metavar="N", min=0)
]


@app.command()
def show(file: Recording, game: Number = None, as_json: AsJson = False) -> None:
    """Step through a game: boards, moves, who decided, what the search thought. Without a terminal, print all of it."""
    from playmill.cli.replay_show import print_all, record_facts, step_through
    from playmill.packs.recording import open_recording

    record = open_recording(file, game)
    if as_json:
        print_json(record_facts(record))
    elif is_for_people() and sys.stdin.isatty():
        step_through(record)
    else:
        print_all(record)


@app.command()
def draw(
    file: Recording,
    out: Annotated[Path, typer.Option(help="The file to write: .svg plays by itself, .html is a page with controls.")],
    game: Number = None,
    every: Annotated[int, typer.Option(help="Show every so many moves.", min=1)] = 1,
    pace: Annotated[float, typer.Option(help="Seconds a move.", min=0.05, max=60)] = 0.9,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Draw a game as an animated SVG, or as a web page of its own to step through."""
    from playmill.cli.replay_page import make_page
    from playmill.cli.replay_svg import animate_game
    from playmill.core.files import atomic_write, claim_output
    from playmill.packs.recording import open_recording

    if out.suffix not in KINDS:
        raise UsageError(f"--out: expected a name that ends in {' or '.join(KINDS)}, got {out}")
    claim_output(out, force, [file])
    record = open_recording(file, game)
    if not record.game.has_picture:
        raise UsageError(f"{record.game.name}: the game has no picture to draw; `playmill replay show` shows it as text")
    last = len(record.moves)
    plies = sorted({*range(0, last + 1, every), last})
    pictures = [record.picture(ply) or "" for ply in plies]
    make = animate_game if out.suffix == ".svg" else make_page
    text = make(record, pictures, plies, pace)
    size = len(text.encode())
    if size > MAX_BYTES:
        raise UsageError(
            f"{out}: expected at most {MAX_BYTES >> 20} MiB, got {size / 2**20:.1f}; --every {every + 1} draws fewer"
        )
    atomic_write(out, text)
    facts = {
        "path": out,
        "game": record.game.name,
        "number": record.number,
        "plies": last,
        "pictures": len(plies),
        "bytes": size,
    }
    print_json(facts) if as_json else typer.echo(f"{out}: {len(plies)} pictures, {size / 1024:.0f} KiB")
