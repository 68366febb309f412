"""Which lanes, backend and threads are quickest for a configuration on this machine, measured by its own self-play and steps.

All of them change how fast a run is and not what it learns from: shards are the same for any lanes and threads. The ways that
are compared take turns, so that a busy moment meets all of them; in the end the best one meets the configuration's own, and
has to be clearly faster.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from playmill.bench.machine import core_count
from playmill.bench.tuning_games import EndlessGames, Variant
from playmill.core.files import temporary_folder
from playmill.selfplay.settings import MAX_LANES

if TYPE_CHECKING:
    from playmill.games.game import Game
    from playmill.nets.checkpoint import Checkpoint
    from playmill.pipeline.settings import RunSettings

CLEARLY = 1.03  # less than this is noise
PAIRS, STEADY = 8, 0.75  # of the last comparison: turns, and in how many of them one side has to be ahead
LOOK_S = 0.5  # of the processor's time, to see what a thread does
BUSY = 0.8  # of the cores that were asked for: with less, others are at work here
CALIBRATION = 512  # positions for the int8 network
BACKENDS = ("ort_int8", "ort", "torch")
SHARES = {"backend": 0.2, "lanes": 0.3, "workers": 0.15, "threads": 0.15, "last": 0.2}  # of the time that there is

Way = TypeVar("Way")
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Tuned:
    """What came out. `ratio` is the chosen way over the configuration's own, in the last comparison."""

    own: Variant
    chosen: Variant
    ratio: float
    decisions_s: float
    own_decisions_s: float
    own_threads: int
    threads: int
    samples_s: float
    own_samples_s: float
    network_share: float
    batch_rows: float
    selfplay_share: float  # of an iteration, as far as it can be foreseen


class Tuner:
    """Measures one configuration for about `seconds`."""

    def __init__(self, settings: RunSettings, game: Game, seconds: float, tell: Tell) -> None:
        self.settings, self.game, self.seconds, self.tell = settings, game, seconds, tell

    def run(self) -> Tuned:
        """Find the quickest way, one question after the other."""
        with temporary_folder("playmill-tune-") as folder:
            self._folder, self._best = folder, self._network(folder)
            own = self.own
            best = self._choose("backend", [replace(own, workers=1, backend=name) for name in self._backends()])
            best = self._choose("lanes", [replace(best, lanes=lanes) for lanes in self._lanes()])
            share, rows = self._look_inside(best)
            best = self._with_workers(replace(best, workers=own.workers))
            ratio, rate, own_rate = self._compare(best, own)
            chosen = best if ratio >= CLEARLY else own
            threads, samples = self._steps()
            own_threads = self.settings.train.threads
            return Tuned(
                own, chosen, ratio if chosen is best else 1.0, rate if chosen is best else own_rate, own_rate,
                own_threads, threads, samples[threads], samples[own_threads], share, rows,
                self._selfplay_share(rate if chosen is best else own_rate, samples[threads]),
            )  # fmt: skip

    @property
    def own(self) -> Variant:
        """As the configuration has it."""
        settings = self.settings
        backend = settings.backend if settings.backend != "auto" else self._backends()[0]
        return Variant(settings.selfplay.lanes, backend, settings.workers or core_count())

    def _backends(self) -> list[str]:
        return list(BACKENDS) if self.settings.device == "cpu" else ["auto"]

    def _lanes(self) -> list[int]:
        """A quarter to four times as many, as far as an iteration has games for them."""
        own, most = self.settings.selfplay.lanes, min(MAX_LANES, self.settings.selfplay.games)
        return sorted({max(1, min(most, round(own * factor))) for factor in (0.25, 0.5, 1, 2, 4)} | {own})

    def _network(self, folder: Path) -> Checkpoint:
        """A new network with its int8 model: how fast it is does not depend on what it has learnt."""
        from playmill.bench.positions import features_of
        from playmill.nets.checkpoint import load_checkpoint, save_checkpoint
        from playmill.nets.int8 import export_int8
        from playmill.pipeline.selfplay_phase import first_network

        path = folder / "net.pt"
        save_checkpoint(path, first_network(self.game, self.settings))
        if self.settings.device == "cpu":
            export_int8(path, features_of(self.game, CALIBRATION))
        return load_checkpoint(path, self.game)

    def _games(self, variant: Variant) -> EndlessGames:
        return EndlessGames(self._folder, self.game, self.settings, self._best, variant)

    # ------------------------------------------------------------------ one question at a time

    def _choose(self, what: str, ways: Sequence[Variant]) -> Variant:
        """The quickest of some ways, or the one that the configuration has unless another is clearly quicker."""
        unlike = list(dict.fromkeys(ways))
        if len(unlike) == 1:
            return unlike[0]
        rates = _rates({way: self._games(way) for way in unlike}, self.seconds * SHARES[what])
        self.tell(f"{what}: " + ", ".join(f"{getattr(way, what)} {rate:,.0f}" for way, rate in rates.items()) + " decisions/s")
        own = next((way for way in unlike if getattr(way, what) == getattr(self.own, what)), unlike[0])
        best = max(rates, key=lambda way: rates[way])
        return best if rates[best] >= CLEARLY * rates[own] else own

    def _with_workers(self, variant: Variant) -> Variant:
        """As many threads as are quickest; as many as the configuration has where others keep cores busy."""
        games = self._games(variant)
        _rates({variant: games}, 1.0)
        if games.cores_used < BUSY * min(variant.workers, core_count()):
            free = f"{games.cores_used:.1f} of {min(variant.workers, core_count())}"
            self.tell(f"workers: left at {variant.workers}: only {free} cores were free; measure again on a quiet machine")
            return variant
        return self._choose("workers", [replace(variant, workers=count) for count in _threads(variant.workers)])

    def _look_inside(self, variant: Variant) -> tuple[float, float]:
        """The share of a thread's time that the network takes, and how many rows it is asked at a time."""
        games = self._games(replace(variant, workers=1))
        games(1)
        games.network.seconds, games.network.rows, games.network.calls, began = 0.0, 0, 0, time.process_time()
        while (spent := time.process_time() - began) < LOOK_S:
            games(1)
        return games.network.seconds / spent, games.network.rows / max(games.network.calls, 1)

    def _compare(self, best: Variant, own: Variant) -> tuple[float, float, float]:
        """The best way over the configuration's own: the median of pairs, both from the first move on."""
        if best == own:
            rate = _rates({own: self._games(own)}, self.seconds * SHARES["last"] / 2)[own]
            return 1.0, rate, rate
        sides, ratios, rates = {way: self._games(way) for way in (own, best)}, [], {own: 0.0, best: 0.0}
        paces = {way: _pace(games, self.seconds * SHARES["last"] / (2 * PAIRS)) for way, games in sides.items()}
        for _ in range(PAIRS):
            found = {way: _timed(games, paces[way]) for way, games in sides.items()}
            ratios.append(found[best] / found[own])
            rates = {way: max(rates[way], rate) for way, rate in found.items()}
        won = sum(ratio > 1 for ratio in ratios)
        self.tell(f"{best.words()} over {own.words()}: {statistics.median(ratios):.2f}, faster in {won} of {PAIRS} turns")
        return steady_ratio(ratios), rates[best], rates[own]

    # ------------------------------------------------------------------ training

    def _steps(self) -> tuple[int, dict[int, float]]:
        """The number of threads that trains quickest, and samples a second for each."""
        own = self.settings.train.threads
        choices = sorted({own, *_threads(own)}) if self.settings.device == "cpu" else [own]
        rates = {}
        for threads in choices:
            with self._training(threads) as work:
                rates[threads] = _rates({threads: work}, self.seconds * SHARES["threads"] / len(choices))[threads]
        self.tell("train.threads: " + ", ".join(f"{count} {rate:,.0f}" for count, rate in rates.items()) + " samples/s")
        best = max(rates, key=lambda count: rates[count])
        return (best if rates[best] >= CLEARLY * rates[own] else own), rates

    @contextmanager
    def _training(self, threads: int) -> Iterator[Callable[[int], int]]:
        from playmill.bench.shipped import play_some
        from playmill.bench.train import Fed
        from playmill.replay import list_shards
        from playmill.train.device import steady
        from playmill.train.plan import TrainJob
        from playmill.train.trainer import Training

        replay = self._folder / "replay"
        if not replay.exists():
            play_some(self.settings, self._folder / "net.pt", replay)
        train = self.settings.train.model_copy(update={"threads": threads})
        job = TrainJob(self.game, train, self._folder / "net.pt", self._folder / "candidate.pt", list_shards(replay),
                       device=self.settings.device)  # fmt: skip
        training = Training(job)
        with steady(training.device), closing(training.stepper()) as stepper:
            yield Fed(training, stepper)

    def _selfplay_share(self, decisions_s: float, samples_s: float) -> float:
        """Of self-play and training together: an iteration's games, about as long as random ones, and its steps."""
        from playmill.sim import Simulator, uniform_random

        plies = Simulator(uniform_random).playout_many(self.game.new(0), 64, workers=1, seed=0).mean_applied
        play = self.settings.selfplay.games * plies / decisions_s
        samples = int(self.settings.selfplay.games * plies)
        steps, _ = self.settings.train.steps_for(samples)
        return play / (play + steps * self.settings.train.batch_size / samples_s)


def steady_ratio(ratios: Sequence[float]) -> float:
    """The median of paired ratios; 1 at most where the faster side was not faster in three turns of four."""
    middle = statistics.median(ratios)
    return middle if sum(ratio > 1 for ratio in ratios) >= STEADY * len(ratios) else min(middle, 1.0)


def bottleneck(tuned: Tuned) -> str:
    """What a run with these settings waits for, in words."""
    if tuned.selfplay_share < 0.4:
        return (f"training takes about {1 - tuned.selfplay_share:.0%} of self-play and training together:"
                " fewer steps an iteration, or a smaller network, would help most")  # fmt: skip
    inside = (
        f"the network answers for {tuned.network_share:.0%} of a thread's time, {tuned.batch_rows:.0f} rows at a time:"
        " a smaller network or fewer simulations would help most"
        if tuned.network_share >= 0.5
        else f"rules and trees take {1 - tuned.network_share:.0%} of a thread's time and the network the rest:"
        " more cores would help most"
    )
    return f"self-play takes about {tuned.selfplay_share:.0%} of self-play and training together; {inside}"


def _threads(own: int) -> list[int]:
    """One, two, four ... and all cores."""
    cores = core_count()
    return sorted({count for count in (1, 2, 4, 8, 16, 32, 64) if count < cores} | {cores, own})


def _rates(works: dict[Way, Callable[[int], int]], seconds: float) -> dict[Way, float]:
    """Each work's best rate over rounds in turn, which take about `seconds` together."""
    rounds = 4
    paces = {way: _pace(work, seconds / (len(works) * (rounds + 1))) for way, work in works.items()}
    rates = dict.fromkeys(works, 0.0)
    for _ in range(rounds):
        for way, work in works.items():
            rates[way] = max(rates[way], _timed(work, paces[way]))
    return rates


def _pace(work: Callable[[int], int], seconds: float) -> int:
    """The size that takes about so long; the first call, which compiles and fills trees, is not counted."""
    work(1)
    size, began = 1, time.perf_counter()
    while True:
        work(size)
        spent = time.perf_counter() - began
        if spent >= seconds / 4:
            return max(1, round(size * seconds / spent))
        size, began = size * 2, time.perf_counter()


def _timed(work: Callable[[int], int], size: int) -> float:
    began = time.perf_counter()
    return work(size) / (time.perf_counter() - began)
