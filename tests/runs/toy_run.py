"""A run without games, networks or kernels: phases that only tell what they were told to."""

from playmill.core.events import EventLog
from playmill.pipeline.controller import Controller
from playmill.pipeline.settings import RunSettings
from playmill.runs.entries import GateEntry, MeasureEntry, SelfPlayEntry, TrainEntry
from playmill.runs.folder import RunFolder
from playmill.runs.heartbeat import Heartbeat
from playmill.runs.kind import RunIdentity
from playmill.runs.phases import Pruned
from playmill.runs.resume import begin_run
from playmill.runs.watcher import Nobody

SELFPLAY = SelfPlayEntry(model="m", games=12, samples=340, played=12, games_s=4.0)
TRAIN = TrainEntry(
    steps=6, samples=340, snapshot=["shard_000000.safetensors"], snapshot_hash="s", weights_sha256="w", samples_s=900.0,
    losses={"total": 0.8, "policy": 0.6},
)  # fmt: skip
GATE = GateEntry(
    games=8, wins=5, losses=2, draws=1, win_rate=0.6875, interval=(0.4, 0.9), promote=False, reason="too few", seed_set="d",
    seeds_hash="h",
)  # fmt: skip


class ToyPhases:
    """`during` is called in the middle of each phase with its name, `before` while it prepares."""

    names = ("selfplay", "train", "gate")
    opener = None

    def __init__(self, watcher, during, before):
        self.watcher, self.during, self.before = watcher, during, before

    def _work(self, name, total, entry, **facts):
        self.before(name)
        with self.watcher.phase(name, total) as tell:
            tell(total // 2, **facts)
            self.during(name)
            tell(total)
        return entry

    def restore(self):
        self.during("restore")

    def selfplay(self):
        return self._work("selfplay", 12, SELFPLAY)

    def train(self):
        return self._work("train", 6, TRAIN, loss_total=0.9, samples_s=800.0)

    def gate(self):
        return self._work("gate", 8, GATE, win_rate=0.6)

    def is_measured(self):
        return False

    def measure(self):
        return MeasureEntry(games=0, seed=0, models={}, results={})

    def close(self):
        """Nothing is open."""

    def prune(self):
        return Pruned(1)


def open_toy(root, during=lambda name: None, iterations=2, watcher=None, before=lambda name: None):
    """The controller of a new toy run in `root`."""
    folder, settings = RunFolder(root), RunSettings(game="nim", iterations=iterations)
    root.mkdir(parents=True, exist_ok=True)
    manifest = begin_run(folder, settings, f"game: nim\niterations: {iterations}\n", RunIdentity("nim", "r", "a", 1))
    heartbeat = Heartbeat(folder, watcher or Nobody())
    phases = ToyPhases(heartbeat, during, before)
    return Controller(folder, manifest, iterations, phases, EventLog(folder.metrics), heartbeat)
