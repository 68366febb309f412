"""The engine's phases: each leaves its result on disk and returns its entry in the manifest.

All may be done again after a kill: they go on from the shards or the checkpoint that are there, or repeat the same games.
"""

from __future__ import annotations

import tempfile
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from playmill.arena.entrants import NetworkMaker
from playmill.arena.gate import gate_seeds, run_gate
from playmill.arena.gate_report import GateReport, write_report
from playmill.arena.gate_settings import GateSettings
from playmill.arena.measure import Fields, Measure
from playmill.arena.sequential import SequentialTest
from playmill.arena.standing import Standing
from playmill.core.disk import writing
from playmill.core.events import EventLog
from playmill.core.executor import count_threads, count_workers
from playmill.core.seeds import mix
from playmill.games.game import Game
from playmill.games.many import encode_all
from playmill.nets.checkpoint import Checkpoint, load_checkpoint
from playmill.nets.evaluators import open_evaluator
from playmill.nets.int8 import MIN_POSITIONS, export_int8, int8_path
from playmill.packs.registry import find_game, find_pack
from playmill.pipeline.holdings import listed_shards
from playmill.pipeline.measures import chosen_measures, known_measurements
from playmill.pipeline.restoring import restore_shards
from playmill.pipeline.selfplay_phase import begin_best, play_iteration
from playmill.pipeline.settings import RunSettings
from playmill.pipeline.streams import GATES, MEASURES, TRAINING, iteration_seed
from playmill.play.player import MakePlayer
from playmill.replay import newest, read_shard
from playmill.replay.meta import meta_path
from playmill.replay.tables import Array
from playmill.runs.contents import enter_network, listed, network_files
from playmill.runs.copies import enter_best, enter_latest, old_iterations
from playmill.runs.entries import GateEntry, MeasureEntry, PointsEntry, SelfPlayEntry, TrainEntry
from playmill.runs.folder import PHASES, Manifest, RunFolder
from playmill.runs.phases import Phases, Pruned
from playmill.runs.watcher import Tell, Watcher
from playmill.serve.inference import log_servers, open_networks, tell_inference
from playmill.train.phase import train_candidate
from playmill.train.plan import TrainJob, take_snapshot

CALIBRATION_POSITIONS = 4096


class EnginePhases:
    """The work of the iteration that the manifest is in, for every game of the engine."""

    def __init__(
        self, folder: RunFolder, settings: RunSettings, manifest: Manifest, metrics: EventLog, watcher: Watcher
    ) -> None:
        self.folder, self.settings, self.manifest, self.metrics, self.watcher = folder, settings, manifest, metrics, watcher
        self.game: Game = find_game(settings.game)
        self.workers = count_workers(settings.workers)
        self._threads = min(self.workers, count_threads(None))  # for what is done in this process
        self.pack = find_pack(self.game.name)
        self.measures = chosen_measures(self.pack, settings.measure)
        self.opener = open_networks(settings.infer, settings.device, settings.backend, self._threads, folder.serve_log)
        log_servers(self.opener, self.metrics, lambda: self.manifest.iterations_done)

    @property
    def names(self) -> tuple[str, ...]:
        """Not every game has a measure."""
        return tuple(name for name in PHASES if name != "measure" or self.measures)

    def restore(self) -> None:
        """Make the first best network, if there is none; play again what was lost of earlier self-play."""
        if self.manifest.best is None:
            begin_best(self.folder, self.game, self.settings, self.manifest)
        restore_shards(self.folder, self.game, self.settings, self.manifest, self.workers)

    def selfplay(self) -> SelfPlayEntry:
        """Play the games of the iteration with the best network."""
        best = self._network(self.folder.best)
        played = play_iteration(
            self.folder, self.game, self.settings, best, self.manifest.iterations_done, self.workers,
            lambda total, done: self.watcher.phase("selfplay", total, done), self.manifest, self.opener or open_evaluator,
        )  # fmt: skip
        self._tell_inference("selfplay")
        return played.entry(best.meta.weights_sha256)

    def train(self) -> TrainEntry:
        """Train a candidate and export its int8 model."""
        iteration = self.manifest.iterations_done
        known = listed_shards(self.folder, self.manifest)
        shards = take_snapshot(self.folder.replay, self.settings.train, self.folder.candidate, iteration, known)
        for path in shards:  # their data is compared with their metas when it is read
            listed(self.folder, self.manifest, meta_path(path))
        parent = self._parent()
        settings = self.settings.train.in_iteration(iteration, self.settings.iterations)
        job = TrainJob(
            self.game, settings, parent, self.folder.candidate, shards, self._seed(TRAINING), iteration,
            device=self.settings.device, config_hash=self.manifest.settings_hash, commit=self.manifest.commit,
            steps_before=self.manifest.train_steps,
        )  # fmt: skip
        entry = train_candidate(job, self.metrics, self.watcher)
        self._export(shards)
        enter_network(self.folder, self.manifest, self.folder.candidate)
        enter_latest(self.folder, self.manifest, iteration + 1)
        return entry

    def _parent(self) -> Path:
        """The network that training goes on with; it is what the manifest lists."""
        has_latest = self.folder.name_of(self.folder.latest) in self.manifest.files
        path = self.folder.latest if self.settings.train.start == "latest" and has_latest else self.folder.best
        self._network(path)
        return path

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

    def gate(self) -> GateEntry:
        """Let the candidate play the best."""
        settings = self.settings.gate
        seeds = gate_seeds(settings, self._seed(GATES))
        candidate, best = (self._bot(path, settings.temperature) for path in (self.folder.candidate, self.folder.best))
        appraiser = self.pack.appraiser(self._threads) if self.pack.appraiser else None
        with self.watcher.phase("gate", settings.games) as tell:
            report = run_gate(
                self.game, candidate, best, settings, seeds, self.workers, appraiser,
                lambda now: _tell_gate(tell, settings, now),
            )  # fmt: skip
        self._tell_inference("gate")
        self._enter_gate(report)
        return GateEntry(
            games=report.games,
            wins=report.total.wins,
            losses=report.total.losses,
            draws=report.total.draws,
            win_rate=report.win_rate,
            interval=report.wilson,
            points=PointsEntry(**asdict(report.points)) if report.points else None,
            promote=report.promote,
            reason=report.reason,
            seed_set=report.seed_set,
            seeds_hash=report.seeds_hash,
            details=report.oracle.facts() if report.oracle else {},
        )

    def _enter_gate(self, report: GateReport) -> None:
        """Write the report, and keep a promoted candidate as the best; the copies of both follow the manifest."""
        path = self.folder.gate_of(self.manifest.iterations_done)
        write_report(path, report)
        self.manifest.enter(self.folder, path)
        self.manifest.files[self.folder.name_of(self.folder.gate_report)] = self.manifest.files[self.folder.name_of(path)]
        if report.promote:
            weights = load_checkpoint(self.folder.candidate, self.game).meta.weights_sha256
            enter_best(self.folder, self.manifest, self.folder.candidate, weights)

    def is_measured(self) -> bool:
        settings, done = self.settings.measure, self.manifest.iterations_done + 1
        is_due = done % settings.every == 0 or done == self.settings.iterations
        return "measure" in self.names and is_due

    def measure(self) -> MeasureEntry:
        """Measure best, candidate and the measure's own bot; always on the same seeds, so that all can be compared."""
        current, best = self.manifest.current, self.manifest.best
        assert current.train is not None
        assert best is not None
        games, seed = self.settings.measure.games, mix(self.settings.seed, MEASURES)
        models = {"best": best, "candidate": current.train.weights_sha256}
        results = {measure.name: self._measured(measure, games, seed, models) for measure in self.measures}
        self._tell_inference("measure")
        return MeasureEntry(games=games, seed=seed, models=models, results=results)

    def _measured(self, measure: Measure, games: int, seed: int, models: dict[str, str]) -> dict[str, Fields]:
        """Each bot's fields. The same bot plays the same games on the same seeds: what is known of it is not played again."""
        networks = {role: weights for role, weights in models.items() if role == "best" or not measure.is_of_best}
        wanted = networks | ({measure.baseline: measure.baseline} if measure.baseline else {})
        known = known_measurements(self.manifest, measure.name, games, seed)
        missing = {key: role for role, key in reversed(wanted.items()) if key not in known}
        bots = [self._measured_bot(role) for role in missing.values()]
        if bots:
            with self.watcher.phase("measure", games * measure.matches * len(bots)) as tell:
                found = measure.run(self.game, bots, games, seed, self.workers, partial(_tell_measure, tell))
            known |= dict(zip(missing, found, strict=True))
        return {role: known[key] for role, key in wanted.items()}

    def _measured_bot(self, role: str) -> MakePlayer:
        networks = {"best": self.folder.best, "candidate": self.folder.candidate}
        return self._bot(networks[role]) if role in networks else self.pack.bots[role](self.game, self._threads)

    def prune(self) -> Pruned:
        """Older shards and networks than those to be kept; a shard's meta first: without it, a shard counts as none."""
        shards, replay = listed_shards(self.folder, self.manifest), self.settings.replay
        old = shards[: len(shards) - len(newest(shards, replay.capacity_shards, replay.capacity_samples))]
        files = [file for path in old for file in (meta_path(path), path)]
        done = self.manifest.iterations_done + 1
        files += old_iterations(self.folder, self.manifest, done, self.settings.keep_iterations)
        return Pruned(len(shards), tuple(path.name for path in old), tuple(files))

    def _bot(self, path: Path, temperature: float = 0.0) -> MakePlayer:
        run = self.settings
        return NetworkMaker(self._network(path), self.game, run.search, run.backend, run.device, temperature, self.opener)

    def _tell_inference(self, phase: str) -> None:
        tell_inference(self.opener, self.metrics, self.manifest.iterations_done, phase)

    def close(self) -> None:
        """End the run's own server, if it has one."""
        if self.opener is not None:
            self.opener.close()

    def _network(self, path: Path) -> Checkpoint:
        """The network in the file, if it and what lies beside it are what the manifest lists."""
        for file in network_files(path):
            if file.exists() or self.folder.name_of(file) in self.manifest.files:
                listed(self.folder, self.manifest, file)
        return load_checkpoint(path, self.game)

    def _seed(self, stream: int) -> int:
        return iteration_seed(self.settings.seed, stream, self.manifest.iterations_done)


def _tell_gate(tell: Tell, settings: GateSettings, now: Standing) -> None:
    test = {}
    if now.ratio is not None:
        reject_at, accept_at = SequentialTest(settings.score0, settings.score1, settings.alpha, settings.beta).bounds
        test = {"ratio": now.ratio, "reject_at": reject_at, "accept_at": accept_at}
    tell(now.games, win_rate=now.win_rate, **test)


def _tell_measure(tell: Tell, now: Standing) -> None:
    tell(now.done, win_rate=now.win_rate, mean_score=now.mean_points)


if TYPE_CHECKING:
    _are_phases: type[Phases] = EnginePhases
