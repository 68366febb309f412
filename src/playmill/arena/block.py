"""A block of a match as a task: its games side by side, one a lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from playmill.arena.standing import Standing, scores_of
from playmill.core.executor import stop_sign, tell, worker_local
from playmill.games.game import Game
from playmill.play.cohort import Cohort, run_in_turn
from playmill.play.player import MakePlayer, Player
from playmill.play.recorder import Games, Played, Tape, points_in
from playmill.search.decisions import Array


@dataclass(frozen=True)
class BlockTask:
    """Some games of a match. `most` is how many any block has: a worker's bots serve all its blocks."""

    game: Game
    makers: tuple[MakePlayer, ...]
    games: Games
    opening: int
    most: int


@dataclass(frozen=True)
class PlayedBlock:
    """What came of it: the games in order, in one or several parts, and who the bots were."""

    played: list[Played]
    names: tuple[str, ...]
    draws: bool


def play_block(task: BlockTask) -> PlayedBlock:
    """Play the games; what they come to is told as they end."""
    crews = worker_local("crews", lambda: _crews(task))
    size = -(-task.games.numbers.size // len(crews))
    parts = [task.games.take(slice(first, first + size)) for first in range(0, task.games.numbers.size, size)]
    records = [_Record(task.game, part.numbers.size) for part in parts]
    cohorts = [
        Cohort(task.game, crew, iter([part]), part.numbers.size, record, task.opening)
        for crew, part, record in zip(crews, parts, records, strict=False)
    ]
    stop = stop_sign()
    for _ in run_in_turn(cohorts):
        stop.check()
    played = [record.take(int(part.numbers[0]), part.numbers.size) for part, record in zip(parts, records, strict=True)]
    return PlayedBlock(played, tuple(bot.name for bot in crews[0]), any(bot.draws for bot in crews[0]))


def _crews(task: BlockTask) -> list[Sequence[Player]]:
    """This worker's bots: as many sets as it takes to hide the wait for evaluations."""
    crews = [[make(task.most) for make in task.makers]]
    more = max(bot.in_turn for bot in crews[0]) - 1
    return [*crews, *([make(task.most) for make in task.makers] for _ in range(more))]


class _Record(Tape):
    """A tape that also tells what bot 0 has made of the games that ended."""

    def __init__(self, game: Game, lanes: int) -> None:
        super().__init__(lanes)
        self.game = game
        self._seats = np.zeros((lanes, game.players), np.int8)

    def began(self, lanes: Array, games: Games) -> None:
        super().began(lanes, games)
        self._seats[lanes] = games.seats

    def ended(self, lanes: Array, utilities: Array, records: Array) -> None:
        super().ended(lanes, utilities, records)
        is_own = self._seats[lanes] == 0
        points = np.where(is_own, points_in(self.game, records), 0.0).sum(axis=1) / is_own.sum(axis=1)
        tell(Standing(int(lanes.size), float(scores_of(utilities, is_own).sum()), float(points.sum())))
