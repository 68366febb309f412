"""`playmill export --follow` beside a run at work: what other tools get is what the run's own log says."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from exports.readers import read_tensorboard, read_wandb
from playmill.core.events import read_events
from playmill.exports.scalars import scalars_of
from playmill.runs.folder import RunFolder
from waiting import halted, wait_for

ROOT = Path(__file__).parents[2]
PLAYMILL = [sys.executable, "-m", "playmill.cli.main"]

pytestmark = pytest.mark.jit


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """The folder of a run that exports followed from its first second, and what they printed."""
    root = tmp_path_factory.mktemp("live") / "run"
    config = ROOT / "configs" / "yatzy_smoke.yaml"
    run = subprocess.Popen([*PLAYMILL, "run", config, "--out", root], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for((root / "run.json").exists)
    kinds = {"tensorboard": ["--tensorboard"], "wandb": ["--wandb", "--offline"], "json": ["--json"], "csv": ["--csv"]}
    commands = {name: [*PLAYMILL, "export", root, *words, "--follow"] for name, words in kinds.items()}
    with halted(run.pid):  # else it could be over before anything follows it
        started = {
            name: subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for name, command in commands.items()
        }
        assert run.poll() is None
    told = {name: process.communicate(timeout=600) for name, process in started.items()}
    assert run.wait(120) == 0
    assert {name: process.returncode for name, process in started.items()} == dict.fromkeys(kinds, 0), told
    return RunFolder(root), {name: out for name, (out, _) in told.items()}


@pytest.fixture(scope="module")
def expected(live):
    """The events with numbers, in order, each with its numbers."""
    return [(event, found) for event in read_events(live[0].metrics) if (found := scalars_of(event))]


def test_tensorboards_file_has_the_numbers_of_the_log(live, expected):
    wanted = [(name, event["step"], np.float32(number)) for event, found in expected for name, number in found.items()]
    assert read_tensorboard(live[0].root / "exports" / "tensorboard") == wanted
    assert len(wanted) > 100


def test_wandbs_offline_files_have_the_numbers_of_the_log(live, expected):
    wanted = [
        (number, {**found, "iteration": event["iteration"], "run_step": event["step"]})
        for number, (event, found) in enumerate(expected)
    ]
    assert read_wandb(live[0].root / "exports" / "wandb") == wanted


def test_rows_are_the_iterations_of_the_log(live):
    folder, told = live
    rows = [json.loads(line) for line in told["json"].splitlines()]
    assert [row["iteration"] for row in rows] == [0, 1]
    for row, event in zip(rows, read_events(folder.iteration_stats), strict=True):
        assert row["gate/win_rate"] == event["gate"]["win_rate"]
        assert row["train/losses/total"] == event["train"]["losses"]["total"]
        assert row["gate/interval/low"] == event["gate"]["interval"][0]
        assert (
            row["measure/results/oracle/best/boards/fair/mean"]
            == (event["measure"]["results"]["oracle"]["best"]["boards"]["fair"]["mean"])
        )
    table = list(csv.DictReader(io.StringIO(told["csv"])))
    assert [{name: float(cell) for name, cell in row.items()} for row in table] == [
        {name: float(row[name]) for name in table[0]} for row in rows
    ]


def test_steps_never_go_back(live):
    last = {}
    for event in read_events(live[0].metrics):
        assert event["step"] >= last.get(event["event"], 0)
        last[event["event"]] = event["step"]
    assert last["train_step"] == 120  # two iterations of sixty


def test_wandb_writes_nothing_of_this_machine_and_asks_nobody(live):
    folder = live[0].root / "exports" / "wandb"
    assert not list(folder.glob("wandb/run-*"))
    names = {path.name for path in folder.rglob("files/*")}
    assert not names & {"wandb-metadata.json", "requirements.txt", "output.log"}
