"""Yatzy's own bot: the solved solitaire game."""

from __future__ import annotations

import numpy as np

from playmill.games.yatzy.hands import DICE, FACES, HAND_OF
from playmill.games.yatzy.oracle import Oracle
from playmill.games.yatzy.rules import ACTIONS
from playmill.games.yatzy.turn import turn_values
from playmill.play.player import Ask, PlainPlayer
from playmill.search.decisions import Array


class OracleBot(PlainPlayer):
    """Yatzy as the solved solitaire game has it: the most points on its own board, whatever the opponent does."""

    name = "oracle"

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle

    def pick(self, ask: Ask) -> Array:
        best: Array = np.nanargmax(self.action_values(ask.records), axis=1).astype(np.int32)
        return best

    def action_values(self, records: Array) -> Array:
        """Points to come by action, float64 [n, 47], on each mover's own board; NaN where illegal."""
        own = np.arange(records.size), records["mover"]
        avail, upper = records["avail"][own].astype(np.int64), records["upper"][own].astype(np.int64)
        values = np.empty((records.size, ACTIONS))
        turn_values(self.oracle.table, avail, upper, hands_of(records), records["rerolls"].astype(np.int64), values)
        return values


def hands_of(records: Array) -> Array:
    """The index of each record's dice among the 252 hands, int64."""
    places = FACES ** np.arange(DICE - 1, -1, -1)
    hands: Array = HAND_OF[(records["dice"].astype(np.int64) - 1) @ places].astype(np.int64)
    return hands
