"""One ply, exactly: what each action of a state is worth, on average over everything that chance can make of it.

For games that list their outcomes (`outcomes` kernel), and for games without chance. What follows is judged by a function of
records, such as a network's opinion (`judge_of`); finished games count as they ended. `one_ply.py` searches many games so.
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
from playmill.search.expectation_kernels import add_up, list_children, make_children, take_answers

ROOM = 1024  # children that are judged at a time
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
    check_listed(game)
    states, children, cursor = np.array([record], game.state), make_children(game, ROOM), np.zeros(3, np.int64)
    count, mover = np.zeros(1, np.int32), np.zeros(1, np.int8)
    actions, sums = np.zeros((1, game.max_legal), np.int32), np.zeros((1, game.max_legal, game.players))
    while found := list_children(game, states, cursor, count, actions, children):
        goes_on = np.flatnonzero(~children.is_over[:found])
        if goes_on.size:
            children.utilities[goes_on] = judge(children.records[goes_on])
        add_up(children, found, sums)
    movers(game, states, mover)
    return Expectations(actions[0, : count[0]], sums[0, : count[0]], int(mover[0]))


def judge_of(game: Game, evaluator: Evaluator, aim: Aim | None = None, rows: int = ROOM) -> Judge:
    """A network's opinion: what its answers are worth to each player, asked in batches of so many rows."""
    check_heads(game, evaluator.heads)
    buffer, worth = evaluator.open_buffer(game, rows), worth_of(game, evaluator.heads, aim or Aim())

    def judge(records: Array) -> Array:
        utilities, mover = np.empty((len(records), game.players)), np.zeros(len(records), np.int8)
        movers(game, records, mover)
        for first in range(0, len(records), rows):
            asked = np.arange(first, min(first + rows, len(records)), dtype=np.int32)
            encode_all(game, records[asked], buffer.features[: asked.size])
            evaluator.submit(buffer, asked.size, VALUES)
            evaluator.collect(buffer)
            take_answers(asked, asked.size, mover, buffer.values, worth, utilities)
        return utilities

    return judge


def check_listed(game: Game) -> None:
    """Refuse a game whose chance is not listed."""
    if "chance_key" in game.kernels and "outcomes" not in game.kernels:
        why = "it has no 'outcomes' kernel; use puct"
        raise UsageError(f"{game.name}: exact expectations need a game that lists its outcomes, and {why}")
