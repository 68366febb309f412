"""Matches: the same episodes played twice with the seats exchanged, in blocks, on as many threads as asked.

With more than two players one bot has one seat and the other all the rest; in the second game it is the other way round. So
two bots of the same strength share each pair, whatever the game has for its seats.

Chance comes from the episode's seed, as in `State.apply`; what a search imagines comes from a stream of its own. So game i
is the same whoever plays it, whenever, beside whatever other games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from playmill.arena.block import BlockTask, play_block
from playmill.arena.standing import Progress, adding_up, leads_of, scores_of
from playmill.core.errors import UsageError, require_workers
from playmill.core.executor import open_executor
from playmill.games.game import Game
from playmill.games.many import replay
from playmill.play.player import MakePlayer
from playmill.play.recorder import Games, points_in
from playmill.search.decisions import Array

# A block is what one thread plays: large enough for a network's batch, small enough that threads share a short match.
MAX_BLOCK, MIN_BLOCK, BLOCKS = 128, 32, 8


@dataclass(frozen=True)
class Match:
    """Games played, one row each. `seats[game, player]` says which bot sat there.

    Games 2i and 2i + 1 are a pair: each seat is once the one bot's and once the other's, usually on the same seed.
    """

    game: Game
    names: tuple[str, ...]
    seeds: Array  # uint64 [n]
    seats: Array  # int8 [n, players]
    returns: Array  # float64 [n, players]
    finals: Array  # the game's records [n]
    plies: Array  # int32 [n]
    actions: Array  # int32: all moves of game 0, then of game 1, ...
    opening: int  # how many of each game's first moves were drawn, not chosen
    draws: bool  # whether a bot draws its moves

    @cached_property
    def offsets(self) -> Array:
        """Where each game's moves begin in `actions`, int64 [n + 1]."""
        return np.concatenate(([0], np.cumsum(self.plies, dtype=np.int64)))

    @cached_property
    def game_of(self) -> Array:
        """Which game each action belongs to, int64."""
        return np.repeat(np.arange(self.seeds.size), self.plies)

    def seat_of(self, bot: int) -> Array:
        """The player that a bot was in each game, the first of them."""
        seat: Array = np.argmax(self.seats == bot, axis=1)
        return seat

    def chosen_by(self, bot: int, movers: Array) -> Array:
        """Which actions the bot chose itself, bool; `movers` is who moved, one an action. Drawn opening moves are nobody's."""
        ply = np.arange(self.game_of.size) - self.offsets[self.game_of]
        chosen: Array = (self.seats[self.game_of, movers] == bot) & (ply >= self.opening)
        return chosen

    def scores(self, bot: int) -> Array:
        """1 for each game that the bot won, 0.5 for a draw, 0 for a loss."""
        return scores_of(self.returns, self.seats == bot)

    def points(self, bot: int) -> Array | None:
        """The bot's points less the other's, game by game, by seat; None for a game that is not scored in points."""
        if "points" not in self.game.kernels:
            return None
        return leads_of(points_in(self.game, self.finals), self.seats == bot)

    @classmethod
    def join(cls, matches: Sequence[Match]) -> Match:
        """The games of several matches of the same bots, one after the other."""
        columns = ("seeds", "seats", "returns", "finals", "plies", "actions")
        joined: dict[str, Any] = {name: np.concatenate([getattr(m, name) for m in matches]) for name in columns}
        return replace(matches[0], **joined)

    def take(self, games: Array) -> Match:
        """Some of the games, bool [n]."""
        rows: dict[str, Any] = {name: getattr(self, name)[games] for name in ("seeds", "seats", "returns", "finals", "plies")}
        return replace(self, actions=self.actions[games[self.game_of]], **rows)

    def states(self) -> Array:
        """The record in which each action was chosen, by playing the games again."""
        before = self.game.records(self.actions.size)
        replay(self.game, self.seeds, self.offsets, self.actions, self.game.records(1), before)
        return before  # type: ignore[no-any-return]


def paired(seeds: Array, players: int = 2) -> tuple[Array, Array]:
    """The schedule: each seed twice in a row, and the seats."""
    return np.repeat(seeds.astype(np.uint64), 2), exchanged(2 * seeds.size, players)


def in_turn(seeds: Array, players: int = 2) -> tuple[Array, Array]:
    """The schedule of unpaired games: each seed once, the seats exchanged from game to game."""
    return seeds.astype(np.uint64), exchanged(seeds.size, players)


def exchanged(games: int, players: int) -> Array:
    """Who sits where, int8 [games, players]: bot 0 in one seat and bot 1 in the others, then bot 1 there and bot 0 elsewhere.

    From pair to pair that seat is the next one. With two players it is always the first: the second gives the same two games.
    """
    number = np.arange(games)
    lone = number // 2 % players if players > 2 else np.zeros(games, np.int64)
    is_lone = lone[:, None] == np.arange(players)
    seats: Array = (is_lone == (number % 2 == 1)[:, None]).astype(np.int8)
    return seats


def block_size(games: int) -> int:
    """Games a block: whole pairs, blocks of like size. It follows from the match alone, never from the number of threads."""
    blocks = max(min(games // MIN_BLOCK, BLOCKS), -(-games // MAX_BLOCK), 1)
    return 2 * -(-games // (2 * blocks))


def play_match(
    game: Game,
    makers: Sequence[MakePlayer],
    seeds: Array,
    workers: int = 1,
    opening: int = 0,
    progress: Progress | None = None,
) -> Match:
    """Play every seed twice, seats exchanged; the same match for any number of threads. `progress` hears how it stands."""
    return Venue(game, makers, workers, 2 * seeds.size).play(seeds, opening, progress)


class Venue:
    """Where two bots meet, as often as wanted: one set of bots for each thread, made once."""

    def __init__(self, game: Game, makers: Sequence[MakePlayer], workers: int, games: int) -> None:
        """`games` is how many will be played at a time."""
        if game.players < 2 or len(makers) != 2:
            got = f"{game.players} and {len(makers)}"
            raise UsageError(f"{game.name}: a match needs a game for two players or more and two bots, got {got}")
        self.game, self.makers, self.block = game, tuple(makers), block_size(games)
        self._executor = open_executor(min(require_workers(workers), -(-games // self.block)))

    def play(self, seeds: Array, opening: int = 0, progress: Progress | None = None, is_paired: bool = True) -> Match:
        """Play every seed twice, seats exchanged, or once, seats in turn; each game's first `opening` moves at random."""
        all_seeds, seats = (paired if is_paired else in_turn)(seeds, self.game.players)
        games = Games(np.arange(all_seeds.size), all_seeds, seats)
        parts = (games.take(slice(first, first + self.block)) for first in range(0, all_seeds.size, self.block))
        tasks = (BlockTask(self.game, self.makers, part, opening, self.block) for part in parts)
        blocks = [block for _, block in self._executor.run(play_block, tasks, hear=adding_up(progress), in_order=True)]
        played = [part for block in blocks for part in block.played]
        return Match(
            game=self.game,
            names=blocks[0].names,
            seeds=all_seeds,
            seats=seats,
            returns=np.concatenate([part.utilities for part in played]),
            finals=np.concatenate([part.finals for part in played]),
            plies=np.concatenate([part.plies for part in played]),
            actions=np.concatenate([part.actions for part in played]),
            opening=opening,
            draws=blocks[0].draws,
        )
