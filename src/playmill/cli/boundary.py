"""The one place where errors become a line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from playmill.cli.environment import check_environment, unreadable_variable
from playmill.cli.streams import forget_output
from playmill.core import leaving
from playmill.core.disk import is_from_writing, refusal_line
from playmill.core.errors import PlaymillError, UsageError, one_line
from playmill.core.extras import missing_extra
from playmill.core.leaving import INTERRUPTED


def run(words: Sequence[str] | None = None) -> int:
    """Run the command that `words` ask for, else those of this process; return the exit code."""
    try:
        check_environment()
        from playmill.cli.app import whole_command

        code = int(whole_command().main(words, prog_name="playmill", standalone_mode=False) or 0)
        sys.stdout.flush()
        return _fail("interrupted", code) if code == INTERRUPTED else code
    except (Exception, KeyboardInterrupt) as error:
        return _answer(error)


def _answer(error: BaseException) -> int:
    """Tell of an error in a line and return the exit code; a bug shows its traceback, too."""
    if isinstance(error, BrokenPipeError):
        _forget_output()  # the reader went away (`| head`)
        return 1
    if _is_interruption(error):
        return _fail("interrupted", INTERRUPTED)
    if isinstance(error, OSError) and is_from_writing(error):
        _forget_output()  # it may be standard output itself that stands on a full disk
    told = explain(unreadable_variable(error) or error)
    if told is None:
        sys.excepthook(type(error), error, error.__traceback__)
        return _fail(f"this is a bug in playmill: {type(error).__name__}: {one_line(error)}", 1)
    line, code = told
    return _fail(line, code) if line else code


def explain(error: BaseException) -> tuple[str, int] | None:
    """The line and the exit code of an error that users can act on; None for a bug."""
    if isinstance(error, PlaymillError):
        return str(error), error.exit_code
    if _is_of_click(error):
        return _line_of_click(error), UsageError.exit_code
    if isinstance(error, OSError):
        return _line_of_system(error)
    if isinstance(error, ModuleNotFoundError):
        line = missing_extra(error)
        return None if line is None else (line, UsageError.exit_code)
    if _is_out_of_memory(error):
        return f"not enough memory ({one_line(error) or 'no more is left'}); ask for less at a time", 1
    return None


def _is_interruption(error: BaseException) -> bool:
    """Whether it is Ctrl-C, or what became of it: a library may answer it with an error of its own."""
    is_bug = not isinstance(error, PlaymillError) and leaving.is_interrupted()
    return isinstance(error, KeyboardInterrupt) or type(error).__name__ == "Abort" or is_bug


def _is_of_click(error: BaseException) -> bool:
    """Older Typer raises Click's exceptions, newer Typer its own copies of them."""
    return any(kind.__name__ == "ClickException" for kind in type(error).__mro__)


def _line_of_click(error: BaseException) -> str:
    """What was wrong with the command's words, and where help is."""
    text = _expected(error, " ".join(error.format_message().split()))  # type: ignore[attr-defined]
    if not text:
        return ""  # an app without words shows its help by itself, and raises an error that says nothing more
    context = getattr(error, "ctx", None)
    return f"{text} (see `{context.command_path if context is not None else 'playmill'} --help`)"


def _expected(error: BaseException, text: str) -> str:
    """The text about an option's value, in our words where Typer has it from pydantic: what was expected, what came."""
    problems = getattr(error.__cause__, "errors", None)
    if problems is None:
        return text
    from playmill.core.documents import SHOWN, expectation

    problem = problems()[0]
    return text.replace(problem["msg"], f"{expectation(problem['msg'])}, got {str(problem['input'])[:SHOWN]}")


def _line_of_system(error: OSError) -> tuple[str, int]:
    """A disk that refuses to be written is a failure; any other file that can't be had was asked for."""
    if is_from_writing(error):
        return refusal_line(error), 1
    words = error.strerror or one_line(error)
    if error.filename is None:
        return f"the system refused: {words}", 1
    return f"{os.fsdecode(error.filename)}: can't be read ({words})", UsageError.exit_code


def _is_out_of_memory(error: BaseException) -> bool:
    """torch has errors of its own for it, on either device."""
    return isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError" or "can't allocate memory" in str(error)


def _forget_output() -> None:
    with suppress(OSError, ValueError):
        forget_output()


def _fail(line: str, code: int) -> int:
    if code != INTERRUPTED or leaving.may_say():
        with suppress(OSError):
            print(f"playmill: {line}", file=sys.stderr, flush=True)
    return code
