"""The controller: carries a run on from wherever it is, phase by phase, until it has had its iterations.

Each phase leaves its result on disk and then its entry in `run.json`. Started again after a kill, the controller skips what
has its entry and does the rest; a phase that was cut short goes on from what it had finished. What a phase does is known to
the run's `Phases` alone (`phases.py` has the engine's).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

from playmill.core.events import EventLog, read_events
from playmill.runs.contents import network_files
from playmill.runs.copies import make_copies
from playmill.runs.entries import PhaseEntry
from playmill.runs.folder import Manifest, RunFolder, now_ms
from playmill.runs.heartbeat import Heartbeat
from playmill.runs.phases import Phases


class Controller:
    """One run folder, how many iterations it is to have, and its phases."""

    def __init__(
        self, folder: RunFolder, manifest: Manifest, iterations: int, phases: Phases, metrics: EventLog, watcher: Heartbeat
    ) -> None:
        self.folder, self.manifest, self.iterations, self.phases = folder, manifest, iterations, phases
        self.metrics, self.watcher = metrics, watcher

    def run(self) -> None:
        """Run the remaining iterations."""
        with closing(self.metrics), closing(self.phases), self.watcher:
            self.watcher.begin(self.manifest, self.iterations, self.phases.names)
            self.phases.restore()
            while self.manifest.iterations_done < self.iterations:
                self._iterate()
            self.manifest.phase = "done"
            self._save()

    def _iterate(self) -> None:
        """Do what is left of the current iteration."""
        current, phases = self.manifest.current, self.phases
        if current.selfplay is None:
            self._in_phase("selfplay", phases.selfplay)
        if current.train is None:
            self._in_phase("train", phases.train)
        if current.gate is None:
            self._in_phase("gate", phases.gate)
        if current.measure is None and phases.is_measured():
            self._in_phase("measure", phases.measure)
        self._close_iteration()

    def _in_phase(self, name: str, work: Callable[[], PhaseEntry]) -> None:
        """Do a phase between two entries of the manifest: that it began, and what it came to.

        Both are saved at once. A gate, above all, must be on disk before it is acted upon: played again after the promotion,
        it would see the candidate play itself. So the copies that show its result come after it.
        """
        self.manifest.phase = name
        self.watcher.entered(name)
        if name == "train":
            self.manifest.forget(self.folder, *network_files(self.folder.candidate))  # it is about to be replaced
        self.manifest.save(self.folder)
        began = now_ms()
        result = work()
        result = result.model_copy(update={"seconds": (now_ms() - began) / 1000})
        self._tell(f"{name}_done", **result.model_dump(mode="json"))
        setattr(self.manifest.current, name, result)
        self._save()
        self.watcher.finished(name, result)

    def _tell(self, event: str, **fields: Any) -> None:
        number = self.manifest.iterations_done
        self.metrics.write(event, iteration=number, step=number, **fields)

    def _save(self) -> None:
        """Save the manifest, with the logs as they are now, and bring the copies up to date."""
        self.manifest.enter(
            self.folder, *(path for path in (self.folder.metrics, self.folder.iteration_stats) if path.exists())
        )
        self.manifest.save(self.folder)
        make_copies(self.folder, self.manifest)

    def _close_iteration(self) -> None:
        """Prune, count, and write the iteration down."""
        manifest, current = self.manifest, self.manifest.current
        assert current.selfplay is not None
        assert current.train is not None
        assert current.gate is not None
        pruned = self.phases.prune()
        left = pruned.before - len(pruned.removed)
        self._tell("replay_prune", before=pruned.before, after=left, removed=list(pruned.removed))
        current.pruned = len(pruned.removed)
        self._write_stats()
        manifest.selfplay_games += current.selfplay.games
        manifest.train_steps += current.train.steps
        manifest.gate_games += current.gate.games
        manifest.iterations_done += 1
        # A file is struck off before it is deleted: a kill in between leaves a file that nobody reads, not an empty entry.
        manifest.forget(self.folder, *pruned.files)
        self._save()
        for path in pruned.files:
            path.unlink(missing_ok=True)

    def _write_stats(self) -> None:
        """Append the iteration's line, unless a kill came between the line and the manifest."""
        current = self.manifest.current
        if any(line.get("number") == current.number for line in read_events(self.folder.iteration_stats)):
            return
        with EventLog(self.folder.iteration_stats, self.manifest.event_head()) as stats:
            stats.write("iteration", step=current.number, **current.model_dump(mode="json"))
