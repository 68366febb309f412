"""The conformance kit: does a game keep the promises of the contract? As a function, a command and a pytest class.

A game's whole test file:

    from playmill.games.conformance import GameConformance

    class TestMyGame(GameConformance):
        game = "mygame"
        twin = MyTwin  # optional: the rules once more, as plain Python (`games/kit/twins.py`)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from unittest import SkipTest

from playmill.core.errors import PlaymillError, require_positive, require_seed, unknown_name
from playmill.games.game import Game
from playmill.games.kit.behaviour import kernels_compile
from playmill.games.kit.promise import GAMES_END, breach_error
from playmill.games.kit.promises import PROMISES
from playmill.games.kit.samples import Sample, sample_games
from playmill.games.registry import get_game

GAMES = 20


@dataclass(frozen=True)
class Report:
    """What was checked: the promises kept, and on how many random games and states.

    `unchecked` has those that there was nothing to check on, with the reason.
    """

    game: str
    promises: tuple[str, ...]
    games: int
    states: int
    unchecked: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        kept = f"{self.game} keeps {len(self.promises)} promises in {self.games} random games ({self.states} states)"
        return f"{kept}; {len(self.unchecked)} had nothing to check" if self.unchecked else kept


def check_game(
    game: str | Game,
    twin: Any = None,
    games: int = GAMES,
    seed: int = 0,
    promises: Iterable[str] | None = None,
    on_checked: Callable[[str, str | None], None] = lambda name, nothing: None,
) -> Report:
    """Check all promises, or those named, on `games` random games; the first broken one raises a ContractError.

    `on_checked` hears the name of each promise as it passes, and the reason if there was nothing to check.
    """
    game = get_game(game) if isinstance(game, str) else game
    names = _known(promises)
    sample = _sample(game, require_positive("games", games), require_seed(seed))
    unchecked: dict[str, str] = {}
    for name in names:
        nothing = PROMISES[name].check(game, twin, sample)
        if nothing is not None:
            unchecked[name] = nothing
        on_checked(name, nothing)
    kept = tuple(name for name in names if name not in unchecked)
    return Report(game.name, kept, games, sample.size, unchecked)


def _known(promises: Iterable[str] | None) -> list[str]:
    names = list(PROMISES if promises is None else promises)
    for name in names:
        if name not in PROMISES:
            raise unknown_name("promise", name, PROMISES)
    return names


def _sample(game: Game, games: int, seed: int) -> Sample:
    """The random games. Kernels are compiled first: Numba's own words fill a screen and don't name the kernel."""
    kernels_compile.check(game, None, Sample(seed, ()))
    try:
        return sample_games(game, games, seed)
    except PlaymillError:
        raise
    except Exception as error:
        raise breach_error(game, GAMES_END, f"a random game stopped with {type(error).__name__}: {error}") from error


class GameConformance:
    """Subclass it as `Test...` with a `game`: pytest then runs one test per promise. It needs no import of pytest."""

    game: str | Game
    twin: Any = None
    games: int = GAMES
    seed: int = 0

    def pytest_generate_tests(self, metafunc: Any) -> None:
        if "promise" in metafunc.fixturenames:
            metafunc.parametrize("promise", list(PROMISES))

    def test_promise(self, promise: str) -> None:
        """A promise that there is nothing to check on is skipped, with the reason."""
        report = check_game(self.game, self.twin, self.games, self.seed, promises=[promise])
        if promise in report.unchecked:
            raise SkipTest(report.unchecked[promise])
