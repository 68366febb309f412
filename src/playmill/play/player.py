"""Who sits in a seat: a search, a table, a person. A player answers for many games at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from playmill.search.decisions import Array, Decisions, Tells, Waiting


@dataclass(frozen=True)
class Ask:
    """Unfinished games in which a player is to move, one row each. All that it may draw is in `streams` and `words`."""

    lanes: Array  # int64 [n]: where the games stand
    records: Array  # the game's records [n]
    plies: Array  # int32 [n]
    streams: Array  # uint64 [n]: for what it imagines; the episodes' own chance never uses these words
    words: Array  # uint64 [n]: one each, to draw a move with


@dataclass(frozen=True)
class Moves:
    """A player's answer, one row a game."""

    actions: Array  # int32 [n]
    decisions: Decisions | None = None  # what it thought; always from those that tell anything
    is_sound: Array | None = None  # bool [n]: whether the policy thinks well of the action; None: of all


class Player(Protocol):
    """A player of many games, each in a lane of its own for as long as it lasts. It belongs to one thread."""

    name: str
    draws: bool  # whether its choice in a position depends on chance of its own, but for what it imagines
    tells: Tells  # what a recorder may learn from its moves
    in_turn: int  # how many cohorts a thread should keep, so that its evaluations are never waited for

    def choose(self, ask: Ask) -> Waiting[Moves]:
        """Its moves; it yields while it waits for evaluations."""

    def moved(self, lanes: Array, actions: Array, records: Array) -> None:
        """The games in `lanes` went on by `actions`, its own or another's, and now stand at `records`."""

    def forget(self, lanes: Array) -> None:
        """New games begin in `lanes`."""


# Makes a player for so many lanes; whoever plays on several threads calls it once for each.
MakePlayer = Callable[[int], Player]


class PlainPlayer:
    """The base of players without a search: they look at the position alone, answer at once, and keep nothing."""

    name: str
    draws = False
    tells = Tells.NOTHING
    in_turn = 1

    def pick(self, ask: Ask) -> Array:
        """Its actions, int32."""
        raise NotImplementedError

    def choose(self, ask: Ask) -> Waiting[Moves]:
        yield from ()
        return Moves(self.pick(ask))

    def moved(self, lanes: Array, actions: Array, records: Array) -> None:
        pass

    def forget(self, lanes: Array) -> None:
        pass
