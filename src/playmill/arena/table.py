"""A table at which one person plays against bots: the game so far, who sits where, where it is kept. Faces talk about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from playmill.games.game import Game
from playmill.games.state import State
from playmill.play.cohort import Cohort, run_in_turn
from playmill.play.player import Ask, Moves, Player
from playmill.play.recorder import Games, points_in
from playmill.play.scripted import Scripted
from playmill.replay.kept_game import KeptGame
from playmill.replay.saved_game import Opponent, SavedGame
from playmill.search.decisions import Array

PERSON, BOT = 0, 1


class Left(Exception):
    """The person went away; the game is not over."""


class Rewind(Exception):
    """The person wants to decide anew: the game goes on from this ply."""

    def __init__(self, ply: int) -> None:
        super().__init__(ply)
        self.ply = ply


@dataclass
class PlayTable:
    """The game of one person against bots; `states[i]` is the one before `actions[i]`."""

    game: Game
    seed: int
    seat: int
    names: tuple[str, ...]  # by seat
    against: Opponent
    kept: KeptGame
    states: list[State] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    script: list[int] = field(default_factory=list)  # what is only played again
    asked: list[int] = field(default_factory=list)  # plies at which the person decided

    def begin(self, script: list[int]) -> None:
        """The game starts anew, with these moves that are known already."""
        self.states, self.actions, self.asked, self.script = [self.game.new(self.seed)], [], [], script

    def take_back(self, ply: int) -> list[int]:
        """Forget what came after a ply; the moves that are left."""
        del self.states[ply + 1 :], self.actions[ply:]
        self.save()
        return list(self.actions)

    @property
    def state(self) -> State:
        return self.states[-1]

    def play(self, action: int) -> bool:
        """A move is made, and kept; whether it is a new one, and not only played again."""
        before = self.state
        if before.to_move == self.seat:
            self.asked.append(before.ply)
        self.states.append(before.apply(action))
        self.actions.append(action)
        is_new = len(self.actions) > len(self.script)
        if is_new:
            self.save()
        return is_new

    def save(self) -> None:
        self.kept.write(self.saved())

    def saved(self) -> SavedGame:
        return SavedGame.of(self.states, self.actions, seats=self.names, person=self.seat, against=self.against)

    def moves(self) -> list[str]:
        """The game so far, a line a move."""
        lines = []
        for before, action, after in zip(self.states, self.actions, self.states[1:], strict=False):
            told = self.game.told(before.record, action, after.record)
            who = self.names[before.to_move]
            lines.append(f"{before.ply + 1:>3}. {who}: {before.action_text(action)}{told and ', '}{told}")
        return lines

    def lead(self) -> float:
        """What the person's outcome is above the best of the others'; below zero: lost."""
        own, others = self.state.returns[self.seat], [u for seat, u in enumerate(self.state.returns) if seat != self.seat]
        return own - max(others, default=own)

    def points(self) -> list[float]:
        """The points by seat; none where the game has none."""
        records = self.game.records(1)
        records[0] = self.state.record
        points = points_in(self.game, records)[0]
        return [float(each) for each in points] if points.any() else []


class TableRecorder:
    """A recorder that keeps the table's game; faces add what they say."""

    def __init__(self, table: PlayTable) -> None:
        self.table = table

    def began(self, lanes: Array, games: Games) -> None:
        pass

    def decided(self, player: int, ask: Ask, moves: Moves) -> None:
        self.table.play(int(moves.actions[0]))

    def ended(self, lanes: Array, utilities: Array, records: Array) -> None:
        pass


def run_table(table: PlayTable, person: Player, bot: Player, script: Sequence[int], recorder: TableRecorder) -> None:
    """Play the game with the one driver; the moves of `script` are known already. The person may raise `Left` or `Rewind`."""
    table.begin(list(script))
    seats = np.full((1, table.game.players), BOT, np.int8)
    seats[0, table.seat] = PERSON
    games = Games(np.zeros(1, np.int64), np.array([table.seed], np.uint64), seats)
    players = [Scripted(person, script, answers=True), Scripted(bot, script)]
    for _ in run_in_turn([Cohort(table.game, players, iter([games]), 1, recorder)]):
        pass
