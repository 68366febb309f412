"""Players that are programs, for any game: by chance, by a network's first thought, by a search."""

from __future__ import annotations

from functools import cache

import numpy as np

from playmill.core.evaluation import Evaluator
from playmill.games.game import Game
from playmill.games.many import encode_all
from playmill.play import kernels
from playmill.play.player import Ask, Moves, PlainPlayer
from playmill.search.decisions import Array, Searcher, Tells, Waiting
from playmill.search.settings import Temperature


class RandomBot(PlainPlayer):
    """Any legal action, each as likely."""

    name = "random"
    draws = True

    def __init__(self, game: Game) -> None:
        self.game = game

    def pick(self, ask: Ask) -> Array:
        actions = np.empty(ask.lanes.size, np.int32)
        kernels.draw_uniform(self.game, ask.records, ask.streams, np.empty(self.game.max_legal, np.int32), actions)
        return actions


class PolicyBot:
    """The network's first thought: its most likely action, without any search. For at most `lanes` games at a time."""

    draws, tells = False, Tells.NOTHING

    def __init__(self, game: Game, evaluator: Evaluator, lanes: int, name: str = "policy") -> None:
        self.game, self.evaluator, self.name, self.in_turn = game, evaluator, name, evaluator.in_turn
        self._buffer = evaluator.open_buffer(game, lanes)

    def choose(self, ask: Ask) -> Waiting[Moves]:
        n, buffer, scratch = ask.lanes.size, self._buffer, np.empty(self.game.max_legal, np.int32)
        encode_all(self.game, ask.records, buffer.features[:n])
        kernels.ask_logits_of(self.game, ask.records, scratch, buffer.asked)
        if not self.evaluator.submit(buffer, n):
            yield
        self.evaluator.collect(buffer)
        actions = np.empty(n, np.int32)
        kernels.best_logits(self.game, ask.records, buffer.logits, buffer.asked.shape[1] > 0, scratch, actions)
        return Moves(actions)

    def moved(self, lanes: Array, actions: Array, records: Array) -> None:
        """Nothing is kept."""

    def forget(self, lanes: Array) -> None:
        """Nothing is kept."""


class SearchBot:
    """Any search. It plays the action with the most policy mass, or draws it: by `temperature`, now and then from all actions
    alike (`explore`), and after a search with noise."""

    def __init__(
        self,
        searcher: Searcher,
        temperature: Temperature | None = None,
        name: str = "search",
        explore: float = 0.0,
        with_noise: bool = False,
    ) -> None:
        self.searcher, self.temperature, self.name = searcher, temperature, name
        self.explore, self.with_noise = explore, with_noise
        self.draws = temperature is not None or explore > 0 or with_noise
        self._temperature_at = cache(temperature.at) if temperature is not None else None
        self.tells, self.in_turn = searcher.tells, searcher.in_turn

    def choose(self, ask: Ask) -> Waiting[Moves]:
        decisions = yield from self.searcher.search(ask.lanes, ask.records, ask.streams, self.with_noise)
        actions, is_sound = np.empty(ask.lanes.size, np.int32), np.empty(ask.lanes.size, np.bool_)
        heat = self._temperatures(ask.plies)
        kernels.draw_moves(
            ask.words, heat, self.explore, decisions.count, decisions.actions, decisions.policy, actions, is_sound
        )
        return Moves(actions, decisions, is_sound)

    def _temperatures(self, plies: Array) -> Array:
        if self._temperature_at is None:
            return np.zeros(plies.size)
        return np.array([self._temperature_at(ply) for ply in plies.tolist()])

    def moved(self, lanes: Array, actions: Array, records: Array) -> None:
        self.searcher.moved(lanes, actions, records)

    def forget(self, lanes: Array) -> None:
        self.searcher.forget(lanes)
