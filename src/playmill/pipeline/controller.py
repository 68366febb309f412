"""The controller: carries a run on from wherever it is, phase by phase, until it has had its iterations.

Each phase leaves its result on disk and then its entry in `run.json`. Started again after a kill, the controller skips what
has its entry and does the rest; a phase that was cut short goes on from the shards or the checkpoint that it had finished.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from playmill.arena.entrants import checkpoint_maker
from playmill.arena.gate import gate_seeds, run_gate
from playmill.arena.gate_report import write_report
from playmill.arena.oracle_suite import oracle_suite
from playmill.core.commit import source_commit
from playmill.core.errors import PlaymillError
from playmill.core.events import EventLog, read_events
from playmill.core.files import atomic_write, atomic_writer
from playmill.core.seeds import mix
from playmill.games.game import Game
from playmill.games.registry import get_game
from playmill.games.yatzy.oracle import Oracle
from playmill.nets.checkpoint import load_checkpoint, make_checkpoint, save_checkpoint, sidecar_path
from playmill.nets.evaluators import open_evaluator
from playmill.nets.int8 import MIN_POSITIONS, export_int8, int8_path
from playmill.nets.model import build_net
from playmill.pipeline.folder import Manifest, RunFolder, now_ms, read_manifest
from playmill.pipeline.settings import RunSettings, load_settings
from playmill.replay import list_shards, prepare_folder, prune, read_meta, read_shard
from playmill.replay.meta import ShardOrigin
from playmill.selfplay.generate import Plan, SelfPlay, plan_iteration
from playmill.train.plan import TrainJob, take_snapshot
from playmill.train.trainer import train

CALIBRATION_POSITIONS = 4096
# Streams of the run's seed.
GAMES, WEIGHTS, TRAINING, GATES, MEASURES = range(5)


class Watcher(Protocol):
    """Who looks on: a progress display, or nobody."""

    def phase(self, label: str, total: int) -> AbstractContextManager[Callable[[int], None] | None]:
        """A phase of `total` steps begins; what it gives hears how many are done."""

    def note(self, line: str) -> None:
        """Something was finished."""


class Interrupted(PlaymillError):
    """The user stopped the run; starting it again goes on."""

    exit_code = 130


class Controller:
    """One run folder and the settings it was begun with."""

    def __init__(self, folder: RunFolder, settings: RunSettings, manifest: Manifest, watcher: Watcher) -> None:
        self.folder, self.settings, self.manifest, self.watcher = folder, settings, manifest, watcher
        self.game: Game = get_game(settings.game)
        self.workers = settings.workers or os.cpu_count() or 1
        self.metrics = EventLog(folder.metrics)
        self.oracle = Oracle.load(self.workers) if self.game.name == "yatzy" else None

    def run(self) -> None:
        """Run the remaining iterations."""
        prepare_folder(self.folder.replay)
        self._bootstrap()
        while self.manifest.iterations_done < self.settings.iterations:
            current = self.manifest.current
            if current.selfplay is None:
                self._in_phase("selfplay", self._selfplay)
            if current.train is None:
                self._in_phase("train", self._train)
            if current.gate is None:
                self._in_phase("gate", self._gate)
            self._promote(bool(current.gate and current.gate["promote"]))
            if current.oracle is None and self._is_measured():
                self._in_phase("oracle", self._measure)
            self._close_iteration()
        self.manifest.phase = "done"
        self.manifest.save(self.folder)

    def _in_phase(self, name: str, work: Callable[[], dict[str, Any]]) -> None:
        """Do a phase between two entries of the manifest: that it began, and what it came to.

        Both are saved at once. A gate, above all, must be on disk before it is acted upon: played again after the promotion,
        it would see the candidate play itself.
        """
        self.manifest.phase = name
        self.manifest.save(self.folder)
        began = now_ms()
        result = work()
        result["seconds"] = (now_ms() - began) / 1000
        self._tell(f"{name}_done", **result)
        setattr(self.manifest.current, name, result)
        self.manifest.save(self.folder)

    def _tell(self, event: str, **fields: Any) -> None:
        versions = {
            "protocol_version": 1,
            "feature_schema": self.game.feature_schema,
            "action_space": self.game.action_space,
            "ruleset": self.game.ruleset,
        }
        head = {"run_id": self.manifest.run_id, "iteration": self.manifest.iterations_done, "v": versions}
        self.metrics.write(event, **head, **fields)

    def _seed(self, stream: int) -> int:
        return mix(mix(self.settings.seed, stream), self.manifest.iterations_done)

    # ------------------------------------------------------------------ phases

    def _bootstrap(self) -> None:
        """Make the first best network, if there is none."""
        if self.folder.best.exists():
            return
        net = build_net(self.game, self.settings.net, mix(self.settings.seed, WEIGHTS) >> 1)
        commit, config = self.manifest.commit, self.manifest.settings_hash
        save_checkpoint(self.folder.best, make_checkpoint(self.game, self.settings.net, net, config_hash=config, commit=commit))

    def _selfplay(self) -> dict[str, Any]:
        best = load_checkpoint(self.folder.best, self.game)
        self._keep_history(best.meta.weights_sha256)
        prepare_folder(self.folder.replay)
        plan = plan_iteration(self.settings.selfplay, self.manifest.iterations_done)
        evaluator = open_evaluator(best, self.settings.backend, self.settings.device, game=self.game)
        origin = ShardOrigin.of(
            self.game,
            iteration=self.manifest.iterations_done,
            seed=mix(self.settings.seed, GAMES),
            model=best.meta.weights_sha256,
            search={**self.settings.search.model_dump(mode="json"), "backend": evaluator.backend},
        )
        with EventLog(self.folder.roots) as roots, self.watcher.phase(self._label("self-play"), plan.games) as progress:
            selfplay = SelfPlay(
                self.game, self.settings.selfplay, self.settings.search, evaluator.clone, self.folder.replay, origin.seed,
                origin, roots,
            )  # fmt: skip
            report = selfplay.run(plan, self.workers, progress)
        if not report.is_whole:
            raise Interrupted("interrupted; start the same command again to go on")
        samples = sum(read_meta(path).samples for path in self._shards_of(plan))
        return {"games": plan.games, "samples": samples, "backend": evaluator.backend, "stats": report.stats}

    def _shards_of(self, plan: Plan) -> list[Path]:
        numbers = range(plan.first_shard, plan.first_shard + plan.shards)
        return [path for path in list_shards(self.folder.replay) if int(path.stem.rpartition("_")[2]) in numbers]

    def _train(self) -> dict[str, Any]:
        iteration = self.manifest.iterations_done
        shards = take_snapshot(self.folder.replay, self.settings.train, self.folder.candidate, iteration)
        job = TrainJob(
            self.game, self.settings.train, self.folder.best, self.folder.candidate, shards, self._seed(TRAINING), iteration,
            device=self.settings.device, config_hash=self.manifest.settings_hash, commit=self.manifest.commit,
        )  # fmt: skip
        steps, _ = self.settings.train.steps_for(sum(read_meta(path).samples for path in shards))
        with self.watcher.phase(self._label("training"), steps) as progress:
            report = train(job, self.metrics, progress)
        self._export(shards)
        return {
            "steps": report.steps_target,
            "samples": report.samples,
            "weights_sha256": report.weights_sha256,
            "samples_s": report.samples_s,
            **report.losses,
        }

    def _export(self, shards: list[Path]) -> None:
        """Write the candidate's int8 model, calibrated on the newest positions; the CPU's fastest backing uses it."""
        wants_int8 = self.settings.device == "cpu" and self.settings.backend in ("auto", "ort_int8")
        features = read_shard(shards[-1], self.game)[0].samples.features
        if wants_int8 and len(features) >= MIN_POSITIONS:
            stride = max(1, len(features) // CALIBRATION_POSITIONS)
            export_int8(self.folder.candidate, features[::stride][:CALIBRATION_POSITIONS].copy())

    def _gate(self) -> dict[str, Any]:
        settings, search = self.settings.gate, self.settings.search
        seeds = gate_seeds(settings, self._seed(GATES))
        makers = [
            checkpoint_maker(load_checkpoint(path, self.game), self.game, search, self.settings.backend)
            for path in (self.folder.candidate, self.folder.best)
        ]
        with self.watcher.phase(self._label("gate"), settings.games) as progress:
            report = run_gate(self.game, makers[0], makers[1], settings, seeds, self.workers, self.oracle, progress)
        write_report(self.folder.gate_of(self.manifest.iterations_done), report)
        write_report(self.folder.gate_report, report)
        self.watcher.note(f"{self._label('gate')}: {report.win_rate:.1%} of {report.games} games; {report.reason}")
        return {
            "games": report.games,
            "win_rate": report.win_rate,
            "wilson": list(report.wilson),
            "points": asdict(report.points) if report.points else None,
            "promote": report.promote,
            "reason": report.reason,
            "seeds_hash": report.seeds_hash,
        }

    def _promote(self, is_promoted: bool) -> None:
        """Make the candidate the best, or see that it already is; the int8 model goes first, and fits only its weights."""
        if is_promoted:
            sidecar_path(self.folder.best).unlink(missing_ok=True)  # it describes the old one
            for source, target in (
                (int8_path(self.folder.candidate), int8_path(self.folder.best)),
                (self.folder.candidate, self.folder.best),
            ):
                if source.exists():
                    _copy(source, target)
        meta = load_checkpoint(self.folder.best).meta
        atomic_write(sidecar_path(self.folder.best), meta.model_dump_json(indent=2) + "\n")
        self.manifest.best = meta.weights_sha256

    def _is_measured(self) -> bool:
        settings, done = self.settings.oracle, self.manifest.iterations_done + 1
        return (
            self.oracle is not None and settings.games > 0 and (done % settings.every == 0 or done == self.settings.iterations)
        )

    def _measure(self) -> dict[str, Any]:
        best = load_checkpoint(self.folder.best, self.game)
        maker = checkpoint_maker(best, self.game, self.settings.search, self.settings.backend)
        games = self.settings.oracle.games
        with self.watcher.phase(self._label("oracle"), games) as progress:
            seed = mix(self.settings.seed, MEASURES)
            report = oracle_suite([maker], games, seed, self.workers, self.oracle, progress)[0]
        fair = report.boards.fair
        self.watcher.note(f"{self._label('oracle')}: {fair.mean:.2f} points a game without luck")
        return report.fields()

    def _close_iteration(self) -> None:
        """Prune, count, and write the iteration down."""
        manifest, current = self.manifest, self.manifest.current
        assert current.selfplay is not None
        assert current.train is not None
        assert current.gate is not None
        report = prune(self.folder.replay, self.settings.replay.capacity_shards)
        self._tell("replay_prune", before=report.before, after=report.after, removed=list(report.removed))
        current.pruned = len(report.removed)
        self._write_stats()
        manifest.selfplay_games += current.selfplay["games"]
        manifest.train_steps += current.train["steps"]
        manifest.gate_games += current.gate["games"]
        manifest.iterations_done += 1
        manifest.save(self.folder)

    def _write_stats(self) -> None:
        """Append the iteration's line, unless a kill came between the line and the manifest."""
        current = self.manifest.current
        if any(line["number"] == current.number for line in read_events(self.folder.iteration_stats)):
            return
        with EventLog(self.folder.iteration_stats) as stats:
            stats.write("iteration", run_id=self.manifest.run_id, **current.model_dump(mode="json"))

    def _keep_history(self, weights: str) -> None:
        """Keep every network that played, so that its games can be played again and compared."""
        for source, name in ((self.folder.best, f"{weights}.pt"), (int8_path(self.folder.best), f"{weights}.int8.onnx")):
            if source.exists() and not (self.folder.history / name).exists():
                _copy(source, self.folder.history / name)

    def _label(self, phase: str) -> str:
        return f"iteration {self.manifest.iterations_done + 1}/{self.settings.iterations} {phase}"


def _copy(source: Path, target: Path) -> None:
    with atomic_writer(target) as file, source.open("rb") as data:
        shutil.copyfileobj(data, file)


def open_run(config: Path, out: Path, watcher: Watcher) -> Controller:
    """The controller of the run in `out`: begun if it is new, else carried on with the settings it was begun with."""
    settings, text = load_settings(config)
    folder = RunFolder(out)
    manifest = read_manifest(folder)
    if manifest is None:
        manifest = _new_manifest(folder, settings, text)
    elif manifest.settings_hash != settings.digest():
        settings = _carried_on(folder, settings, manifest, text)
    return Controller(folder, settings, manifest, watcher)


def _new_manifest(folder: RunFolder, settings: RunSettings, text: str) -> Manifest:
    game = get_game(settings.game)
    atomic_write(folder.config, text)
    manifest = Manifest(
        run_id=folder.root.name,
        game=game.name,
        ruleset=game.ruleset,
        action_space=game.action_space,
        feature_schema=game.feature_schema,
        seed=settings.seed,
        settings_hash=settings.digest(),
        commit=source_commit(),
        created_ms=now_ms(),
    )
    manifest.save(folder)
    return manifest


def _carried_on(folder: RunFolder, settings: RunSettings, manifest: Manifest, text: str) -> RunSettings:
    """A run may be given more iterations; anything else would make it another run."""
    begun, _ = load_settings(folder.config)
    same = begun.model_copy(update={"iterations": settings.iterations, "workers": settings.workers})
    if same.digest() != settings.digest():
        raise PlaymillError(
            f"{folder.root}: the run was begun with other settings; compare {folder.config}, or choose a new folder"
        )
    atomic_write(folder.config, text)
    manifest.settings_hash = settings.digest()
    manifest.save(folder)
    return settings
