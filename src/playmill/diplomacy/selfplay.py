"""Self-play on all threads: each game is played by one thread, and the file is the same for any number of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playmill.core.crew import Crew
from playmill.core.errors import PlaymillError
from playmill.diplomacy.players import make_player
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


class SelfPlay:
    """Plays the games that an output still lacks. `open_player` gives each thread a player of its own."""

    def __init__(
        self, settings: SelfPlaySettings, output: Output, open_player: Callable[[SelfPlaySettings], Decider] = open_searcher
    ) -> None:
        self.settings, self.output, self._open_player = settings, output, open_player
        self._own = threading.local()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._players: list[Any] = []
        self._games = 0

    def run(self, games: int, threads: int, progress: Callable[[int], None] | None = None) -> SelfPlayReport:
        """Play until the output has all games up to number `games - 1`; `progress` hears how many are finished."""
        first, began = self.output.next_game, time.perf_counter()

        def tell(_: int) -> None:
            if progress is not None:
                progress(first + self._games)

        if first < games:
            Crew(first, games, self._work, self.stop).run(threads, self._stopped, tell)
        return SelfPlayReport(self._games, time.perf_counter() - began, not self._stopped.is_set())

    def stop(self) -> None:
        """End soon: searches return at once and games under way are given up; those that are finished are safe."""
        self._stopped.set()
        for player in list(self._players):
            flag = getattr(player, "stop", None)
            if flag is not None:
                flag[0] = 1

    def _work(self, first: int, count: int) -> int:
        return sum(self._play(number) for number in range(first, first + count))

    def _play(self, number: int) -> int:
        """Play one game and hand it in; return 1, or 0 if it was given up."""
        player, table = self._mine()
        game = Game(number, self.settings, table)
        while not game.is_over:
            game.step(player)
            if self._stopped.is_set():
                return 0  # even if this was its last phase: a search that was told to stop may have answered otherwise
        record = game.record()
        with self._lock:
            self.output.add(record)
            self._games += 1
        return 1

    def _mine(self) -> tuple[Decider, Table]:
        """This thread's player and memory, made on first use."""
        if not hasattr(self._own, "pair"):
            player = self._open_player(self.settings)
            self._players.append(player)
            self._own.pair = player, Table(self.settings)
        pair: tuple[Decider, Table] = self._own.pair
        return pair
