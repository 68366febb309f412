"""The loop: self-play, training, gate, promotion; carried on from wherever it was stopped.

Each phase leaves its result on disk and then its entry in `run.json`. Started again after a kill, the loop skips what has its
entry and does the rest: self-play goes on in its file game by game, training from its last save, a gate from its seeds. As long
as no network has passed a gate, the unguided search plays the games and is what a candidate must beat.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from playmill.core.events import EventLog
from playmill.core.seeds import mix
from playmill.diplomacy.ladder import show_share
from playmill.diplomacy.neural.checkpoint import GAME, load
from playmill.diplomacy.neural.evaluator import open_evaluator
from playmill.diplomacy.neural.features import FEATURE_SCHEMA
from playmill.diplomacy.neural.gate import run_gate
from playmill.diplomacy.neural.loop_settings import LoopSettings, load_settings
from playmill.diplomacy.neural.plan import DiplomacyJob
from playmill.diplomacy.neural.players import make_guided_twin
from playmill.diplomacy.neural.slots import ACTION_SPACE
from playmill.diplomacy.neural.training import DiplomacyTraining
from playmill.diplomacy.players import Player, make_player
from playmill.diplomacy.selfplay import Interrupted, SelfPlay
from playmill.diplomacy.selfplay_output import Output
from playmill.diplomacy.selfplay_resume import side_path
from playmill.diplomacy.selfplay_settings import SelfPlaySettings
from playmill.pipeline.contents import network_files
from playmill.pipeline.copies import enter_best, make_copies
from playmill.pipeline.folder import Manifest, RunFolder, now_ms
from playmill.pipeline.opening import begin_run, open_folder

RULESET = "datc-3"
GAMES, TRAINING, GATES = range(3)  # streams of the run's seed


class Watcher(Protocol):
    """Who looks on."""

    def phase(self, label: str, total: int) -> AbstractContextManager[Callable[[int], None] | None]:
        """A phase of so many games or steps begins; what it gives hears how many are done."""

    def note(self, line: str) -> None:
        """Something worth a line happened."""


class Loop:
    """One run folder and the settings it was begun with."""

    def __init__(self, folder: RunFolder, settings: LoopSettings, manifest: Manifest, watcher: Watcher) -> None:
        self.folder, self.settings, self.manifest, self.watcher = folder, settings, manifest, watcher
        self.workers = settings.workers or os.cpu_count() or 1
        self.search = settings.search.as_settings()
        self.metrics = EventLog(folder.metrics)

    def run(self) -> None:
        """Run the remaining iterations."""
        while self.manifest.iterations_done < self.settings.iterations:
            current = self.manifest.current
            if current.selfplay is None:
                self._in_phase("selfplay", self._selfplay)
            if current.train is None:
                self._in_phase("train", self._train)
            if current.gate is None:
                self._in_phase("gate", self._gate)
            self._close_iteration()
        self.manifest.phase = "done"
        self._save()

    def _in_phase(self, name: str, work: Callable[[], dict[str, Any]]) -> None:
        """Do a phase between two entries of the manifest: that it began, and what it came to."""
        self.manifest.phase = name
        if name == "train":
            self.manifest.forget(self.folder, *network_files(self.folder.candidate))  # it is about to be replaced
        self.manifest.save(self.folder)
        began = now_ms()
        result = work()
        result["seconds"] = (now_ms() - began) / 1000
        self.metrics.write(f"{name}_done", iteration=self.manifest.iterations_done, **result)
        setattr(self.manifest.current, name, result)
        self._save()

    def _save(self) -> None:
        """Save the manifest, with the log as it is now, and bring the copies up to date."""
        if self.folder.metrics.exists():
            self.manifest.enter(self.folder, self.folder.metrics)
        self.manifest.save(self.folder)
        make_copies(self.folder, self.manifest)

    def _seed(self, stream: int) -> int:
        return mix(mix(self.settings.seed, stream), self.manifest.iterations_done)

    # ------------------------------------------------------------------ phases

    def _selfplay(self) -> dict[str, Any]:
        settings, games = self._game_settings(), self.settings.selfplay.games
        make = self._maker(self._best, self.settings.selfplay.noise)
        path = self.games_of(self.manifest.iterations_done)
        with Output(path, settings) as output, self.watcher.phase(self._label("self-play"), games) as progress:
            report = SelfPlay(settings, output, make).run(games, self.workers, progress)
            tally = output.standing.tally
        if not report.is_whole:
            raise Interrupted("interrupted; start the same command again to go on")
        self.manifest.enter(self.folder, path, side_path(path))
        return {"games": games, "kept": tally.kept, "phases": tally.phases, "model": self.manifest.best}

    def _game_settings(self) -> SelfPlaySettings:
        """A game's settings in this iteration; the player's name tells which network played."""
        player = f"neural {self.manifest.best}" if self.manifest.best else "rm_plus"
        fields = {"seed": self._seed(GAMES), "player": player, "polish_nodes": self.settings.search.polish_nodes}
        return self.settings.selfplay.settings.model_copy(update=fields)

    def games_of(self, iteration: int) -> Path:
        """The file of one iteration's games."""
        return self.folder.games / f"games_{iteration:06d}.jsonl"

    @property
    def _best(self) -> Path | None:
        """The best network, None as long as none has passed a gate."""
        return self.folder.best if self.manifest.best else None

    def _maker(self, network: Path | None, noise: float = 0.0) -> Callable[[], Player]:
        """What makes a player for each thread: guided if there is a network."""
        if network is None:
            return partial(make_player, "rm_plus", settings=self.search)
        fields = {"noise": noise, "alpha": self.settings.selfplay.alpha}
        guidance = self.settings.guidance.model_copy(update=fields)
        first = open_evaluator(load(network), self.settings.backend, self.settings.device)
        return partial(make_guided_twin, first, self.search, guidance)

    def _train(self) -> dict[str, Any]:
        iteration, train = self.manifest.iterations_done, self.settings.train
        first = 0 if train.window_shards is None else max(0, iteration + 1 - train.window_shards)
        job = DiplomacyJob(
            data=tuple(self.games_of(i) for i in range(first, iteration + 1)),
            out=self.folder.candidate,
            settings=train,
            init=self._best,
            spec=self.settings.net,
            seed=self._seed(TRAINING),
            iteration=iteration,
            validation=self.settings.validation,
            device=self.settings.device,
            config_hash=self.manifest.settings_hash,
            commit=self.manifest.commit,
        )
        training = DiplomacyTraining(job, self.metrics)
        with self.watcher.phase(self._label("training"), training.plan.steps_target) as progress:
            report = training.run(progress)
        self.manifest.enter(self.folder, *(path for path in network_files(self.folder.candidate) if path.exists()))
        found = {} if report.validation is None else vars(report.validation)
        result = {"steps": report.steps_target, "samples": report.samples, "weights_sha256": report.weights_sha256}
        return {**result, "samples_s": report.samples_s, **report.losses, "validation": found}

    def _gate(self) -> dict[str, Any]:
        settings = self.settings.gate
        makers = self._maker(self.folder.candidate), self._maker(self._best)
        with self.watcher.phase(self._label("gate"), settings.games) as progress:
            report = run_gate(*makers, settings, self._seed(GATES), self.workers, progress)
        against = "the best network" if self._best else "the unguided search"
        line = f"{show_share(report.share, '.1%')} in {report.share.trials} rotations against six of {against}"
        self.watcher.note(f"{self._label('gate')}: {line}; {report.reason}")
        if report.promote:
            weights = load(self.folder.candidate).meta.weights_sha256
            enter_best(self.folder, self.manifest, self.folder.candidate, weights)
        return {**report.fields(), "against": against}

    def _close_iteration(self) -> None:
        manifest, current = self.manifest, self.manifest.current
        assert current.selfplay is not None
        assert current.train is not None
        assert current.gate is not None
        manifest.selfplay_games += current.selfplay["games"]
        manifest.train_steps += current.train["steps"]
        manifest.gate_games += current.gate["games"]
        manifest.iterations_done += 1
        self._save()

    def _label(self, phase: str) -> str:
        return f"iteration {self.manifest.iterations_done + 1}/{self.settings.iterations} {phase}"


def open_loop(config: Path, out: Path, watcher: Watcher, overrides: Sequence[str] = ()) -> Loop:
    """The loop of the run in `out`: begun if it is new, else carried on with the settings it was begun with."""
    settings, text = load_settings(config, overrides)
    folder = RunFolder(out)
    manifest = open_folder(folder, settings, text, load_settings)
    if manifest is None:
        manifest = begin_run(folder, settings, text, GAME, RULESET, ACTION_SPACE, FEATURE_SCHEMA)
    return Loop(folder, settings, manifest, watcher)
