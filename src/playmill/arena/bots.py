"""Who sits in a seat. A bot answers for many games at once: arrays in, one action a game out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from playmill.arena import kernels
from playmill.core.evaluation import LocalEvaluator
from playmill.games.game import Game
from playmill.games.heads import column_count
from playmill.games.yatzy.hands import DICE, FACES, HAND_OF
from playmill.games.yatzy.oracle import Oracle
from playmill.games.yatzy.rules import ACTIONS
from playmill.games.yatzy.turn import turn_values
from playmill.search.decisions import Array, Searcher, finish
from playmill.search.roots import encode_all
from playmill.search.settings import Temperature


class Bot(Protocol):
    """A player of many games, each in a slot of its own for as long as it lasts. It belongs to one thread."""

    name: str
    draws: bool  # whether its choice in a position depends on `streams`, but for dice that it imagines

    def choose(self, slots: Array, records: Array, plies: Array, streams: Array) -> Array:
        """The actions, int32, for `records`, unfinished states in which it is to move; all it may draw is in `streams`."""

    def moved(self, slots: Array, actions: Array, records: Array) -> None:
        """The games in `slots` went on by `actions`, its own or another's, and now stand at `records`."""

    def forget(self, slots: Array) -> None:
        """New games begin in `slots`."""


# Makes a bot for so many slots; a match calls it once for every thread.
MakeBot = Callable[[int], Bot]


class PlainBot:
    """What bots share that look only at the position before them: they remember nothing."""

    draws = False

    def moved(self, slots: Array, actions: Array, records: Array) -> None:
        pass

    def forget(self, slots: Array) -> None:
        pass


class RandomBot(PlainBot):
    """Any legal action, each as likely."""

    name = "random"
    draws = True

    def __init__(self, game: Game) -> None:
        self.game = game

    def choose(self, slots: Array, records: Array, plies: Array, streams: Array) -> Array:
        actions = np.empty(records.size, np.int32)
        kernels.draw_uniform(self.game, records, streams, np.empty(self.game.max_legal, np.int32), actions)
        return actions


class PolicyBot(PlainBot):
    """The network's first thought: its most likely action, without any search."""

    def __init__(self, game: Game, evaluator: LocalEvaluator, name: str = "policy") -> None:
        self.game, self.evaluator, self.name = game, evaluator, name

    def choose(self, slots: Array, records: Array, plies: Array, streams: Array) -> Array:
        n = records.size
        features = np.zeros((n, self.game.feature_count), np.float32)
        logits = np.zeros((n, self.game.logits), np.float32)
        encode_all(self.game, records, features)
        self.evaluator.evaluate(
            features, logits, np.zeros((n, column_count(self.evaluator.heads, self.game.players)), np.float32)
        )
        actions = np.empty(n, np.int32)
        kernels.best_logits(self.game, records, logits, np.empty(self.game.max_legal, np.int32), actions)
        return actions


class SearchBot:
    """Any search, without noise: the action with the most policy mass, or one drawn from the policy by `temperature`."""

    def __init__(self, searcher: Searcher, temperature: Temperature | None = None, name: str = "search") -> None:
        self.searcher, self.temperature, self.name = searcher, temperature, name
        self.draws = temperature is not None

    def choose(self, slots: Array, records: Array, plies: Array, streams: Array) -> Array:
        decisions = finish(self.searcher.search(slots, records, streams, False))
        actions = np.empty(slots.size, np.int32)
        heat = self._temperatures(plies)
        kernels.draw_decisions(decisions.count, decisions.actions, decisions.policy, heat, streams, actions)
        return actions

    def _temperatures(self, plies: Array) -> Array:
        if self.temperature is None:
            return np.zeros(plies.size)
        distinct, where = np.unique(plies, return_inverse=True)
        return np.array([self.temperature.at(ply) for ply in distinct.tolist()])[where]

    def moved(self, slots: Array, actions: Array, records: Array) -> None:
        self.searcher.moved(slots, actions, records)

    def forget(self, slots: Array) -> None:
        self.searcher.forget(slots)


class OracleBot(PlainBot):
    """Yatzy as the solved solitaire game has it: the most points on its own board, whatever the opponent does."""

    name = "oracle"

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle

    def choose(self, slots: Array, records: Array, plies: Array, streams: Array) -> Array:
        best: Array = np.nanargmax(self.action_values(records), axis=1).astype(np.int32)
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
