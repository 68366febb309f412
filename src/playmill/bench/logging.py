"""What logs and metrics cost: self-play with all that a run tells of it, over the same self-play that tells nothing."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playmill.bench.nets import YATZY
from playmill.bench.registry import Measured, Setup, benchmark
from playmill.core.files import temporary_folder

if TYPE_CHECKING:
    from playmill.pipeline.settings import RunSettings
    from playmill.runs.heartbeat import Heartbeat

GAMES = 128  # an iteration: half a second of one core; the shorter it is, the more its logs count
TURNS_A_SECOND, LEAST_TURNS = 5, 2
LOGGED = 0.002  # of the roots, as runs have it unless told otherwise


@benchmark("selfplay.logging", "x")
def selfplay_logging(setup: Setup) -> Measured:
    """Games of self-play by CPU time with status, events, root log and Prometheus page, over the same games without them."""
    with temporary_folder("playmill-bench-") as folder:
        sides = {name: Iterations(folder / name, name == "logged") for name in ("silent", "logged")}
        spent: dict[str, list[float]] = {name: [] for name in sides}
        for turn in range(1 + max(LEAST_TURNS, round(TURNS_A_SECOND * setup.seconds))):
            for name, side in sides.items():
                began = time.process_time()
                side.play()
                spent[name] += [time.process_time() - began] if turn else []  # the first turn compiles
    ratios = [silent / logged for silent, logged in zip(spent["silent"], spent["logged"], strict=True)]
    ratio, se = statistics.median(ratios), statistics.stdev(ratios) / len(ratios) ** 0.5
    facts = {"cost": 1 - ratio, "se": se, "games": GAMES, "turns": len(ratios), "root_log_share": LOGGED}
    return Measured(ratio, {**facts, **{f"{name}_cpu_s": statistics.median(seconds) for name, seconds in spent.items()}})


class Iterations:
    """One iteration of self-play after the other in a run's folder, on one thread; logged, as a run at work has it."""

    def __init__(self, root: Path, is_logged: bool) -> None:
        from playmill.nets.checkpoint import load_checkpoint, save_checkpoint
        from playmill.pipeline.run import EngineRuns
        from playmill.runs.folder import RunFolder
        from playmill.runs.resume import begin_run

        self.folder, self.game, self.is_logged, self.iteration = RunFolder(root), YATZY.find_game(), is_logged, 0
        self.settings = _settings(LOGGED if is_logged else 0.0)
        root.mkdir()
        save_checkpoint(root / "net.pt", YATZY.checkpoint())
        self.best = load_checkpoint(root / "net.pt", self.game)
        self.manifest = begin_run(self.folder, self.settings, "game: yatzy\n", EngineRuns().identify(self.settings))

    def play(self) -> None:
        """Play the next iteration. A heartbeat of its own goes with it, as with a run that is this long."""
        with self._looking_on() as heartbeat:
            self._play(heartbeat)
        self.iteration += 1

    @contextmanager
    def _looking_on(self) -> Iterator[Heartbeat | None]:
        from playmill.pipeline.metering import MeteredDisplay, RunTally
        from playmill.runs.heartbeat import Heartbeat
        from playmill.runs.watcher import Nobody

        if not self.is_logged:
            yield None
            return
        with Heartbeat(self.folder, MeteredDisplay(Nobody(), RunTally())) as heartbeat:
            heartbeat.begin(self.manifest, 1 << 20, ("selfplay",))
            yield heartbeat

    def _play(self, heartbeat: Heartbeat | None) -> None:
        from playmill.core.events import EventLog
        from playmill.pipeline.selfplay_phase import play_iteration
        from playmill.runs.watcher import Nobody

        def watch(total: int, done: int) -> Any:
            return (heartbeat or Nobody()).phase("selfplay", total, done)

        played = play_iteration(self.folder, self.game, self.settings, self.best, self.iteration, 1, watch)
        entry = played.entry(self.best.meta.weights_sha256)
        if heartbeat is not None:
            with EventLog(self.folder.metrics, self.manifest.event_head()) as events:
                events.write("selfplay_done", iteration=self.iteration, step=self.iteration, **entry.model_dump(mode="json"))
            heartbeat.finished("selfplay", entry)


def _settings(share: float) -> RunSettings:
    from playmill.core.documents import fit
    from playmill.pipeline.settings import RunSettings

    selfplay = {"games": GAMES, "shard_games": GAMES, "lanes": GAMES, "root_log_share": share}
    search = {"kind": "puct", "puct": {"budget": 16}}
    content = {"game": "yatzy", "net": YATZY.spec, "backend": "ort", "search": search, "selfplay": selfplay}
    return fit(RunSettings, "selfplay.logging", content)
