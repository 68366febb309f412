"""Bots and evaluators for tests."""

from __future__ import annotations

import numpy as np

from playmill.core.evaluation import LocalEvaluator
from playmill.games.yatzy.rules import YATZY
from playmill.packs.yatzy.oracle_bot import OracleBot
from playmill.play.bots import RandomBot
from playmill.play.player import PlainPlayer


def units(streams, count):
    """`count` numbers in (0, 1) from each stream: words 0, 1, ... of `core.seeds.mix`, all at once."""
    z = streams[:, None] + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) / 2**53 + 2**-54


class UniformEvaluator(LocalEvaluator):
    """Knows nothing: every action as likely, every position even."""

    heads = ("win",)
    in_turn = 1

    def evaluate(self, features, logits, values):
        logits[:] = 0
        values[:] = 0


class FirstThought(LocalEvaluator):
    """An evaluator whose favourite logits are given; it counts its rows."""

    heads = ("win",)
    in_turn = 1

    def __init__(self, favourites):
        self.favourites, self.rows = np.asarray(favourites, np.float32), 0

    def evaluate(self, features, logits, values):
        self.rows += len(features)
        logits[:] = self.favourites
        values[:] = 0


class NoisyOracle(OracleBot):
    """The oracle, but for a share of its decisions that are drawn evenly."""

    def __init__(self, oracle, share):
        super().__init__(oracle)
        self.name, self.share, self.random = f"noisy {share}", share, RandomBot(YATZY)

    def pick(self, ask):
        best = super().pick(ask)
        drawn = self.random.pick(ask)
        return np.where(units(ask.streams, 1)[:, 0] < self.share, drawn, best).astype(np.int32)


class SoftOracle(OracleBot):
    """The oracle with its values blurred by some points: many small errors, as a trained network makes them."""

    def __init__(self, oracle, heat):
        super().__init__(oracle)
        self.name, self.heat = f"soft {heat}", heat

    def pick(self, ask):
        values = self.action_values(ask.records)
        noise = -np.log(-np.log(units(ask.streams, values.shape[1])))  # Gumbel's: a softmax at this heat
        return np.nanargmax(values + self.heat * noise, axis=1).astype(np.int32)


class FirstLegal(PlainPlayer):
    """Always the first legal action; it writes down what it was asked."""

    name = "first legal"

    def __init__(self, game):
        self.game, self.asked, self.heard, self.forgotten = game, [], [], []

    def pick(self, ask):
        self.asked.append(ask)
        scratch, actions = np.empty(self.game.max_legal, np.int32), np.empty(ask.lanes.size, np.int32)
        for i in range(ask.lanes.size):
            self.game.kernels["legal"](ask.records[i], scratch)
            actions[i] = scratch[0]
        return actions

    def moved(self, lanes, actions, records):
        self.heard.append((lanes.copy(), actions.copy(), records.copy()))

    def forget(self, lanes):
        self.forgotten.append(lanes.copy())
