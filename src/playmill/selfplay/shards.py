"""Shards as a task: one worker plays them in lanes that go on from each to the next, and tells each as it is finished.

Whoever waits writes it: a worker may be a machine with another disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.core.evaluation import Evaluator
from playmill.core.executor import stop_sign, tell
from playmill.core.seeds import mix
from playmill.games.game import Game
from playmill.play.bots import SearchBot
from playmill.play.cohort import Cohort, run_in_turn
from playmill.play.player import MakePlayer, Player
from playmill.play.recorder import Games
from playmill.replay.meta import ShardOrigin
from playmill.replay.shard import PackedShard, pack_shard
from playmill.replay.tables import ShardData
from playmill.search.make import make_searcher
from playmill.search.settings import SearchSettings
from playmill.selfplay.plan import Plan
from playmill.selfplay.recorder import OpenShard, ShardRecorder
from playmill.selfplay.roots import part_text
from playmill.selfplay.settings import SelfPlaySettings

# The streams that say whether an opponent sits in an episode, and whether a bot does.
OPPONENT, SPARRING = 0xFFFF_FFFF_FFFF_FF22, 0xFFFF_FFFF_FFFF_FF23


@dataclass(frozen=True)
class Learner:
    """Makes players that explore: a search with noise, moves drawn as the settings say; each has an evaluator of its own."""

    game: Game
    settings: SelfPlaySettings
    search: SearchSettings
    open_evaluator: Callable[[], Evaluator]
    number: int = 0  # among the players: 0 is the best, 1 its opponent

    def __call__(self, lanes: int) -> Player:
        searcher = make_searcher(self.game, self.search, self.open_evaluator(), lanes)
        temperature = self.settings.temperature_of(self.number)
        return SearchBot(searcher, temperature, explore=self.settings.explore, with_noise=True)


@dataclass(frozen=True)
class ShardsTask:
    """Some shards of a plan, for one worker. How a plan is split into tasks changes no byte of its shards."""

    game: Game
    settings: SelfPlaySettings
    makers: Sequence[MakePlayer]
    plan: Plan
    numbers: tuple[int, ...]  # of the plan's shards
    seed: int
    origin: ShardOrigin
    logs_roots: bool = False  # whether a shard comes with its log of roots

    def games(self, number: int) -> Games:
        return games_of_run(self.game, self.settings, self.seed, *self.plan.games_of(number))


@dataclass(frozen=True)
class FinishedShard:
    """News: a shard, whole, with its log of roots."""

    index: int
    games: int
    samples: int
    files: PackedShard
    roots: str


@dataclass(frozen=True)
class Ended:
    """News: so many more games are over, and so much more has been counted by searches."""

    games: int
    stats: dict[str, int]


def play_shards(task: ShardsTask) -> dict[str, int]:
    """Play the shards and tell them; return what their searches counted."""
    lanes = min(task.settings.lanes, sum(task.plan.games_of(number)[1] for number in task.numbers))
    claims = iter(task.numbers)
    cohorts = [_cohort(task, claims, lanes)]
    # As many as it takes to hide the wait for evaluations.
    cohorts += [_cohort(task, claims, lanes) for _ in range(1, max(player.in_turn for player in cohorts[0][0].players))]
    recorders = [recorder for recorder, _ in cohorts]
    stop, told = stop_sign(), dict[str, int]()
    for _ in run_in_turn([cohort for _, cohort in cohorts]):
        stop.check()
        if ended := sum(recorder.take_ended() for recorder in recorders):
            stats = add_up([recorder.stats for recorder in recorders])
            tell(Ended(ended, {name: count - told.get(name, 0) for name, count in stats.items()}))
            told = stats
    return add_up([recorder.stats for recorder in recorders])


def _cohort(task: ShardsTask, claims: Iterator[int], lanes: int) -> tuple[ShardRecorder, Cohort]:
    """A cohort that claims a shard whenever it has no more games to begin."""
    players = [make(lanes) for make in task.makers]
    recorder = ShardRecorder(task.game, players, task.settings, lanes, lambda shard, data: _hand_in(task, shard, data))
    supply = (recorder.open(task.games(number)) for number in claims)
    return recorder, Cohort(task.game, players, supply, lanes, recorder, is_strict=False)


def _hand_in(task: ShardsTask, shard: OpenShard, data: ShardData) -> None:
    index = task.plan.first_shard + (shard.first - task.plan.first_game) // task.plan.shard_games
    roots = part_text(task.origin.iteration, shard.roots) if task.logs_roots else ""
    tell(FinishedShard(index, shard.count, len(data.samples), pack_shard(index, data, task.origin), roots))


def add_up(counts: Sequence[dict[str, int]]) -> dict[str, int]:
    """The sums by name."""
    names = {name: None for one in counts for name in one}
    return {name: sum(one.get(name, 0) for one in counts) for name in names}


def games_of_run(game: Game, settings: SelfPlaySettings, seed: int, first: int, count: int) -> Games:
    """The games first..first+count-1 of a run with this seed.

    Player 0 has all seats or, against player 1, one in turn. In games with a bot, the last player, the one that is not player 0
    where they would have met has that seat, and the bot all others.
    """
    numbers = np.arange(first, first + count)
    seeds = np.array([mix(seed, number) for number in numbers.tolist()], np.uint64)
    seats, turn = np.zeros((count, game.players), np.int8), np.zeros((count, game.players), np.bool_)
    turn[np.arange(count), numbers % game.players] = True
    have_met = _draw(seeds, OPPONENT, settings.opponent.share)[:, None]
    spar = _draw(seeds, SPARRING, settings.sparring.share)[:, None]
    seats[have_met & (turn == spar)] = 1
    seats[spar & ~turn] = settings.learners
    return Games(numbers, seeds, seats)


def _draw(seeds: np.ndarray[Any, Any], stream: int, share: float) -> np.ndarray[Any, Any]:
    """Which of the episodes are among the `share`, bool [games]."""
    return np.array([mix(episode, stream) / 2**64 for episode in seeds.tolist()]) < share


def play_shard(game: Game, players: Sequence[Player], settings: SelfPlaySettings, games: Games, lanes: int) -> ShardData:
    """One shard by itself, here and now."""
    found: list[ShardData] = []
    recorder = ShardRecorder(game, players, settings, lanes, lambda _, data: found.append(data))
    cohort = Cohort(game, players, iter([recorder.open(games)]), lanes, recorder, is_strict=False)
    for _ in run_in_turn([cohort]):
        pass
    return found[0]
