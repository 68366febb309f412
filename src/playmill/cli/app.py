"""`playmill`: the commands in one app, and what holds for the words of all of them."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer
from typer.main import get_command

from playmill.cli import (
    arena,
    bench,
    config,
    diplomacy,
    doctor,
    explore,
    export,
    games,
    katago,
    measure,
    models,
    nets,
    oracle,
    play,
    profile,
    puzzles,
    replay,
    report,
    run,
    selfplay,
    selfplay_report,
    serve,
    simulate,
    solve,
    status,
    studio,
    train,
    tui,
    tune,
    verify,
    warmup,
)
from playmill.cli.groups import App
from playmill.core.errors import LARGEST

app = App(
    name="playmill",
    help="Turns play into data, players and puzzles.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
ROOMS = (
    games, simulate, config, run, selfplay, train, arena, measure, verify, status, tui, studio, report, selfplay_report,
    export, explore, play, solve, models, nets, serve, doctor, tune, profile, bench, warmup,
)  # fmt: skip
for room in ROOMS:
    room.register(app)
app.add_typer(replay.app, name="replay")
app.add_typer(oracle.app, name="oracle")
app.add_typer(diplomacy.app, name="diplomacy")
app.add_typer(puzzles.app, name="puzzles")
app.add_typer(katago.app, name="katago")


def _print_version(wanted: bool) -> None:
    if wanted:
        from playmill import __version__

        typer.echo(f"playmill {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


@functools.cache
def whole_command() -> Any:
    """The app as the command that runs it, strict about paths and numbers."""
    command = get_command(app)
    _make_strict(command)
    return command


# ------------------------------------------------------------------ words of all commands


def _make_strict(command: Any) -> None:
    for inner in getattr(command, "commands", {}).values():
        _make_strict(inner)
    hints = get_type_hints(inspect.unwrap(command.callback)) if command.callback else {}
    for parameter in command.params:
        is_path = Path in _parts(hints.get(parameter.name))
        parameter.process_value = functools.partial(_process, parameter.process_value, is_path, parameter.name)


def _parts(annotation: Any) -> tuple[Any, ...]:
    """The types that an annotation is made of: `Path`, `Path | None`, `list[Path]`."""
    return (annotation, *(part for inner in get_args(annotation) for part in _parts(inner)))


def _process(process: Callable[[Any, Any], Any], is_path: bool, name: str, context: Any, value: Any) -> Any:
    """The value of a word; an empty path would be the working directory, and no number is endless."""
    if is_path and "" in _several(value):
        raise typer.BadParameter("expected a path, got an empty one")
    found = process(context, value)
    for number in _several(found):
        if isinstance(number, float) and not math.isfinite(number):
            raise typer.BadParameter(f"expected a finite number, got {number}")
        if type(number) is int and name != "seed" and abs(number) > LARGEST:
            raise typer.BadParameter(f"expected at most {LARGEST:,}, got {number}")
    return found


def _several(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)
