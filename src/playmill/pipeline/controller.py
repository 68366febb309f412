"""The controller: carries a run on from wherever it is, phase by phase, until it has had its iterations.

Each phase leaves its result on disk and then its entry in `run.json`. Started again after a kill, the controller skips what
has its entry and does the rest (`phases.py` says how); a phase that was cut short goes on from what it had finished.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

from playmill.core.events import EventLog, read_events
from playmill.pipeline.contents import network_files
from playmill.pipeline.copies import make_copies
from playmill.pipeline.folder import Manifest, RunFolder, now_ms
from playmill.pipeline.holdings import listed_shards
from playmill.pipeline.phases import Phases
from playmill.pipeline.playing import begin_best
from playmill.pipeline.settings import RunSettings
from playmill.pipeline.watcher import Watcher
from playmill.replay import newest
from playmill.replay.meta import meta_path
from playmill.replay.shard import remove_shard


class Controller:
    """One run folder and the settings it was begun with."""

    def __init__(self, folder: RunFolder, settings: RunSettings, manifest: Manifest, watcher: Watcher) -> None:
        self.folder, self.settings, self.manifest, self.watcher = folder, settings, manifest, watcher
        self.metrics = EventLog(folder.metrics)
        self.phases = Phases(folder, settings, manifest, self.metrics, watcher)

    def run(self) -> None:
        """Run the remaining iterations."""
        with closing(self.metrics):
            self.watcher.begin(self.manifest, self.settings)
            self._bootstrap()
            self.phases.restore()
            while self.manifest.iterations_done < self.settings.iterations:
                self._iterate()
            self.manifest.phase = "done"
            self._save()

    def _bootstrap(self) -> None:
        """Make the first best network, if there is none."""
        if self.manifest.best is None:
            begin_best(self.folder, self.phases.game, self.settings, self.manifest)

    def _iterate(self) -> None:
        """Do what is left of the current iteration."""
        current, phases = self.manifest.current, self.phases
        if current.selfplay is None:
            self._in_phase("selfplay", phases.selfplay)
        if current.train is None:
            self._in_phase("train", phases.train)
        if current.gate is None:
            self._in_phase("gate", phases.gate)
        if current.oracle is None and self._is_measured():
            self._in_phase("oracle", phases.measure)
        self._close_iteration()

    def _in_phase(self, name: str, work: Callable[[], dict[str, Any]]) -> None:
        """Do a phase between two entries of the manifest: that it began, and what it came to.

        Both are saved at once. A gate, above all, must be on disk before it is acted upon: played again after the promotion,
        it would see the candidate play itself. So the copies that show its result come after it.
        """
        self.manifest.phase = name
        if name == "train":
            self.manifest.forget(self.folder, *network_files(self.folder.candidate))  # it is about to be replaced
        self.manifest.save(self.folder)
        began = now_ms()
        result = work()
        result["seconds"] = (now_ms() - began) / 1000
        self._tell(f"{name}_done", **result)
        setattr(self.manifest.current, name, result)
        self._save()
        self.watcher.finished(name, result)

    def _tell(self, event: str, **fields: Any) -> None:
        game = self.phases.game
        versions = {
            "protocol_version": 1,
            "feature_schema": game.feature_schema,
            "action_space": game.action_space,
            "ruleset": game.ruleset,
        }
        head = {"run_id": self.manifest.run_id, "iteration": self.manifest.iterations_done, "v": versions}
        self.metrics.write(event, **head, **fields)

    def _save(self) -> None:
        """Save the manifest, with the logs as they are now, and bring the copies up to date."""
        self.manifest.enter(
            self.folder, *(path for path in (self.folder.metrics, self.folder.iteration_stats) if path.exists())
        )
        self.manifest.save(self.folder)
        make_copies(self.folder, self.manifest)

    def _is_measured(self) -> bool:
        settings, done = self.settings.oracle, self.manifest.iterations_done + 1
        is_due = done % settings.every == 0 or done == self.settings.iterations
        return self.phases.oracle is not None and settings.games > 0 and is_due

    def _close_iteration(self) -> None:
        """Prune, count, and write the iteration down."""
        manifest, current = self.manifest, self.manifest.current
        assert current.selfplay is not None
        assert current.train is not None
        assert current.gate is not None
        shards = listed_shards(self.folder, manifest)
        kept = newest(shards, self.settings.replay.capacity_shards)
        old = shards[: len(shards) - len(kept)]
        self._tell("replay_prune", before=len(shards), after=len(kept), removed=[path.name for path in old])
        current.pruned = len(old)
        self._write_stats()
        manifest.selfplay_games += current.selfplay["games"]
        manifest.train_steps += current.train["steps"]
        manifest.gate_games += current.gate["games"]
        manifest.iterations_done += 1
        # A shard is struck off before it is deleted: a kill in between leaves a file that nobody reads, not an empty entry.
        manifest.forget(self.folder, *(file for path in old for file in (path, meta_path(path))))
        self._save()
        for path in old:
            remove_shard(path)

    def _write_stats(self) -> None:
        """Append the iteration's line, unless a kill came between the line and the manifest."""
        current = self.manifest.current
        if any(line.get("number") == current.number for line in read_events(self.folder.iteration_stats)):
            return
        with EventLog(self.folder.iteration_stats) as stats:
            stats.write("iteration", run_id=self.manifest.run_id, **current.model_dump(mode="json"))
