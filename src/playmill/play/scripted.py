"""A player whose first moves are known already: a game that is gone back in, or taken up again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.play.player import Ask, Moves, Player
from playmill.search.decisions import Array, Waiting


class Scripted:
    """Plays the `script` of all seats for as long as it lasts, then as `player`. It has one lane.

    The player thinks about the script's positions too, unless it only `answers`: so a search that keeps its tree from move to
    move comes to the end of the script with the tree that it would have had, and goes on exactly as it did.
    """

    def __init__(self, player: Player, script: Sequence[int], answers: bool = False) -> None:
        self.player, self.script, self.answers = player, script, answers
        self.name, self.draws, self.tells, self.in_turn = player.name, player.draws, player.tells, player.in_turn

    def choose(self, ask: Ask) -> Waiting[Moves]:
        ply = int(ask.plies[0])
        if ply >= len(self.script):
            return (yield from self.player.choose(ask))
        moves = None if self.answers else (yield from self.player.choose(ask))
        actions = np.array([self.script[ply]], np.int32)
        return Moves(actions, None if moves is None else moves.decisions)

    def moved(self, lanes: Array, actions: Array, records: Array) -> None:
        self.player.moved(lanes, actions, records)

    def forget(self, lanes: Array) -> None:
        self.player.forget(lanes)
