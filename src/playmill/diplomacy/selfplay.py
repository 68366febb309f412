"""Self-play on all threads: each game is played by one thread, and the file is the same for any number of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from playmill.core.errors import PlaymillError
from playmill.core.executor import run, stop_sign, worker_local
from playmill.diplomacy.players import make_player
from playmill.diplomacy.records import GameRecord
from playmill.diplomacy.selfplay_game import Decider, Game, Table
from playmill.diplomacy.selfplay_output import Output
from playmill.diplomacy.selfplay_settings import SelfPlaySettings
from playmill.games.diplomacy.board import RULES


class Interrupted(PlaymillError):
    """The user stopped the run; starting it again goes on."""

    exit_code = 130


@dataclass(frozen=True)
class SelfPlayReport:
    """What was played now; games that had been finished before are not in it."""

    games: int
    seconds: float
    is_whole: bool


def open_searcher(settings: SelfPlaySettings) -> Decider:
    """A new player of the kind that the settings name, with memory of its own."""
    from playmill.diplomacy.settings import SearchSettings

    search = SearchSettings(rules=RULES[settings.rules]).with_polish(settings.polish_nodes)
    return make_player(settings.player, settings.strength, search)


@dataclass(frozen=True)
class GameTask:
    """One game to play. `open_player` gives each worker a player of its own."""

    number: int
    settings: SelfPlaySettings
    open_player: Callable[[], Decider]


def play_game(task: GameTask) -> GameRecord:
    """Play a game; Stopped if the run ends before."""
    player, table = worker_local("player", lambda: (task.open_player(), Table(task.settings)))
    stop, flag = stop_sign(), getattr(player, "stop", None)
    if flag is not None:
        stop.link(flag)
    game = Game(task.number, task.settings, table)
    while not game.is_over:
        game.step(player)
        stop.check()  # even after its last phase: a search that was told to stop may have answered otherwise
    return game.record()


class SelfPlay:
    """Plays the games that an output still lacks."""

    def __init__(self, settings: SelfPlaySettings, output: Output, open_player: Callable[[], Decider] | None = None) -> None:
        self.settings, self.output = settings, output
        self._open_player = open_player or partial(open_searcher, settings)
        self._stopped = threading.Event()

    def run(self, games: int, threads: int, progress: Callable[[int], None] | None = None) -> SelfPlayReport:
        """Play until the output has all games up to number `games - 1`; `progress` hears how many are finished."""
        first, began, played = self.output.next_game, time.perf_counter(), 0
        tasks = (GameTask(number, self.settings, self._open_player) for number in range(first, games))
        try:
            for _, record in run(play_game, tasks, threads, cancel=self._stopped):
                self.output.add(record)
                played += 1
                if progress is not None:
                    progress(first + played)
        except KeyboardInterrupt:
            self.stop()
        return SelfPlayReport(played, time.perf_counter() - began, not self._stopped.is_set())

    def stop(self) -> None:
        """End soon: searches return at once and games under way are given up; those that are finished are safe."""
        self._stopped.set()
