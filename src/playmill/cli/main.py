"""`playmill`: the commands in one app, and the one place where errors become a line and an exit code."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from playmill.cli import (
    arena,
    bench,
    config,
    diplomacy,
    explore,
    games,
    nets,
    oracle,
    report,
    run,
    selfplay,
    simulate,
    train,
    verify,
)
from playmill.cli.app import App
from playmill.core.disk import is_from_writing, refusal_line
from playmill.core.errors import PlaymillError

app = App(
    name="playmill",
    help="Turns play into data, players and puzzles.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for room in (games, simulate, config, run, selfplay, train, arena, verify, report, explore, nets, bench):
    room.register(app)
app.add_typer(oracle.app, name="oracle")
app.add_typer(diplomacy.app, name="diplomacy")

INTERRUPTED = 130

# Older Typer raises Click's exceptions, newer Typer its own copies of them; both derive these two from one base.
_ClickException: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


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


def main() -> None:
    """Run a command; exit 2 on bad input, 1 on failure, with one line on stderr either way."""
    sys.exit(_run())


def _run() -> int:
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except _ClickException as error:
        return _fail(_one_line(error), 2)
    except PlaymillError as error:
        return _fail(str(error), error.exit_code)
    except BrokenPipeError:
        _forget_output()  # the reader went away (`| head`)
        return 1
    except OSError as error:
        if not is_from_writing(error):
            raise
        _forget_output()  # it may be standard output itself that stands on a full disk
        return _fail(refusal_line(error), 1)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", INTERRUPTED)


def _forget_output() -> None:
    """Drop what standard output still holds: Python would complain once more while it flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _one_line(error: Exception) -> str:
    """What was wrong with the command's words, and where help is."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "playmill"
    text = " ".join(error.format_message().split())  # type: ignore[attr-defined]
    return f"{text} (see `{command} --help`)"


def _fail(line: str, code: int) -> int:
    print(f"playmill: {line}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
