"""`playmill run` ends with what to type next, ready to be copied."""

import os
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

from commands import runner
from playmill.cli import run
from playmill.cli.run import next_commands
from playmill.core.errors import PlaymillError
from playmill.packs.diplomacy.neural.run_settings import DiplomacyRunSettings
from playmill.packs.diplomacy.runs import DiplomacyRuns
from playmill.pipeline.run import EngineRuns
from playmill.pipeline.settings import RunSettings
from playmill.runs.folder import RunFolder


def test_a_run_names_the_commands_for_its_own_folder():
    commands = next_commands(RunFolder(Path("my runs/1")), EngineRuns(), RunSettings(game="yatzy", iterations=4))
    assert [shlex.split(command)[1:] for command in commands] == [
        ["report", "my runs/1"],
        ["verify", "my runs/1"],
        ["oracle-eval", "--model", "my runs/1/models/best.pt"],
        ["explore", "yatzy", "--model", "my runs/1/models/best.pt"],
        ["run", "my runs/1/config.yaml", "--out", "my runs/1", "--set", "iterations=8"],
    ]


@pytest.mark.parametrize(("game", "is_measured"), [("tictactoe", False), ("yatzy_rich", True)])
def test_only_a_game_with_measures_is_measured(game, is_measured):
    commands = next_commands(RunFolder(Path("r")), EngineRuns(), RunSettings(game=game))
    assert any(command.startswith(f"playmill measure {game} ") for command in commands) == is_measured


def test_a_run_of_diplomacy_names_its_network_once_it_has_one(tmp_path):
    folder, kind, settings = RunFolder(tmp_path), DiplomacyRuns(), DiplomacyRunSettings(game="diplomacy", iterations=2)
    assert [shlex.split(command)[1] for command in next_commands(folder, kind, settings)] == [
        "report", "verify", "diplomacy", "run"
    ]  # fmt: skip
    folder.best.parent.mkdir()
    folder.best.touch()
    words = [shlex.split(command)[1:] for command in next_commands(folder, kind, settings)]
    assert words[2] == ["diplomacy", "check", str(tmp_path / "selfplay" / "games_000000.jsonl")]
    assert words[3] == ["diplomacy", "search", "start", "--kind", "neural", "--model", str(folder.best)]
    assert words[4][:2] == ["diplomacy", "ladder"]


def test_a_run_that_fails_keeps_what_native_libraries_said(tmp_path, monkeypatch):
    """As ONNX Runtime and torch do it: past Python, to file descriptor 2."""
    (tmp_path / "small.yaml").write_text("game: tictactoe\n")

    class Failing:
        phases = SimpleNamespace(opener=None)

        def run(self):
            os.write(2, b"[E:onnxruntime] no memory\n")
            raise PlaymillError("the network gave up")

    monkeypatch.setattr("playmill.pipeline.run.open_run", lambda *_: Failing())
    with pytest.raises(PlaymillError, match="gave up"):
        runner(run)(tmp_path / "small.yaml", "--out", tmp_path / "run")
    assert RunFolder(tmp_path / "run").native_log.read_text() == "[E:onnxruntime] no memory\n"
