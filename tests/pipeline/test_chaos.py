"""A run that is killed again and again ends with the same bytes as one that is left alone."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.killing import check_end, check_shards, results, whole_shards
from waiting import wait_for

HERE = Path(__file__).parent
CONFIG, TEACHING = HERE / "chaos.yaml", HERE / "teaching.yaml"
PHASES = ("selfplay", "train", "gate", "measure")

pytestmark = pytest.mark.jit


def start(folder):
    command = [sys.executable, "-m", "playmill.cli.main", "run", str(CONFIG), "--out", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(folder):
    process = start(folder)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors


def phase_of(folder):
    path = folder / "run.json"
    return json.loads(path.read_text())["phase"] if path.exists() else "none"


def kill_forked(tmp_path, kills, seed, config=CONFIG):
    """Let killing.py kill so many controllers; return its report."""
    command = [sys.executable, str(HERE / "killing.py"), str(config), str(tmp_path), str(kills), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_thirty_kills_change_nothing(tmp_path):
    # Where the kills fall depends on the machine's load: each phase is hit on purpose below, and all of them by 300 kills.
    report = kill_forked(tmp_path, 30, seed=1)
    assert report["kills"] >= 30
    assert {"selfplay", "train"} <= set(report["phases"])


@pytest.mark.slow
def test_three_hundred_kills_change_nothing(tmp_path):
    report = kill_forked(tmp_path, 300, seed=2)
    assert report["kills"] >= 300
    assert set(PHASES) <= set(report["phases"])


def test_a_teacher_and_a_student_survive_kills(tmp_path):
    # One run, killed until it is done: some forty times.
    report = kill_forked(tmp_path, 30, seed=5, config=TEACHING)
    assert report["kills"] >= 30


@pytest.mark.slow
def test_a_teacher_and_a_student_survive_a_hundred_kills(tmp_path):
    report = kill_forked(tmp_path, 100, seed=6, config=TEACHING)
    assert report["kills"] >= 100
    assert {"selfplay", "train", "gate"} <= set(report["phases"])


def test_the_command_survives_a_kill_in_each_phase(tmp_path):
    """The same with whole processes, one kill in each phase."""
    finish(tmp_path / "undisturbed")
    folder, rng, shards = tmp_path / "run", random.Random(3), {}
    for phase in PHASES:
        process = start(folder)
        wait_for(lambda phase=phase, process=process: phase_of(folder) == phase or process.poll() is not None, 300)
        time.sleep(rng.uniform(0, 0.02))  # the shortest phase takes about so long
        process.send_signal(signal.SIGKILL)
        process.communicate()
        now = whole_shards(folder)
        check_shards(shards, now)
        shards = now
    finish(folder)
    check_end(folder, results(tmp_path / "undisturbed"))


def test_a_second_controller_is_refused_by_the_first_ones_name(tmp_path):
    first = start(tmp_path)
    try:
        lock = tmp_path / "controller.lock"
        wait_for(lambda: lock.exists() and lock.read_text(), 60)
        second = start(tmp_path)
        out, errors = second.communicate(timeout=60)
    finally:
        first.kill()
        first.communicate()
    assert (second.returncode, out, errors.count("\n")) == (1, "", 1)
    assert f"process {first.pid} on " in errors
    assert "is already working on this run" in errors
