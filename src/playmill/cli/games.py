"""`playmill games`, `new-game`, `check-game`, `perft`: which games there are, a new one, and whether one is sound."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from playmill.games.registry import GameInfo

GameName = Annotated[str, typer.Argument(help="A game from `playmill games`, or module:GAME.", metavar="GAME")]


def register(app: typer.Typer) -> None:
    app.command("games")(games)
    app.command("new-game")(new_game)
    app.command("check-game")(check_game)
    app.command("perft")(perft)


def games(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON list.")] = False) -> None:
    """List the games: the built-in ones and those of other packages."""
    from dataclasses import asdict

    from playmill.games.registry import list_games

    rows = list_games()
    if as_json:
        typer.echo(json.dumps([asdict(row) for row in rows]))
    else:
        _print_games(rows)


def _print_games(rows: list[GameInfo]) -> None:
    """A table of the games that work, then a line for each that does not."""
    from rich.console import Console
    from rich.table import Table

    table = Table("game", "players", "actions", "source", "title", box=None, pad_edge=False)
    for row in rows:
        if row.problem is None:
            table.add_row(row.name, str(row.players), str(row.actions), row.source, row.title)
    # Into a pipe one game is one line, however long.
    Console(width=None if sys.stdout.isatty() else 200).print(table)
    for row in rows:
        if row.problem is not None:
            typer.echo(f"broken: {row.problem}", err=True)


def new_game(
    name: Annotated[str, typer.Argument(help="Small letters, digits and underscores.")],
    into: Annotated[Path, typer.Option(help="Where the package's folder goes.")] = Path(),
) -> None:
    """Write a new game as a package of its own: a small one that plays and passes all checks."""
    from playmill.games import scaffold

    for path in scaffold.new_game(name, into):
        typer.echo(str(path))
    typer.echo(f"next: cd {into / name} && pip install -e '.[dev]' && playmill check-game {name}")


def check_game(
    name: GameName,
    games: Annotated[int, typer.Option(help="How many random games to try the promises on.")] = 20,
    seed: Annotated[int, typer.Option(help="Same seed, same games.")] = 0,
    twin: Annotated[str | None, typer.Option(help="The rules once more as plain Python, at module:Class.")] = None,
    write_golden: Annotated[bool, typer.Option("--write-golden", help="Store a new golden playthrough, too.")] = False,
) -> None:
    """Check that a game keeps the promises of the contract."""
    from playmill.games import conformance, golden
    from playmill.games.kit.promise import GOLDEN
    from playmill.games.kit.promises import PROMISES
    from playmill.games.registry import get_game, load_address

    rules = get_game(name)
    other = load_address("twin", twin) if twin else None
    # The playthrough comes last, so that a game that breaks another promise doesn't store one.
    conformance.check_game(rules, other, games, seed, [p for p in PROMISES if p != GOLDEN], on_kept=_print_kept)
    if write_golden:
        typer.echo(f"wrote {golden.write_golden(rules)}")
    conformance.check_game(rules, other, games, seed, [GOLDEN], on_kept=_print_kept)


def _print_kept(promise: str) -> None:
    tick = "✓" if "utf" in (sys.stdout.encoding or "").lower() else "ok"
    typer.echo(f"{tick} {promise}")


def perft(
    game: GameName,
    plies: Annotated[int, typer.Option(help="How deep to count.")],
    complete: Annotated[bool, typer.Option("--complete", help="Count the complete games of at most PLIES plies.")] = False,
) -> None:
    """Count a game's distinct positions ply by ply, to be compared with known numbers."""
    from playmill.games.perft import count_games, count_positions
    from playmill.games.registry import get_game

    rules = get_game(game)
    if complete:
        typer.echo(f"{count_games(rules, plies)} complete games of at most {plies} plies")
    else:
        for ply, count in enumerate(count_positions(rules, plies)):
            typer.echo(f"ply {ply}: {count}")
