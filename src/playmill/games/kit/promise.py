"""What a promise is: a named check, and one line when it is broken."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from playmill.core.errors import ContractError, PlaymillError
from playmill.games.game import Game
from playmill.games.golden import one_line

if TYPE_CHECKING:
    from playmill.games.kit.samples import Sample

    Check = Callable[[Game, Any, Sample], None]

GAMES_END = "games end"
LEGAL_IN_ORDER = "legal actions in order"
GOLDEN = "the golden playthrough replays"


class Promise(NamedTuple):
    """`check(game, twin, sample)` raises a ContractError at the first breach."""

    name: str
    check: Check


class Breach(Exception):
    """What a game did against a promise, and in which record."""

    def __init__(self, game: Game, what: str, record: Any = None) -> None:
        where = "" if record is None else f" in '{game.text(record)}'"
        super().__init__(one_line(what + where))


def breach_error(game: Game, name: str, what: object) -> ContractError:
    """The one line that a broken promise gets."""
    return ContractError(one_line(f"{game.name}: broken promise '{name}': {what}"))


def promise(name: str) -> Callable[[Check], Promise]:
    """Make a promise of a check. Whatever goes wrong in it becomes one line that names the game and the promise."""

    def name_it(function: Check) -> Promise:
        @functools.wraps(function)
        def check(game: Game, twin: Any, sample: Sample) -> None:
            try:
                function(game, twin, sample)
            except PlaymillError:
                raise
            except Breach as breach:
                raise breach_error(game, name, breach) from breach.__cause__
            except Exception as error:
                raise breach_error(game, name, f"{type(error).__name__}: {error}") from error

        return Promise(name, check)

    return name_it
