"""A run's status tells where it is while it works, and how it ended; nothing about the run depends on it."""

import json
import os
import subprocess
import sys

import pytest

from playmill.core.errors import PlaymillError
from playmill.runs import heartbeat
from playmill.runs.contents import strangers
from playmill.runs.folder import RunFolder, now_ms, read_manifest
from playmill.runs.status import LOST_MS, read_status
from playmill.runs.view import RunView
from runs.toy_run import open_toy
from waiting import wait_for


@pytest.fixture
def fast(monkeypatch):
    monkeypatch.setattr(heartbeat, "EVERY_S", 0.005)


def status_of(root):
    return read_status(RunFolder(root))


def test_a_run_at_work_says_phase_progress_rates_losses_memory_and_heartbeat(tmp_path, fast):
    seen = {}

    def during(name):
        if name != "restore":
            wait_for(lambda: status_of(tmp_path).phase == name and status_of(tmp_path).done > 0)
            seen.setdefault(name, status_of(tmp_path))

    open_toy(tmp_path, during).run()
    train = seen["train"]
    assert (train.state, train.iteration, train.iterations) == ("running", 0, 2)
    assert (train.done, train.total, train.facts) == (3, 6, {"loss_total": 0.9, "samples_s": 800.0})
    assert train.text == "iteration 1 of 2, training: 3 of 6"
    assert train.rate > 0
    assert set(train.phase_seconds) == {"selfplay", "train"}
    assert 1 << 20 < train.rss_bytes < 1 << 40
    assert (train.pid, train.controller_error) == (os.getpid(), None)
    assert now_ms() - train.heartbeat_ms < 60_000
    assert seen["gate"].facts == {"win_rate": 0.6}


def test_a_resumed_phase_counts_only_what_it_did_itself(tmp_path, monkeypatch):
    controller = open_toy(tmp_path)
    controller.watcher.begin(controller.manifest, 2, ("selfplay",))
    with controller.watcher.phase("selfplay", 1000, 900) as tell:
        controller.watcher._began -= 5.0
        controller.watcher._bring_up_to_date()
        assert controller.watcher.status.rate is None
        tell(950)
        controller.watcher._bring_up_to_date()
    assert controller.watcher.status.rate == pytest.approx(10.0, rel=0.1)
    assert controller.watcher.status.seconds_left == pytest.approx(5.0, rel=0.1)
    controller.watcher._end("stopped", "")


def test_a_finished_run_is_done_and_its_status_is_no_part_of_it(tmp_path):
    open_toy(tmp_path).run()
    status, view = status_of(tmp_path), RunView(tmp_path)
    assert (status.state, status.text, view.state.name) == ("done", "done", "done")
    manifest = read_manifest(RunFolder(tmp_path))
    assert not {"status.json", "logs/controller.log"} & set(manifest.files)
    assert list(strangers(RunFolder(tmp_path), manifest)) == []
    assert [line["number"] for line in view.stats()] == [0, 1]
    assert [event["event"] for event in view.events()][:2] == ["selfplay_done", "train_done"]


def test_a_short_run_writes_its_status_at_begin_and_end_alone(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(heartbeat, "replace_quickly", lambda path, text: written.append(json.loads(text)["state"]))
    open_toy(tmp_path).run()
    assert written == ["running", "done"]


def test_a_failed_run_leaves_its_error_its_times_and_its_traceback(tmp_path):
    def during(name):
        if name == "train":
            raise ZeroDivisionError("a bug")

    with pytest.raises(ZeroDivisionError):
        open_toy(tmp_path, during).run()
    status = status_of(tmp_path)
    assert (status.state, status.controller_error) == ("failed", "ZeroDivisionError: a bug")
    assert status.text == "failed: ZeroDivisionError: a bug (iteration 1 of 2, training: 3 of 6)"
    assert set(status.phase_seconds) == {"selfplay", "train"}
    log = (tmp_path / "logs" / "controller.log").read_text()
    assert "Traceback (most recent call last)" in log
    assert "toy_run.py" in log
    assert RunView(tmp_path).state.name == "failed"


def test_a_phase_that_fails_before_its_first_game_is_named_too(tmp_path):
    def before(name):
        if name == "train":
            raise PlaymillError("best.pt: damaged")

    with pytest.raises(PlaymillError):
        open_toy(tmp_path, before=before).run()
    status = status_of(tmp_path)
    assert (status.phase, status.done, status.total) == ("train", 0, 0)
    assert status.text == "failed: best.pt: damaged (iteration 1 of 2, training)"
    assert set(status.phase_seconds) == {"selfplay", "train"}


def test_a_phases_time_counts_its_preparation_its_rate_does_not(tmp_path):
    heartbeat = open_toy(tmp_path).watcher
    heartbeat.begin(read_manifest(heartbeat.folder), 2, ("selfplay",))
    heartbeat.entered("selfplay")
    heartbeat._entered -= 30.0
    with heartbeat.phase("selfplay", 100) as tell:
        heartbeat._began -= 5.0
        tell(50)
        heartbeat._bring_up_to_date()
    assert heartbeat.status.phase_seconds["selfplay"] == pytest.approx(30.0, rel=0.1)
    assert heartbeat.status.rate == pytest.approx(10.0, rel=0.1)
    heartbeat._end("stopped", "")


def test_a_users_error_is_told_without_its_kind(tmp_path):
    def during(name):
        raise PlaymillError("x.json: expected this, got that")

    with pytest.raises(PlaymillError):
        open_toy(tmp_path, during).run()
    assert status_of(tmp_path).controller_error == "x.json: expected this, got that"


def test_a_run_that_the_user_stops_is_stopped(tmp_path):
    def during(name):
        if name == "gate":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_toy(tmp_path, during).run()
    assert RunView(tmp_path).state.text == "stopped by the user (iteration 1 of 2, gate: 4 of 8)"


def change_status(root, **fields):
    content = json.loads((root / "status.json").read_text())
    (root / "status.json").write_text(
        json.dumps({**content, "state": "running", "phase": "train", "done": 3, "total": 6, **fields})
    )


@pytest.fixture
def unfinished(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        open_toy(tmp_path, lambda name: (_ for _ in ()).throw(KeyboardInterrupt)).run()
    return tmp_path


def test_a_dead_runs_status_is_shown_as_stopped_with_when(unfinished):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    change_status(unfinished, pid=gone.pid, heartbeat_ms=1_750_000_000_000)
    state = RunView(unfinished).state
    assert (state.name, state.since_ms) == ("stopped", 1_750_000_000_000)
    assert state.text.startswith(
        "stopped without a word, last heard of 2025-06-15 15:06:40 UTC (iteration 1 of 2, training: 3 of 6"
    )


@pytest.mark.parametrize(("age_ms", "name"), [(0, "running"), (LOST_MS + 1, "stopped")])
def test_a_run_on_another_machine_counts_as_stopped_after_a_minute(unfinished, age_ms, name):
    change_status(unfinished, host="elsewhere", pid=1, heartbeat_ms=now_ms() - age_ms)
    assert RunView(unfinished).state.name == name


@pytest.mark.parametrize("text", ["", "{}", "[1]", "\0", '{"version": 99}'])
def test_a_damaged_status_tells_nothing_and_stops_nobody(unfinished, text):
    (unfinished / "status.json").write_text(text)
    view = RunView(unfinished)
    assert view.status is None
    assert view.state.name in ("new", "stopped")


def test_a_disk_that_refuses_the_status_changes_nothing(tmp_path, fast):
    (tmp_path / "status.json").mkdir()
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "controller.log").mkdir()
    open_toy(tmp_path).run()
    assert read_manifest(RunFolder(tmp_path)).phase == "done"
    assert not list(tmp_path.rglob("*.tmp"))
