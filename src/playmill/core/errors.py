"""Errors a user can act on. Each message is one line: what was expected, what came, where, the way out.

A command prints the line and exits with `exit_code`; anything else that is raised is a bug and shows its traceback.
"""

from __future__ import annotations

import difflib
import traceback
from collections.abc import Iterable

LARGEST = 10**12  # that anything may be asked for: enough for everybody, and no number overflows on its way
MAX_WORKERS = 1024  # threads; a machine with more cores has not been seen
MAX_LISTED = 30  # names in a message
LINE = 200  # characters of another's message


class PlaymillError(Exception):
    """Something went wrong that the user should read about in one line."""

    exit_code = 1


class Interrupted(PlaymillError):
    """The user stopped the work; starting it again goes on."""

    exit_code = 130

    def __init__(self) -> None:
        super().__init__("interrupted; start the same command again to go on")


class UsageError(PlaymillError):
    """The request itself can't be carried out as asked."""

    exit_code = 2


class UnknownName(UsageError):
    """A name that is not in a list of known ones."""


class IllegalAction(UsageError):
    """An action that the rules forbid in this state."""


class ContractError(UsageError):
    """A game module breaks a promise of the game contract."""


def suggestion(name: str, known: Iterable[str], meant: str | None = None) -> str:
    """What to add to a line about a misspelt name: what was `meant`, else the nearest one, and all there are."""
    names = sorted(known)
    near = [meant] if meant else difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return f"{hint} (known: {', '.join(_grouped(names)) or 'none'})"


def _grouped(names: list[str]) -> list[str]:
    """The names; of very many, only what their groups are called."""
    if len(names) <= MAX_LISTED:
        return names
    return sorted({f"{group}.*" if dot else group for group, dot, _ in (name.partition(".") for name in names)})


def unknown_name(kind: str, name: str, known: Iterable[str], meant: str | None = None) -> UnknownName:
    """The error for a misspelt name: it suggests what was `meant`, or the nearest one, and lists the rest."""
    return UnknownName(f"unknown {kind} '{name}'{suggestion(name, known, meant)}")


def one_line(error: object) -> str:
    """An error's text without its line breaks, cut where it gets long."""
    text = " ".join(str(error).split())
    return text if len(text) <= LINE else text[: LINE - 3] + "..."


def raised_where(error: BaseException) -> str:
    """An error of somebody else's code in one line: its kind, its text, and the file and line that raised it."""
    place = traceback.extract_tb(error.__traceback__)
    where = f" ({place[-1].filename}, line {place[-1].lineno})" if place else ""
    return one_line(f"{type(error).__name__}: {error}") + where


def require_positive(what: str, value: int, most: int = LARGEST) -> int:
    """Return `value`, or refuse it by name if it is not a whole number above 0, or too large."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UsageError(f"{what}: expected a whole number above 0, got {value!r}")
    if value > most:
        raise UsageError(f"{what}: expected at most {most:,}, got {value!r}")
    return value


def require_workers(value: int) -> int:
    """Return `value` if so many threads can be started."""
    return require_positive("workers", value, MAX_WORKERS)


def require_seed(value: int) -> int:
    """Return `value` if it fits the 64 bits that a seed has."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 64:
        raise UsageError(f"seed: expected a whole number from 0 to 2**64 - 1, got {value!r}")
    return value
