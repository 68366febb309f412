"""Self-play on all threads: each game is played by one thread, and the file is the same for any number of threads and lanes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from playmill.core.executor import run, worker_local
from playmill.games.diplomacy.board import RULES
from playmill.packs.diplomacy.players.driver import deal_games, play_side_by_side
from playmill.packs.diplomacy.players.player import make_player
from playmill.packs.diplomacy.players.team import Decider, OpenPlayer, open_team
from playmill.packs.diplomacy.selfplay.game import GameTable, SelfPlayGame
from playmill.packs.diplomacy.selfplay.output import Output
from playmill.packs.diplomacy.selfplay.records import GameRecord
from playmill.packs.diplomacy.selfplay.settings import DiplomacyGameSettings


@dataclass(frozen=True)
class DiplomacySelfPlayReport:
    """What was played now; games that had been finished before are not in it."""

    games: int
    seconds: float
    is_whole: bool


def open_searcher(settings: DiplomacyGameSettings) -> Decider:
    """A new player of the kind that the settings name, with memory of its own."""
    from playmill.packs.diplomacy.search.settings import OrderSearchSettings

    search = OrderSearchSettings(rules=RULES[settings.rules]).with_polish(settings.polish_nodes)
    return make_player(settings.player, settings.strength, search)


@dataclass(frozen=True)
class GamesTask:
    """Games that one worker plays. `open_player` gives each worker a player, or a team, of its own."""

    numbers: tuple[int, ...]
    settings: DiplomacyGameSettings
    open_player: OpenPlayer


def play_games(task: GamesTask) -> int:
    """Play the games, in as many lanes as the player has; each is told when it is over. Returns how many there were."""
    team, table = worker_local("player", lambda: (open_team(task.open_player), GameTable(task.settings)))

    def play_round(games: list[SelfPlayGame]) -> None:
        states, streams = [game.state for game in games], [game.player_stream for game in games]
        for game, decision in zip(games, team.decide_round(states, streams, games[0].budget), strict=True):
            game.play(decision)

    def begin(number: int) -> SelfPlayGame:
        return SelfPlayGame(number, task.settings, table)

    play_side_by_side(task.numbers, [team], team.lanes, begin, play_round, SelfPlayGame.record)
    return len(task.numbers)


class DiplomacySelfPlay:
    """Plays the games that an output still lacks; `lanes` is how many a player of `open_player` plays side by side."""

    def __init__(
        self, settings: DiplomacyGameSettings, output: Output, open_player: OpenPlayer | None = None, lanes: int = 1
    ) -> None:
        self.settings, self.output, self.lanes = settings, output, lanes
        self._open_player = open_player or partial(open_searcher, settings)
        self._stopped = threading.Event()

    def run(self, games: int, threads: int, progress: Callable[[int], None] | None = None) -> DiplomacySelfPlayReport:
        """Play until the output has all games up to number `games - 1`; `progress` hears how many are finished."""
        first, began, played = self.output.next_game, time.perf_counter(), 0

        def hear(_: int, record: GameRecord) -> None:
            nonlocal played
            self.output.add(record)
            played += 1
            if progress is not None:
                progress(first + played)

        try:
            for _ in run(play_games, self._tasks(range(first, games), threads), threads, hear=hear, cancel=self._stopped):
                pass
        except KeyboardInterrupt:
            self.stop()
        return DiplomacySelfPlayReport(played, time.perf_counter() - began, not self._stopped.is_set())

    def _tasks(self, numbers: range, threads: int) -> Iterator[GamesTask]:
        shares = deal_games(numbers, threads, self.lanes)
        return (GamesTask(share, self.settings, self._open_player) for share in shares)

    def stop(self) -> None:
        """End soon: searches return at once and games under way are given up; those that are finished are safe."""
        self._stopped.set()
