"""`playmill status` shows a run in any state, and a run that was killed as stopped, with when."""

import json

import pytest
from typer.testing import CliRunner

from playmill.cli.app import app
from runs.test_status import change_status
from runs.toy_run import open_toy


def status(*words):
    return CliRunner().invoke(app, ["status", *map(str, words)], env={"COLUMNS": "100"})


@pytest.fixture
def stopped(tmp_path):
    def stop(name):
        if name == "train":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_toy(tmp_path / "run", stop).run()
    return tmp_path / "run"


def test_a_finished_run_fits_one_screen(tmp_path):
    open_toy(tmp_path / "run").run()
    shown = status(tmp_path / "run").stdout
    for words in ("finished", "✓ self-play", "24 games, 12 steps", "68.8%", "40% to 90%", "done since 20"):
        assert words in shown
    assert len(shown.splitlines()) < 24


def test_a_run_under_way_shows_its_phase(stopped):
    change_status(stopped, facts={"loss_total": 0.25}, rate=2.0)
    shown = status(stopped).stdout
    for words in (
        "iteration 1 of 2",
        "● training",
        "3 of 6 steps",
        "loss 0.2500",
        "running as process",
        "iteration 1 of 2, training",
    ):
        assert words in shown


def test_a_killed_run_is_shown_as_stopped_with_when(stopped):
    change_status(stopped, host="elsewhere", heartbeat_ms=1_750_000_000_000)
    shown = status(stopped).stdout
    assert "stopped since 2025-06-15 15:06:40 UTC" in shown
    assert "stopped without a word, last heard of 2025-06-15 15:06:40 UTC (iteration 1 of 2, training: 3 of 6)" in shown


def test_json_has_the_state_and_the_whole_status(stopped):
    facts = json.loads(status(stopped, "--json").stdout)
    assert (facts["state"], facts["game"], facts["iterations_done"]) == ("stopped", "nim", 0)
    assert facts["status"]["phase_seconds"].keys() == {"selfplay", "train"}


def test_a_run_without_a_status_can_be_shown(stopped):
    (stopped / "status.json").unlink()
    assert "nothing tells since when" in status(stopped).stdout


def test_a_folder_without_a_run_is_refused(tmp_path):
    done = CliRunner().invoke(app, ["status", str(tmp_path)])
    assert "expected a run's folder, but there is no run.json" in str(done.exception)
    assert done.exception.exit_code == 2
