"""A run on a full disk stops with one line; with room again it goes on and ends with the same bytes as any other."""

import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from full_disk import small_disk
from pipeline.killing import check_end, check_shards, results, whole_shards
from playmill.core.disk import DiskError
from playmill.pipeline.run import open_run
from playmill.runs.folder import RunFolder, read_manifest
from playmill.runs.watcher import Nobody

CONFIG = Path(__file__).parent / "chaos.yaml"
PHASES = ("selfplay", "train", "gate", "measure")
MAX_SPARE = 700 << 10  # what an iteration writes, about

pytestmark = pytest.mark.jit


@pytest.fixture
def disk(tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        yield disk


class Filling(Nobody):
    """Fills the disk as soon as a phase begins, but for `spare` bytes."""

    def __init__(self, disk, folder, phase, spare):
        self.disk, self.folder, self.wanted, self.spare = disk, folder, phase, spare

    def phase(self, name, total, done=0):
        if name == self.wanted:
            self.disk.fill(self.spare)
        return super().phase(name, total, done)


def run(folder, watcher):
    with folder.locked():
        open_run(CONFIG, folder.root, watcher).run()


def stop_once(disk, folder, phase, spare):
    """Run until the disk is full; the phase it stopped in, None if all of it fitted."""
    try:
        run(folder, Filling(disk, folder, phase, spare))
        return None
    except DiskError as stop:
        line = str(stop)
    finally:
        disk.free()
    assert "can't be written (No space left on device" in line
    assert not list(folder.root.rglob("*.tmp"))
    return read_manifest(folder).phase


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = RunFolder(tmp_path_factory.mktemp("runs") / "undisturbed")
    run(folder, Nobody())
    return results(folder.root)


def test_a_full_disk_stops_each_phase_and_loses_nothing(disk, undisturbed):
    folder, shards = RunFolder(disk.path / "run"), {}
    for phase in PHASES:
        assert stop_once(disk, folder, phase, 0) == phase
        check_shards(shards, whole_shards(folder.root))
        shards = whole_shards(folder.root)
    run(folder, Nobody())
    check_end(folder.root, undisturbed)


def test_the_disk_may_become_full_anywhere(disk, undisturbed):
    rng, stops = random.Random(5), Counter()
    while stops.total() < 20:
        folder = RunFolder(disk.path / "run")
        while (phase := stop_once(disk, folder, rng.choice(PHASES), int(MAX_SPARE * rng.random() ** 3))) is not None:
            stops[phase] += 1
        check_end(folder.root, undisturbed)
        shutil.rmtree(folder.root)
    assert set(stops) >= {"selfplay", "train", "gate"}, stops


def playmill(*words):
    command = [sys.executable, "-m", "playmill.cli.main", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def assert_stopped(ended, *words):
    """It ended with 1 and one line about the disk, after whatever lines it had said before."""
    last = ended.stderr.splitlines()[-1]
    assert ended.returncode == 1, ended.stderr
    assert "Traceback" not in ended.stderr
    assert last.startswith("playmill: ")
    for word in (
        *words,
        "can't be written (No space left on device",
        "free there); free some space and run the same command again",
    ):
        assert word in last, last


def test_the_command_stops_with_one_line_and_goes_on(disk, undisturbed):
    folder = disk.path / "run"
    for spare in (0, 100 << 10, 800 << 10):
        disk.fill(spare)
        assert_stopped(playmill("run", CONFIG, "--out", folder), str(folder))
        assert not list(disk.path.rglob("*.tmp"))
    disk.free()
    ended = playmill("run", CONFIG, "--out", folder)
    assert ended.returncode == 0, ended.stderr
    check_end(folder, undisturbed)


def test_the_single_steps_stop_with_one_line_too(disk, smoke_run):
    run = shutil.copytree(smoke_run, disk.path / "run", ignore=shutil.ignore_patterns("history"))
    best, replay = run / "models" / "best.pt", run / "replay"
    settings = run / "config.yaml"
    disk.fill(64 << 10)
    assert_stopped(playmill("selfplay", settings, "--out", disk.path / "new", "--games", 16), "best.pt")  # its copy
    words = (
        "train",
        "yatzy",
        "--replay",
        replay,
        "--best",
        best,
        "--out",
        disk.path / "trained",
        "--steps",
        2,
        "--batch-size",
        32,
    )
    assert_stopped(playmill(*words), "candidate.pt")
    disk.fill()
    ended = playmill("gate", "yatzy", "--best", best, "--candidate", "random", "--games", 4, "--out", disk.path / "gate.json")
    assert_stopped(ended, "gate.json")
    assert "not promoted" in ended.stdout  # what was played is not lost
    assert sorted(path.name for path in disk.path.iterdir()) == ["ballast", "new", "run", "trained"]
    disk.free()
    assert playmill(*words).returncode == 0


def test_standard_output_may_stand_on_the_full_disk(disk):
    disk.fill()
    with (disk.path / "out.json").open("w") as out:
        command = [sys.executable, "-m", "playmill.cli.main", "oracle-eval", "--model", "random", "--games", "4", "--json"]
        ended = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, timeout=300)
    assert ended.returncode == 1
    assert (
        ended.stderr
        == "playmill: a file can't be written (No space left on device); free some space and run the same command again\n"
    )
