"""Self-play that is killed again and again ends with the same bytes as self-play that is left alone."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from waiting import wait_for

HERE = Path(__file__).parent
OPTIONS = "--kind heuristic --games 60 --max-year 1906 --seed 7 --workers 2 --domination-centres 8"

pytestmark = pytest.mark.jit


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])}


def start(path):
    command = [sys.executable, "-m", "playmill.cli.main", "diplomacy", "selfplay", *OPTIONS.split(), "--out", str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())


def finish(path):
    process = start(path)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    return path.read_bytes(), Path(f"{path}.rejected").read_bytes(), errors


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    return finish(tmp_path_factory.mktemp("kills") / "games.jsonl")[:2]


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_killed_processes_end_with_the_same_bytes(tmp_path, undisturbed):
    rng, path = random.Random(3), tmp_path / "games.jsonl"
    for _ in range(3):
        process, before = start(path), lines(path)
        wait_for(lambda p=process, b=before: lines(path) > b or p.poll() is not None)
        time.sleep(rng.uniform(0, 0.5))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert finish(path)[:2] == undisturbed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_between_games_and_it_goes_on(tmp_path, undisturbed, number):
    path = tmp_path / "games.jsonl"
    process = start(path)
    wait_for(lambda: lines(path) > 1)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert errors.splitlines()[-1].startswith("playmill: interrupted")  # on a slow machine there is no time for more
    assert path.read_bytes().endswith(b"\n")
    assert undisturbed[0].startswith(path.read_bytes())
    content, rejected, errors = finish(path)
    assert (content, rejected) == undisturbed
    assert "games were finished before" in errors


def kill_often(folder, kills, seed):
    command = [sys.executable, str(HERE / "killing.py"), str(folder), str(kills), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, env=environment())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_twenty_kills_of_all_kinds_change_nothing(tmp_path):
    report = kill_often(tmp_path, 20, seed=1)
    assert report["kills"] >= 20
    assert set(report["kinds"]) == {"moment", "call", "line"}


@pytest.mark.slow
def test_two_hundred_kills_change_nothing(tmp_path):
    assert kill_often(tmp_path, 200, seed=2)["kills"] >= 200
