"""One ply, exactly: what each action of a state is worth, on average over everything that chance can make of it.

For games that list their outcomes (`outcomes` kernel), and for games without chance. What follows is judged by a function of
records, such as a network's opinion (`judge_of`); finished games count as they ended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from playmill.core.errors import UsageError
from playmill.core.evaluation import VALUES, Evaluator
from playmill.games.game import Game
from playmill.games.heads import Aim, check_heads, worth_of
from playmill.games.many import encode_all, movers
from playmill.search.decisions import Array
from playmill.search.expectation_kernels import follow, list_distinct

Judge = Callable[[Array], Array]  # the game's records [n] -> float64 [n, players]: what each is worth to each player, by seat


@dataclass(frozen=True)
class Expectations:
    """What the actions of one state are worth: those that differ in effect, ascending."""

    actions: Array  # int32 [n]
    utilities: Array  # float64 [n, players], by seat
    mover: int

    @property
    def best(self) -> int:
        """The action that is worth most to the mover; a tie goes to the lowest."""
        return int(self.actions[np.argmax(self.utilities[:, self.mover])])


def expect_actions(game: Game, record: Array, judge: Judge) -> Expectations:
    """The exact expectation of every action in an unfinished state."""
    _check(game)
    states = np.array([record], game.state)
    actions = np.empty(game.max_legal, np.int32)
    actions = actions[: list_distinct(game, states, actions)]
    parts = [_outcomes(game, states, action) for action in actions.tolist()]
    owner = np.repeat(np.arange(actions.size), [len(records) for records, _, _ in parts])
    records, chances, utilities = (np.concatenate(column) for column in zip(*parts, strict=True))
    goes_on = np.isnan(utilities[:, 0])
    if goes_on.any():
        utilities[goes_on] = judge(records[goes_on])
    sums = np.zeros((actions.size, game.players))
    np.add.at(sums, owner, chances[:, None] * utilities)  # in order, so that sums are the same everywhere
    mover = np.zeros(1, np.int8)
    movers(game, states, mover)
    return Expectations(actions, sums, int(mover[0]))


def judge_of(game: Game, evaluator: Evaluator, aim: Aim | None = None, rows: int = 1024) -> Judge:
    """A network's opinion: what its answers are worth to each player, asked in batches of so many rows."""
    check_heads(game, evaluator.heads)
    buffer, worth = evaluator.open_buffer(game, rows), worth_of(game, evaluator.heads, aim or Aim())

    def judge(records: Array) -> Array:
        utilities = np.empty((len(records), game.players))
        for first in range(0, len(records), rows):
            some = records[first : first + rows]
            encode_all(game, some, buffer.features[: len(some)])
            evaluator.submit(buffer, len(some), VALUES)
            evaluator.collect(buffer)
            answers = buffer.values[: len(some)].astype(np.float64)
            # No matrix product: its last digits depend on the machine.
            utilities[first : first + rows] = _by_seat(game, some, (answers[:, None, :] * worth).sum(axis=2))
        return utilities

    return judge


def _outcomes(game: Game, states: Array, action: int) -> tuple[Array, Array, Array]:
    """The records that may follow, their probabilities, and the utilities of finished ones, NaN for the others."""
    records, chances = game.records(game.max_outcomes), np.zeros(game.max_outcomes)
    utilities = np.full((game.max_outcomes, game.players), np.nan)
    count = follow(game, states, action, records, chances, utilities)
    return records[:count], chances[:count], utilities[:count]


def _by_seat(game: Game, records: Array, from_mover: Array) -> Array:
    """Utilities that count the players from the mover, by seat."""
    mover = np.zeros(len(records), np.int8)
    movers(game, records, mover)
    places = (np.arange(game.players)[None] - mover[:, None]) % game.players
    by_seat: Array = np.take_along_axis(from_mover, places, axis=1)
    return by_seat


def _check(game: Game) -> None:
    if "chance_key" in game.kernels and "outcomes" not in game.kernels:
        raise UsageError(f"{game.name}: exact expectations need a game that lists its outcomes; it has no 'outcomes' kernel")
