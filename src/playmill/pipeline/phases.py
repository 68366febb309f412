"""What each phase of an iteration does: it leaves its result on disk and returns its entry in the manifest.

All may be done again after a kill: they go on from the shards or the checkpoint that are there, or repeat the same games.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from playmill.arena.entrants import checkpoint_maker
from playmill.arena.gate import gate_seeds, run_gate
from playmill.arena.gate_report import GateReport, write_report
from playmill.arena.oracle_suite import oracle_suite
from playmill.arena.standing import Standing
from playmill.core.disk import writing
from playmill.core.events import EventLog
from playmill.core.seeds import mix
from playmill.games.game import Game
from playmill.games.many import encode_all
from playmill.games.registry import get_game
from playmill.games.yatzy.oracle import Oracle
from playmill.nets.checkpoint import Checkpoint, load_checkpoint
from playmill.nets.int8 import MIN_POSITIONS, export_int8, int8_path
from playmill.pipeline.contents import listed, network_files
from playmill.pipeline.copies import enter_best
from playmill.pipeline.folder import Manifest, RunFolder
from playmill.pipeline.holdings import listed_shards
from playmill.pipeline.playing import play_iteration
from playmill.pipeline.restoring import restore_shards
from playmill.pipeline.settings import RunSettings
from playmill.pipeline.streams import GATES, MEASURES, TRAINING
from playmill.pipeline.watcher import Tell, Watcher
from playmill.play.player import MakePlayer
from playmill.replay import read_shard
from playmill.replay.meta import meta_path
from playmill.replay.tables import Array
from playmill.train.plan import TrainJob, take_snapshot
from playmill.train.trainer import Training

CALIBRATION_POSITIONS = 4096


class Phases:
    """The work of the iteration that the manifest is in."""

    def __init__(
        self, folder: RunFolder, settings: RunSettings, manifest: Manifest, metrics: EventLog, watcher: Watcher
    ) -> None:
        self.folder, self.settings, self.manifest, self.metrics, self.watcher = folder, settings, manifest, metrics, watcher
        self.game: Game = get_game(settings.game)
        self.workers = settings.workers or os.cpu_count() or 1
        self.oracle = Oracle.load(self.workers) if self.game.name == "yatzy" else None

    def selfplay(self) -> dict[str, Any]:
        """Play the games of the iteration with the best network."""
        best = self._network(self.folder.best)
        played = play_iteration(
            self.folder, self.game, self.settings, best, self.manifest.iterations_done, self.workers,
            lambda total, done: self.watcher.phase("selfplay", total, done), self.manifest,
        )  # fmt: skip
        return {
            "model": best.meta.weights_sha256,
            "games": played.games,
            "samples": played.samples,
            "backend": played.backend,
            "played": played.played,
            "games_s": played.games_s,
            "stats": played.stats,
            "opponent": played.opponent,
        }

    def train(self) -> dict[str, Any]:
        """Train a candidate and export its int8 model."""
        iteration = self.manifest.iterations_done
        known = listed_shards(self.folder, self.manifest)
        shards = take_snapshot(self.folder.replay, self.settings.train, self.folder.candidate, iteration, known)
        for path in shards:  # their data is compared with their metas when it is read
            listed(self.folder, self.manifest, meta_path(path))
        self._network(self.folder.best)
        settings = self.settings.train.in_iteration(iteration, self.settings.iterations)
        job = TrainJob(
            self.game, settings, self.folder.best, self.folder.candidate, shards, self._seed(TRAINING), iteration,
            device=self.settings.device, config_hash=self.manifest.settings_hash, commit=self.manifest.commit,
        )  # fmt: skip
        training = Training(job, self.metrics)
        with self.watcher.phase("train", training.plan.steps_target, training.resumed_at) as tell:
            report = training.run(tell)
        self._export(shards)
        self.manifest.enter(self.folder, *(path for path in network_files(self.folder.candidate) if path.exists()))
        return {
            "steps": report.steps_target,
            "samples": report.samples,
            "weights_sha256": report.weights_sha256,
            "samples_s": report.samples_s,
            **report.losses,
        }

    def _export(self, shards: list[Path]) -> None:
        """Write the candidate's int8 model, calibrated on the newest positions; the CPU's fastest backing uses it."""
        int8_path(self.folder.candidate).unlink(missing_ok=True)  # it may be that of an earlier candidate
        wants_int8 = self.settings.device == "cpu" and self.settings.backend in ("auto", "ort_int8")
        records = read_shard(shards[-1], self.game)[0].samples.records(self.game)
        if wants_int8 and len(records) >= MIN_POSITIONS:
            stride = max(1, len(records) // CALIBRATION_POSITIONS)
            with writing(Path(tempfile.gettempdir())):  # the quantiser has a folder there
                export_int8(self.folder.candidate, self._encoded(records[::stride][:CALIBRATION_POSITIONS].copy()))

    def _encoded(self, records: Array) -> Array:
        features = np.empty((len(records), self.game.feature_count), np.float32)
        encode_all(self.game, records, features)
        return features

    def gate(self) -> dict[str, Any]:
        """Let the candidate play the best."""
        settings = self.settings.gate
        seeds = gate_seeds(settings, self._seed(GATES))
        candidate, best = self._bot(self.folder.candidate), self._bot(self.folder.best)
        with self.watcher.phase("gate", settings.games) as tell:
            report = run_gate(
                self.game, candidate, best, settings, seeds, self.workers, self.oracle, lambda now: _tell_gate(tell, now)
            )
        self._enter_gate(report)
        return {
            "games": report.games,
            "win_rate": report.win_rate,
            "wilson": list(report.wilson),
            "points": asdict(report.points) if report.points else None,
            "promote": report.promote,
            "reason": report.reason,
            "seeds_hash": report.seeds_hash,
        }

    def _enter_gate(self, report: GateReport) -> None:
        """Write the report, and keep a promoted candidate as the best; the copies of both follow the manifest."""
        path = self.folder.gate_of(self.manifest.iterations_done)
        write_report(path, report)
        self.manifest.enter(self.folder, path)
        self.manifest.files[self.folder.name_of(self.folder.gate_report)] = self.manifest.files[self.folder.name_of(path)]
        if report.promote:
            weights = load_checkpoint(self.folder.candidate, self.game).meta.weights_sha256
            enter_best(self.folder, self.manifest, self.folder.candidate, weights)

    def restore(self) -> None:
        """Play again what was lost of earlier self-play."""
        restore_shards(self.folder, self.game, self.settings, self.manifest, self.workers)

    def measure(self) -> dict[str, Any]:
        """Let the best play the solved game; always on the same seeds, so that iterations can be compared."""
        games, seed = self.settings.oracle.games, mix(self.settings.seed, MEASURES)
        best = self._bot(self.folder.best)
        with self.watcher.phase("oracle", games) as tell:
            reports = oracle_suite([best], games, seed, self.workers, self.oracle, lambda now: _tell_measure(tell, now))
        return reports[0].fields()

    def _bot(self, path: Path) -> MakePlayer:
        settings = self.settings
        return checkpoint_maker(self._network(path), self.game, settings.search, settings.backend, settings.device)

    def _network(self, path: Path) -> Checkpoint:
        """The network in the file, if it and what lies beside it are what the manifest lists."""
        for file in network_files(path):
            if file.exists() or self.folder.name_of(file) in self.manifest.files:
                listed(self.folder, self.manifest, file)
        return load_checkpoint(path, self.game)

    def _seed(self, stream: int) -> int:
        return mix(mix(self.settings.seed, stream), self.manifest.iterations_done)


def _tell_gate(tell: Tell, now: Standing) -> None:
    test = {} if now.ratio is None else {"ratio": now.ratio}
    tell(now.games, win_rate=now.win_rate, **test)


def _tell_measure(tell: Tell, now: Standing) -> None:
    tell(now.games, win_rate=now.win_rate, mean_score=now.mean_points)
