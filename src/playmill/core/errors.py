"""Errors a user can act on. Each message is one line: what was expected, what came, where, the way out.

A command prints the line and exits with `exit_code`; anything else that is raised is a bug and shows its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class PlaymillError(Exception):
    """Something went wrong that the user should read about in one line."""

    exit_code = 1


class UsageError(PlaymillError):
    """The request itself can't be carried out as asked."""

    exit_code = 2


class UnknownName(UsageError):
    """A name that is not in a list of known ones."""


class IllegalAction(UsageError):
    """An action that the rules forbid in this state."""


class ContractError(UsageError):
    """A game module breaks a promise of the game contract."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """The error for a misspelt name: it suggests the nearest one and lists the rest."""
    names = sorted(known)
    near = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return UnknownName(f"unknown {kind} '{name}'{hint} (known: {', '.join(names)})")


def require_positive(what: str, value: int) -> int:
    """Return `value`, or refuse it by name if it is not a whole number above 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UsageError(f"{what}: expected a whole number above 0, got {value!r}")
    return value


def require_seed(value: int) -> int:
    """Return `value` if it fits the 64 bits that a seed has."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 64:
        raise UsageError(f"seed: expected a whole number from 0 to 2**64 - 1, got {value!r}")
    return value
