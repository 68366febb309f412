"""`--json`: standard output is one JSON value, with the fields that docs/formats.md lists."""

import json

import pytest
from typer.testing import CliRunner

from playmill.cli import warmup
from playmill.cli.app import app

TINY = """
game: tictactoe
net: {kind: mlp, hidden: 16, blocks: 1}
search: {kind: puct, puct: {budget: 4}}
selfplay: {games: 4, shard_games: 4, lanes: 4}
train: {batch_size: 16, steps_per_iteration: 2}
gate: {games: 4}
"""


def told(*words):
    """What a command prints with --json."""
    result = CliRunner().invoke(app, [*map(str, words), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a run in it."""
    root = tmp_path_factory.mktemp("json")
    (root / "tiny.yaml").write_text(TINY)
    facts = told("run", root / "tiny.yaml", "--out", root / "run", "--set", "workers=1")
    assert {
        "game": "tictactoe",
        "iterations_done": 1,
        "selfplay_games": 4,
        "train_steps": 2,
        "gate_games": 4,
    }.items() <= facts.items()
    assert facts["run"] == str(root / "run")
    return root


@pytest.mark.jit
def test_commands_on_a_run(folder):
    run = folder / "run"
    assert told("status", run)["state"] == "done"
    assert told("report", run)["path"] == str(run / "report.html")
    assert told("verify", run, "--games", 1)["problems"] == []
    assert told("model-info", run / "models" / "best.pt")["hidden"] == 16
    assert told("selfplay", folder / "tiny.yaml", "--out", folder / "more")["played"] == 4
    assert told("selfplay", folder / "tiny.yaml", "--out", folder / "more")["games_s"] is None
    words = ("--replay", run / "replay", "--best", run / "models" / "best.pt", "--out", folder / "train", "--steps", 2)
    assert told("train", "tictactoe", *words)["steps"] == 2
    explored = told("explore", "tictactoe", "--model", run / "models" / "best.pt", "--simulations", 8)
    assert (explored["model"], explored["position"]) == (str(run / "models" / "best.pt"), ".../.../... x to move")


def test_commands_that_write_a_file(tmp_path):
    assert told("seed-set", tmp_path / "a.seeds", "--count", 3)["seeds"] == 3
    assert told("model-init", "tictactoe", "--out", tmp_path / "a.pt", "--hidden", 16)["path"] == str(tmp_path / "a.pt")
    assert len(told("new-game", "pebble", "--out", tmp_path)["files"]) == 5


def test_commands_that_only_tell():
    assert told("perft", "tictactoe", "--plies", 2)["positions"] == [1, 9, 72]
    assert told("perft", "tictactoe", "--plies", 5, "--complete")["complete_games"] == 1440
    assert told("diplomacy", "explain", "start", "A par - bur")["results"]["A par - bur"] == ["succeeded"]
    assert round(told("oracle", "expected")["expected_score"], 2) == 248.44


def test_warmup(monkeypatch):
    monkeypatch.setattr(warmup, "run_steps", lambda steps, workers: None)
    assert told("warmup", "oracle")["commands"] == ["playmill oracle expected", "playmill oracle sim --games 4"]


def test_oracle_expected_says_what_the_number_is():
    line = CliRunner().invoke(app, ["oracle", "expected"]).stdout
    assert line == "248.439989 points: the mean final score of solitaire Swedish Yatzy with best play, bonus included\n"
