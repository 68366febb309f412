"""Recorders: they hear all that happens in a cohort. `Tape` is the plainest one, of moves and ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from playmill.games.game import Game
from playmill.games.many import points_of
from playmill.play.player import Ask, Moves
from playmill.search.decisions import Array


@dataclass(frozen=True)
class Games:
    """Games to play, one row each."""

    numbers: Array  # int64 [n]: what recorders know them by
    seeds: Array  # uint64 [n]: their episodes
    seats: Array  # int8 [n, seats]: which of the cohort's players sits there

    def take(self, rows: slice) -> Games:
        return Games(self.numbers[rows], self.seeds[rows], self.seats[rows])


class Recorder(Protocol):
    """Hears of everything that happens in a cohort, in this order for each game: it began, moves, it ended."""

    def began(self, lanes: Array, games: Games) -> None:
        """These games stand in `lanes` from now on."""

    def decided(self, player: int, ask: Ask, moves: Moves) -> None:
        """Player number `player` chose, and its moves are about to be played; -1: they were drawn for an opening."""

    def ended(self, lanes: Array, utilities: Array, records: Array) -> None:
        """The games in `lanes` are over: `utilities` [n, seats], and the records that they ended with."""


@dataclass(frozen=True)
class Played:
    """Whole games, one row each, by number."""

    utilities: Array  # float64 [n, seats]
    finals: Array  # the game's records [n]
    plies: Array  # int32 [n]
    actions: Array  # int32: all moves of the first game, then of the next, ...


class Tape:
    """A recorder of moves and ends."""

    def __init__(self, lanes: int) -> None:
        self._numbers = np.full(lanes, -1)  # by lane
        self._moves: list[tuple[Array, ...]] = []  # numbers, plies, actions
        self._ends: list[tuple[Array, ...]] = []  # numbers, utilities, records

    def began(self, lanes: Array, games: Games) -> None:
        self._numbers[lanes] = games.numbers

    def decided(self, player: int, ask: Ask, moves: Moves) -> None:
        self._moves.append((self._numbers[ask.lanes], ask.plies, moves.actions))

    def ended(self, lanes: Array, utilities: Array, records: Array) -> None:
        self._ends.append((self._numbers[lanes], utilities, records))

    def take(self, first: int, count: int) -> Played:
        """The games first..first+count-1, which must have ended; the tape keeps the others."""
        (numbers, plies, actions), self._moves = split_games(self._moves, first, count)
        order = np.lexsort((plies, numbers))
        counts = np.bincount(numbers - first, minlength=count).astype(np.int32)
        (numbers, utilities, records), self._ends = split_games(self._ends, first, count)
        by_number = np.argsort(numbers)
        return Played(utilities[by_number], records[by_number], counts, actions[order])


def split_games(pieces: list[tuple[Array, ...]], first: int, count: int) -> tuple[tuple[Array, ...], list[tuple[Array, ...]]]:
    """Join pieces of equal columns, the first of them a game's number; part rows of first..first+count-1 from the others."""
    columns = [np.concatenate(column) for column in zip(*pieces, strict=True)]
    is_theirs = (columns[0] >= first) & (columns[0] < first + count)
    return tuple(column[is_theirs] for column in columns), [tuple(column[~is_theirs] for column in columns)]


def points_in(game: Game, records: Array) -> Array:
    """The points of each seat in each record, float64 [n, seats]; 0 in a game without any."""
    points = np.zeros((records.size, game.players))
    if "points" in game.kernels and records.size:
        points_of(game, records, points)
    return points
