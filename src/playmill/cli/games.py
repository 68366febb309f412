"""`playmill games`, `new-game`, `check-game`, `perft`: which games there are, a new one, and whether one is sound."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from playmill.cli.options import AsJson, GameName, Seed
from playmill.cli.output import print_json, print_table

if TYPE_CHECKING:
    from playmill.games.registry import GameInfo

GAMES = 20  # that promises are tried on


def register(app: typer.Typer) -> None:
    app.command("games")(games)
    app.command("new-game")(new_game)
    app.command("check-game")(check_game)
    app.command("perft")(perft)


def games(as_json: AsJson = False) -> None:
    """List the games: the built-in ones and those of other packages."""
    from dataclasses import asdict

    from playmill.games.registry import list_games

    rows = list_games()
    if as_json:
        presets = _presets()
        print_json([{**asdict(row), "presets": presets.get(row.name, {})} for row in rows])
    else:
        _print_games(rows)


def _print_games(rows: list[GameInfo]) -> None:
    """A table of the games that work, then a line for each that does not."""
    from rich.table import Table

    table = Table("game", "players", "actions", "source", "title", box=None, pad_edge=False)
    for row in rows:
        if row.problem is None:
            actions = "-" if row.actions is None else str(row.actions)
            table.add_row(row.name, str(row.players), actions, row.source, row.title)
    print_table(table)
    for game, presets in _presets().items():
        for name, about in presets.items():
            typer.echo(f"{game} --preset {name}: {about}")
    for row in rows:
        if row.problem is not None:
            typer.echo(f"broken: {row.problem}", err=True)


def _presets() -> dict[str, dict[str, str]]:
    """By game: the named presets of playmill's own packs, for `playmill run GAME --preset NAME`, and what each is for."""
    from playmill.packs.registry import load_packs

    packs = [pack for pack in load_packs() if pack.named_presets]
    return {game: {name: preset.about for name, preset in pack.named_presets.items()} for pack in packs for game in pack.games}


def new_game(
    name: Annotated[str, typer.Argument(help="Small letters, digits and underscores.")],
    out: Annotated[Path, typer.Option(help="The folder in which the package gets its own. [default: here]")] = Path(),
    as_json: AsJson = False,
) -> None:
    """Write a new game as a package of its own: a small one that plays and passes all checks."""
    from playmill.games import scaffold

    paths = scaffold.new_game(name, out)
    if as_json:
        print_json({"name": name, "files": paths})
        return
    for path in paths:
        typer.echo(str(path))
    typer.echo("next:")
    for command in (
        f"pip install -e {shlex.quote(str(out / name))}",
        f"playmill check-game {name}",
        f"playmill simulate {name}",
    ):
        typer.echo(f"  {command}")


def check_game(
    name: GameName,
    games: Annotated[int, typer.Option(help="How many random games to try the promises on.")] = GAMES,
    seed: Seed = 0,
    twin: Annotated[str | None, typer.Option(help="The rules once more as plain Python, at module:Class.")] = None,
    write_golden: Annotated[bool, typer.Option("--write-golden", help="Store a new golden playthrough, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check that a game keeps the promises of the contract."""
    from playmill.games import conformance, golden
    from playmill.games.kit.promise import GOLDEN
    from playmill.games.kit.promises import PROMISES
    from playmill.games.registry import get_game, load_address

    rules = get_game(name)
    other = load_address("twin", twin) if twin else None
    tell = _say_nothing if as_json else _print_checked
    # The playthrough comes last, so that a game that breaks another promise doesn't store one.
    first = conformance.check_game(rules, other, games, seed, [p for p in PROMISES if p != GOLDEN], on_checked=tell)
    wrote = golden.write_golden(rules) if write_golden else None
    if wrote is not None and not as_json:
        typer.echo(f"wrote {wrote}")
    last = conformance.check_game(rules, other, games, seed, [GOLDEN], on_checked=tell)
    if as_json:
        sizes = {"games": games, "states": first.states}
        kept = [*first.promises, *last.promises]
        print_json({"game": rules.name, **sizes, "kept": kept, "unchecked": first.unchecked, "wrote": wrote})


def _say_nothing(promise: str, nothing: str | None) -> None:
    pass


def _print_checked(promise: str, nothing: str | None) -> None:
    """A tick for a promise that was kept, a dash and the reason for one that there was nothing to check on."""
    tick = "✓" if "utf" in (sys.stdout.encoding or "").lower() else "ok"
    typer.echo(f"{tick} {promise}" if nothing is None else f"- {promise}: nothing to check, {nothing}")


def perft(
    game: GameName,
    plies: Annotated[int, typer.Option(help="How deep to count.")],
    complete: Annotated[bool, typer.Option("--complete", help="Count the complete games of at most PLIES plies.")] = False,
    as_json: AsJson = False,
) -> None:
    """Count a game's distinct positions ply by ply, to be compared with known numbers."""
    from playmill.games.perft import count_games, count_positions
    from playmill.games.registry import get_game

    rules = get_game(game)
    if complete:
        found = count_games(rules, plies)
        if as_json:
            print_json({"game": rules.name, "plies": plies, "complete_games": found})
        else:
            typer.echo(f"{found} complete games of at most {plies} plies")
        return
    counts = count_positions(rules, plies)
    if as_json:
        print_json({"game": rules.name, "plies": plies, "positions": list(counts)})
    else:
        for ply, count in enumerate(counts):
            typer.echo(f"ply {ply}: {count}")
