"""The one loop that plays Diplomacy's games: several side by side in a thread, each in a lane, refilled as games end.

`play/cohort.py` can't: there one player moves at a time, and a move is a number. Here seven move at once, and a move is a set
of orders. What is done many times over goes through the same executor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Protocol, TypeVar

from playmill.core.executor import stop_sign, tell
from playmill.packs.diplomacy.players.team import Team


class LaneGame(Protocol):
    """A game under way."""

    @property
    def is_over(self) -> bool: ...


GameT = TypeVar("GameT", bound=LaneGame)


def play_side_by_side(
    numbers: Iterable[int],
    teams: Iterable[Team],
    lanes: int,
    begin: Callable[[int], GameT],
    play_round: Callable[[list[GameT]], None],
    describe: Callable[[GameT], Any],
) -> None:
    """Play the games of these numbers, a phase of all lanes a round; each is told when it is over, as `describe` has it.

    Stopped if the run ends before.
    """
    stop = stop_sign()
    for flag in (flag for team in teams for flag in team.stops):
        stop.link(flag)
    rest, playing = iter(numbers), list[GameT]()
    while True:
        playing += [begin(number) for number in islice(rest, lanes - len(playing))]
        if not playing:
            return
        play_round(playing)
        stop.check()  # a search that was told to stop may have answered otherwise
        for game in playing:
            if game.is_over:
                tell(describe(game))
        playing = [game for game in playing if not game.is_over]


def deal_games(numbers: range, threads: int, lanes: int) -> list[tuple[int, ...]]:
    """The games of each task: one after the other; with several lanes a share for each thread, so that none runs empty."""
    if lanes == 1:
        return [(number,) for number in numbers]
    return [tuple(numbers[i::threads]) for i in range(min(threads, len(numbers)))]
