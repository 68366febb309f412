"""Which games an iteration plays, and which shards they go into."""

from __future__ import annotations

from dataclasses import dataclass

from playmill.selfplay.settings import SelfPlaySettings


@dataclass(frozen=True)
class Plan:
    """The shards of one iteration: which games each holds. The same plan gives the same files, whoever carries it out."""

    first_shard: int
    first_game: int
    games: int
    shard_games: int

    @property
    def shards(self) -> int:
        return -(-self.games // self.shard_games)

    @property
    def indexes(self) -> range:
        """The numbers of its shards in the run."""
        return range(self.first_shard, self.first_shard + self.shards)

    def games_of(self, number: int) -> tuple[int, int]:
        """The first game of the plan's shard `number`, and how many it holds."""
        first = number * self.shard_games
        return self.first_game + first, min(self.shard_games, self.games - first)


def plan_iteration(settings: SelfPlaySettings, iteration: int) -> Plan:
    """What iteration `iteration` plays: the games and shards after those of the iterations before it."""
    size = settings.shard_games
    first = Plan(0, 0, settings.bootstrap.games if settings.is_bootstrap(0) else settings.games, size)
    if iteration == 0:
        return first
    later = Plan(0, 0, settings.games, size)
    shards, games = (iteration - 1) * later.shards, (iteration - 1) * later.games
    return Plan(first.shards + shards, first.games + games, later.games, size)


def find_shard(settings: SelfPlaySettings, index: int) -> tuple[int, int]:
    """The iteration that plays the run's shard `index`, and the shard's number in its plan."""
    first, second = plan_iteration(settings, 0), plan_iteration(settings, 1)
    if index < first.shards:
        return 0, index
    iterations, number = divmod(index - first.shards, second.shards)
    return 1 + iterations, number
