"""A small run of everything, ways to damage its files, and what came of going on with it."""

import random
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

from playmill.core.errors import PlaymillError
from playmill.pipeline import selfplay_phase
from playmill.pipeline.holdings import enter_shard
from playmill.pipeline.run import open_run
from playmill.pipeline.verify import verify_run
from playmill.runs.folder import RunFolder, read_manifest
from playmill.runs.watcher import Nobody

CONFIG = Path(__file__).parent / "damage.yaml"


def go_on(root, config=CONFIG, watcher=None):
    """Do what `playmill run` does."""
    folder = RunFolder(root)
    with folder.locked():
        open_run(config, root, watcher or Nobody()).run()


def attempt(root, config=CONFIG):
    """Go on; the one line of the refusal, None if there was none."""
    try:
        go_on(root, config)
    except PlaymillError as error:
        return one_line(error)
    return None


def complaints(root):
    """What `verify` says: a line for each problem, or its refusal."""
    try:
        return [str(problem) for problem in verify_run(root, games=0).problems]
    except PlaymillError as error:
        return [one_line(error)]


def one_line(error):
    """What the command prints for this error."""
    assert error.exit_code in (1, 2)
    assert "\n" not in str(error)
    return str(error)


# ------------------------------------------------------------------ damages


def delete(path, other):
    path.unlink()


def empty(path, other):
    path.write_bytes(b"")


def cut(path, other):
    data = path.read_bytes()
    path.write_bytes(data[: random.Random(path.name).randrange(1, len(data))])


def flip(path, other, seed=0):
    data = bytearray(path.read_bytes())
    rng = random.Random(f"{path.name} {seed}")
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def garble(path, other):
    """Random bytes in the middle, the length kept."""
    data = bytearray(path.read_bytes())
    middle = len(data) // 3
    data[middle : 2 * middle] = random.Random(path.name).randbytes(middle)
    path.write_bytes(data)


def swap(path, other):
    shutil.copyfile(other, path)


def fold(path, other):
    path.unlink()
    path.mkdir()


DAMAGES = [delete, empty, cut, flip, garble, swap, fold]


# ------------------------------------------------------------------ files

# What stands for each file, and another of its kind that is put in its place. {best} and {first} are networks by weights.
OTHERS = {
    "config.yaml": "run.json",
    "run.json": "gates/gate_000000.json",
    "models/best.pt": "models/history/{first}.pt",
    "models/best.meta.json": "models/history/{first}.meta.json",
    "models/best.int8.onnx": "models/history/{second}.int8.onnx",
    "models/history/{best}.pt": "models/history/{second}.pt",
    "models/history/{best}.int8.onnx": "models/history/{second}.int8.onnx",
    "models/history/{first}.pt": "models/history/{second}.pt",
    "models/candidate.pt": "models/history/{first}.pt",
    "models/candidate.meta.json": "models/history/{first}.meta.json",
    "models/candidate.int8.onnx": "models/history/{second}.int8.onnx",
    "models/latest.pt": "models/history/{first}.pt",
    "models/latest.meta.json": "models/iter_1.meta.json",
    "models/latest.int8.onnx": "models/iter_1.int8.onnx",
    "models/iter_0.pt": "models/iter_1.pt",
    "models/iter_1.pt": "models/iter_2.pt",
    "models/iter_2.int8.onnx": "models/iter_1.int8.onnx",
    "gate_report.json": "gates/gate_000000.json",
    "gates/gate_000000.json": "gates/gate_000001.json",
    "gates/gate_000001.json": "gates/gate_000000.json",
    "replay/shard_000000.meta.json": "replay/shard_000001.meta.json",
    "replay/shard_000003.meta.json": "replay/shard_000001.meta.json",
    "replay/shard_000003.safetensors": "replay/shard_000002.safetensors",
    "logs/metrics.ndjson": "logs/iteration_stats.ndjson",
    "logs/iteration_stats.ndjson": "models/history/{first}.pt",
    "logs/mcts_roots.ndjson": "models/history/{first}.pt",
}


def find(root, name):
    """The file that a name of OTHERS stands for."""
    manifest = read_manifest(RunFolder(root))
    first, second = (entry.selfplay.model for entry in manifest.iterations[:2])
    return root / name.format(first=first, second=second, best=manifest.best)


class Stopped(Exception):
    pass


def stop_before_entry(root, config, shard):
    """Run until this shard is written but not yet listed, as a kill might leave it."""

    def enter(folder, manifest, index):
        if index == shard:
            raise Stopped
        enter_shard(folder, manifest, index)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selfplay_phase, "enter_shard", enter)
        with pytest.raises(Stopped):
            go_on(root, config)


class StopsAt(Nobody):
    """Stops a run when a phase of an iteration, counted from 0, has come to `done`, or when it is finished."""

    def __init__(self, iteration, phase, done=None):
        self.iteration, self.wanted, self.done = iteration, phase, done

    def begin(self, manifest, status):
        self.manifest = manifest

    def _is_here(self, name):
        return name == self.wanted and self.manifest.iterations_done == self.iteration

    @contextmanager
    def phase(self, name, total, done=0):
        def tell(done, **facts):
            if self.done is not None and self._is_here(name) and done >= self.done:
                raise Stopped

        yield tell

    def finished(self, name, entry):
        if self._is_here(name):
            raise Stopped
