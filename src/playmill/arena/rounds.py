"""One block of games in lockstep: in each round every unfinished game makes one move, all games of a bot in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from playmill.arena import kernels
from playmill.arena.bots import Bot
from playmill.arena.standing import Standing, scores_of
from playmill.core.errors import IllegalAction, PlaymillError
from playmill.games.game import Game
from playmill.search.decisions import Array
from playmill.selfplay.kernels import begin_games, movers, play_moves, points_of, search_streams

MAX_ROUNDS = 100_000  # no game of ours is a hundredth as long: a game that goes on has no end


class Stopped(PlaymillError):
    """The match was told to stop."""


@dataclass(frozen=True)
class BlockResult:
    """How a block ended, one row a game. `moves[game, ply]` is the action, -1 after the game's end."""

    returns: Array  # float64 [n, players]
    finals: Array  # the game's records [n]
    plies: Array  # int32 [n]
    moves: Array  # int32 [n, longest]


class Block:
    """Games side by side, one a slot. `seats[game, player]` is the number of the bot that sits there."""

    def __init__(self, game: Game, bots: Sequence[Bot], seeds: Array, seats: Array, opening: int) -> None:
        self.game, self.bots, self.seeds, self.seats, self.opening = game, bots, seeds, seats, opening
        self.records = game.records(seeds.size)
        self.plies = np.zeros(seeds.size, np.int32)
        self.returns = np.zeros((seeds.size, game.players))
        self._live = np.arange(seeds.size)
        self._moves: list[Array] = []
        self._scratch = np.empty(game.max_legal, np.int32)

    def play(self, watch: Callable[[Standing], None], is_stopped: Callable[[], bool]) -> BlockResult:
        """Play all games to their end; `watch` hears of those that ended in a round."""
        begin_games(self.game, self._live, self.seeds, self.game.records(1), self.records)
        for bot in self.bots:
            bot.forget(self._live)
        while self._live.size:
            if is_stopped():
                raise Stopped(f"{self.game.name}: the match was stopped")
            watch(self._standing(self._round()))
        return BlockResult(self.returns, self.records, self.plies, np.stack(self._moves, axis=1))

    def _round(self) -> Array:
        """One move of every game that goes on; return the slots of those that ended by it."""
        live, ply = self._live, len(self._moves)
        if ply == MAX_ROUNDS:
            raise PlaymillError(f"{self.game.name}: {live.size} games are not over after {MAX_ROUNDS} moves")
        actions = self._opening_moves(live, ply) if ply < self.opening else self._chosen_moves(live)
        self._check(live, actions)
        moves = np.full(self.seeds.size, -1, np.int32)
        moves[live] = actions
        self._moves.append(moves)
        is_over = self._play(live, actions)
        self._live, going_on = live[~is_over], actions[~is_over]
        for bot in self.bots:
            bot.moved(self._live, going_on, self.records[self._live])
        return live[is_over]

    def _standing(self, ended: Array) -> Standing:
        """What bot 0 made of the games in these slots."""
        seat = np.argmax(self.seats[ended] == 0, axis=1)
        points = np.zeros((ended.size, self.game.players))
        if "points" in self.game.kernels and ended.size:
            points_of(self.game, self.records[ended], points)
        score = scores_of(self.returns[ended], seat).sum()
        return Standing(int(ended.size), float(score), float(points[np.arange(ended.size), seat].sum()))

    def _opening_moves(self, live: Array, ply: int) -> Array:
        """Even draws from the episode, the same for both games of a pair."""
        streams, actions = np.empty(live.size, np.uint64), np.empty(live.size, np.int32)
        kernels.opening_streams(self.seeds[live], ply, streams)
        kernels.draw_uniform(self.game, self.records[live], streams, self._scratch, actions)
        return actions

    def _chosen_moves(self, live: Array) -> Array:
        """What the bots want: each is asked once, for all games in which it is to move."""
        streams, actions = np.empty(live.size, np.uint64), np.empty(live.size, np.int32)
        # Words of their own, which the episode's dice never use: a search that imagines with them can't foresee.
        search_streams(live, self.seeds, self.plies, streams)
        owner = self._owners(live)
        for number, bot in enumerate(self.bots):
            mine = np.flatnonzero(owner == number)
            if mine.size:
                slots = live[mine]
                actions[mine] = bot.choose(slots, self.records[slots], self.plies[slots], streams[mine])
        return actions

    def _owners(self, live: Array) -> Array:
        """The number of the bot that is to move in each game."""
        player = np.empty(live.size, np.int8)
        movers(self.game, self.records[live], player)
        return self.seats[live, player]

    def _check(self, live: Array, actions: Array) -> None:
        """Refuse a bot's illegal action: kernels would play it."""
        records = self.records[live]
        wrong = kernels.first_illegal(self.game, records, actions, self._scratch)
        if wrong >= 0:
            name = self.bots[self._owners(live)[wrong]].name
            state = self.game.text(records[wrong])
            raise IllegalAction(f"{self.game.name}: {name} chose action {actions[wrong]}, which is illegal in '{state}'")

    def _play(self, live: Array, actions: Array) -> Array:
        """Play with the episodes' own chance; return which games are over by it."""
        returns, is_over = np.zeros((live.size, self.game.players)), np.zeros(live.size, np.bool_)
        play_moves(self.game, live, self.seeds, actions, self.records, returns, is_over)
        self.plies[live] += 1
        self.returns[live[is_over]] = returns[is_over]
        return is_over
