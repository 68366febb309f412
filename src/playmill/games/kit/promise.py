"""What a promise is: a named check, and one line when it is broken."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from playmill.core.errors import ContractError, PlaymillError
from playmill.core.jit import IS_COMPILED
from playmill.games.game import Game, one_line

if TYPE_CHECKING:
    from playmill.games.kit.samples import Sample

    Check = Callable[[Game, Any, Sample], None]
    Need = Callable[[Game, Any, Sample], str | None]

GAMES_END = "games end"
LEGAL_IN_ORDER = "legal actions in order"
GOLDEN = "the golden playthrough replays"


class Promise(NamedTuple):
    """`check(game, twin, sample)` raises a ContractError at the first breach.

    It returns None if the promise was kept, and the reason if there was nothing to check it on.
    """

    name: str
    check: Need


class Breach(Exception):
    """What a game did against a promise, and in which record."""

    def __init__(self, game: Game, what: str, record: Any = None) -> None:
        where = "" if record is None else f" in '{game.text(record)}'"
        super().__init__(one_line(what + where))


def breach_error(game: Game, name: str, what: object) -> ContractError:
    """The one line that a broken promise gets."""
    return ContractError(one_line(f"{game.name}: broken promise '{name}': {what}"))


# ------------------------------------------------------------------ what a promise may need


def needs_kernel(name: str) -> Need:
    """A kernel that not every game has."""
    return lambda game, twin, sample: None if name in game.kernels else f"the game has no '{name}' kernel"


def needs_features(game: Game, twin: Any, sample: Sample) -> str | None:
    return None if game.features else "the game has no features"


def needs_decisions(game: Game, twin: Any, sample: Sample) -> str | None:
    """A moment in which somebody can move."""
    return "no random game had a decision" if next(sample.decisions(), None) is None else None


def needs_twin(game: Game, twin: Any, sample: Sample) -> str | None:
    return "no twin was given" if twin is None else None


def needs_compiler(game: Game, twin: Any, sample: Sample) -> str | None:
    """Without it, everything ran as plain Python anyway."""
    return None if IS_COMPILED else "Numba is switched off"


def promise(name: str, *needs: Need) -> Callable[[Check], Promise]:
    """Make a promise of a check. Whatever goes wrong in it becomes one line that names the game and the promise.

    Each of `needs` says why there may be nothing to check, or None.
    """

    def name_it(function: Check) -> Promise:
        @functools.wraps(function)
        def check(game: Game, twin: Any, sample: Sample) -> str | None:
            try:
                if nothing := next(filter(None, (need(game, twin, sample) for need in needs)), None):
                    return nothing
                function(game, twin, sample)
                return None
            except PlaymillError:
                raise
            except Breach as breach:
                raise breach_error(game, name, breach) from breach.__cause__
            except Exception as error:
                raise breach_error(game, name, f"{type(error).__name__}: {error}") from error

        return Promise(name, check)

    return name_it
