"""Self-play of a configuration that goes on for ever, so that it can be timed a piece at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from playmill.games.game import Game
    from playmill.nets.checkpoint import Checkpoint
    from playmill.nets.net_evaluator import NetEvaluator
    from playmill.pipeline.settings import RunSettings


@dataclass(frozen=True)
class Variant:
    """One way to run a configuration."""

    lanes: int
    backend: str
    workers: int

    def words(self) -> str:
        return f"{self.backend}, {self.lanes} lanes, {self.workers} thread{'s' if self.workers > 1 else ''}"


@dataclass
class NetworkTime:
    """How much of a thread's own time a network took to answer, and how many rows it was asked."""

    seconds: float = 0.0
    rows: int = 0
    calls: int = 0
    _depth: int = field(default=0, repr=False)

    def watch(self, evaluator: NetEvaluator) -> NetEvaluator:
        """Have the evaluator's answers timed; one that asks another of its own counts once."""
        for name in ("_fill", "_fill_values", "_fill_head"):
            setattr(evaluator, name, self._timed(getattr(evaluator, name), 1 if name == "_fill_head" else 0))
        return evaluator

    def _timed(self, fill: Callable[..., None], place: int) -> Callable[..., None]:
        def timed(*words: Any) -> None:
            self._depth += 1
            began = time.thread_time()
            try:
                fill(*words)
            finally:
                self._depth -= 1
                if not self._depth:
                    self.seconds += time.thread_time() - began
                    self.rows, self.calls = self.rows + len(words[place]), self.calls + 1

        return timed


class EndlessGames:
    """A variant's self-play: each call makes some rounds, in which every lane of every thread makes a move."""

    def __init__(self, folder: Path, game: Game, settings: RunSettings, best: Checkpoint, variant: Variant) -> None:
        from playmill.bench.threads import OnThreads
        from playmill.pipeline.seating import seat_players
        from playmill.runs.folder import RunFolder

        changed = settings.model_copy(update={"backend": variant.backend})
        self._seated = seat_players(RunFolder(folder), game, changed, best, None, 1)
        self._game, self._rules, self._lanes = game, settings.selfplay.in_iteration(1), variant.lanes
        self.network = NetworkTime()
        is_alone = variant.workers == 1
        self._on = OnThreads([self._thread(number, is_alone) for number in range(variant.workers)])

    def __call__(self, rounds: int) -> int:
        """How many decisions were made."""
        return self._on(rounds)

    @property
    def cores_used(self) -> float:
        """How many cores it really had."""
        return self._on.cores_used

    def _thread(self, number: int, is_watched: bool) -> Callable[[int], int]:
        """One thread's games; one that is alone has its network watched."""
        from playmill.play.cohort import Cohort, run_in_turn
        from playmill.selfplay.recorder import ShardRecorder

        players = [one.maker(self._game, self._rules)(self._lanes) for one in self._seated]
        if is_watched:
            for player in players:
                evaluator = getattr(getattr(player, "searcher", None), "evaluator", None)
                if evaluator is not None:
                    self.network.watch(evaluator)
        recorder = ShardRecorder(self._game, players, self._rules, self._lanes, lambda _shard, _data: None)
        supply = (recorder.open(games) for games in self._games(number))
        rounds = run_in_turn([Cohort(self._game, players, supply, self._lanes, recorder, is_strict=False)])

        def play(count: int) -> int:
            for _ in range(count):
                next(rounds)
            return count * self._lanes

        return play

    def _games(self, thread: int) -> Iterator[Any]:
        """New games without end, other ones in each thread."""
        from playmill.selfplay.shards import games_of_run

        first = 0
        while True:
            yield games_of_run(self._game, self._rules, thread, first, self._lanes)
            first += self._lanes
