"""The phases of a run: self-play, training, gate; the engine's controller carries it on from wherever it was stopped.

Self-play goes on in its file game by game, training from its last save, a gate from its seeds. As long as no network has passed
a gate, the unguided search plays the games and is what a candidate must beat.
"""

from __future__ import annotations

from pathlib import Path

from playmill.arena.seeds import hash_seeds
from playmill.core.errors import Interrupted
from playmill.core.events import EventLog
from playmill.core.executor import count_threads, count_workers
from playmill.packs.diplomacy.neural.checkpoint import load
from playmill.packs.diplomacy.neural.gate import SeatGateReport, run_gate
from playmill.packs.diplomacy.neural.run_settings import DiplomacyRunSettings
from playmill.packs.diplomacy.neural.seating import (
    GATES,
    TRAINING,
    game_settings,
    gate_players,
    lanes_of,
    open_network,
    seed_of,
    selfplay_players,
)
from playmill.packs.diplomacy.neural.training import DiplomacyJob
from playmill.packs.diplomacy.players.ladder import EVEN_SHARE
from playmill.packs.diplomacy.selfplay.generate import DiplomacySelfPlay
from playmill.packs.diplomacy.selfplay.output import Output
from playmill.packs.diplomacy.selfplay.resume import side_path
from playmill.runs.contents import enter_network, listed
from playmill.runs.copies import enter_best
from playmill.runs.entries import GateEntry, MeasureEntry, SelfPlayEntry, TrainEntry
from playmill.runs.folder import Manifest, RunFolder
from playmill.runs.phases import Pruned
from playmill.runs.watcher import Watcher
from playmill.serve.inference import log_servers, open_networks, tell_inference
from playmill.train.device import pick_device
from playmill.train.phase import train_candidate


class DiplomacyPhases:
    """The work of the iteration that the manifest is in."""

    names = ("selfplay", "train", "gate")

    def __init__(
        self, folder: RunFolder, settings: DiplomacyRunSettings, manifest: Manifest, metrics: EventLog, watcher: Watcher
    ) -> None:
        self.folder, self.settings, self.manifest, self.metrics, self.watcher = folder, settings, manifest, metrics, watcher
        self.workers = count_workers(settings.workers)
        device, threads = pick_device(settings.device).type, min(self.workers, count_threads(None))
        self.opener = open_networks(settings.infer, device, settings.backend, threads, folder.serve_log)
        log_servers(self.opener, metrics, lambda: manifest.iterations_done)

    def restore(self) -> None:
        """A run begins without a network, and its games are checked when it is opened."""

    def close(self) -> None:
        """End the run's own server, if it has one."""
        if self.opener is not None:
            self.opener.close()

    def selfplay(self) -> SelfPlayEntry:
        """Play the iteration's games."""
        games, settings = self.settings.selfplay.games, game_settings(self.settings, self._iteration, self.manifest.best)
        network = open_network(self.settings, self._best, opener=self.opener)
        lanes = lanes_of(self.settings, settings.budget, network is not None)
        path = self.folder.games_of(self._iteration)
        with Output(path, settings) as output:
            player = DiplomacySelfPlay(settings, output, selfplay_players(self.settings, network, lanes), lanes)
            with self.watcher.phase("selfplay", games, output.next_game) as tell:
                report = player.run(games, self.workers, tell)
            tally = output.standing.tally
        if not report.is_whole:
            raise Interrupted
        tell_inference(self.opener, self.metrics, self._iteration, "selfplay")
        self.manifest.enter(self.folder, path, side_path(path))
        return SelfPlayEntry(
            model=self.manifest.best,
            games=games,
            samples=tally.phases,
            backend=None if network is None else network.backend,
            played=report.games,
            games_s=report.games / report.seconds if report.games else None,
            details={"kept": tally.kept},
        )

    def train(self) -> TrainEntry:
        """Train the candidate on the newest files of games."""
        entry = train_candidate(self._job(), self.metrics, self.watcher)
        enter_network(self.folder, self.manifest, self.folder.candidate)
        return entry

    def _job(self) -> DiplomacyJob:
        iteration, train = self._iteration, self.settings.train
        first = 0 if train.window_shards is None else max(0, iteration + 1 - train.window_shards)
        data = (self.folder.games_of(i) for i in range(first, iteration + 1))
        return DiplomacyJob(
            data=tuple(listed(self.folder, self.manifest, path) for path in data),
            candidate=self.folder.candidate,
            settings=train.in_iteration(iteration, self.settings.iterations),
            parent=self._best,
            spec=self.settings.net,
            seed=seed_of(self.settings, TRAINING, iteration),
            iteration=iteration,
            device=self.settings.device,
            config_hash=self.manifest.settings_hash,
            commit=self.manifest.commit,
            steps_before=self.manifest.train_steps,
        )

    def gate(self) -> GateEntry:
        """Let the candidate play alone against six of the best, or of the unguided search."""
        settings, seed = self.settings.gate, seed_of(self.settings, GATES, self._iteration)
        candidate, best = (
            open_network(self.settings, path, opener=self.opener) for path in (self.folder.candidate, self._best)
        )
        lanes = lanes_of(self.settings, settings.budget, has_network=True)
        players = gate_players(self.settings, candidate, lanes), gate_players(self.settings, best, lanes)
        opponents = "the unguided search" if best is None else "the best network"
        with self.watcher.phase("gate", settings.games) as tell:
            report = run_gate(*players, settings, seed, self.workers, tell, opponents, lanes)
        tell_inference(self.opener, self.metrics, self._iteration, "gate")
        if report.promote:
            weights = load(self.folder.candidate).meta.weights_sha256
            enter_best(self.folder, self.manifest, self.folder.candidate, weights)
        return gate_entry(report, seed)

    def is_measured(self) -> bool:
        return False

    def measure(self) -> MeasureEntry:
        raise NotImplementedError("Diplomacy is not solved")

    def prune(self) -> Pruned:
        """Files of games are small: all are kept."""
        return Pruned(before=self._iteration + 1)

    @property
    def _iteration(self) -> int:
        return self.manifest.iterations_done

    @property
    def _best(self) -> Path | None:
        """The best network, None as long as none has passed a gate."""
        return self.folder.best if self.manifest.best else None


def gate_entry(report: SeatGateReport, seed: int) -> GateEntry:
    """What the manifest keeps of a gate; a game that the candidate survives without a solo is a draw."""
    rung, share = report.rung, report.rung.share
    return GateEntry(
        games=rung.games,
        wins=rung.solos,
        losses=rung.counted_games - rung.survived,
        draws=rung.survived - rung.solos,
        win_rate=share.mean,
        interval=None if share.low is None or share.high is None else (max(share.low, 0.0), min(share.high, 1.0)),
        even=EVEN_SHARE,
        promote=report.promote,
        reason=report.reason,
        seed_set="derived",
        seeds_hash=hash_seeds((seed,)),
        details=rung.fields(),
    )
