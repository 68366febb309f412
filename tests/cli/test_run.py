"""`playmill run` and `playmill diplomacy loop` end with what to type next, ready to be copied."""

import shlex
from pathlib import Path
from types import SimpleNamespace

from playmill.cli import diplomacy_train
from playmill.cli.run import next_commands
from playmill.pipeline.folder import RunFolder
from playmill.pipeline.settings import RunSettings


def test_a_run_names_the_commands_for_its_own_folder():
    commands = next_commands(Path("my runs/1"), RunSettings(game="yatzy", iterations=4))
    assert [shlex.split(command)[1:] for command in commands] == [
        ["report", "my runs/1"],
        ["verify", "my runs/1"],
        ["oracle-eval", "--model", "my runs/1/models/best.pt"],
        ["explore", "yatzy", "--model", "my runs/1/models/best.pt"],
        ["run", "my runs/1/config.yaml", "--out", "my runs/1", "--set", "iterations=8"],
    ]


def test_only_a_solved_game_is_measured_against_its_oracle():
    assert not any("oracle" in command for command in next_commands(Path("r"), RunSettings(game="tictactoe")))


def test_a_loop_names_its_network_once_it_has_one(tmp_path):
    games = tmp_path / "selfplay" / "games_000000.jsonl"
    loop = SimpleNamespace(folder=RunFolder(tmp_path), games_of=lambda _: games, settings=SimpleNamespace(iterations=2))
    assert [shlex.split(command)[2] for command in diplomacy_train.next_commands(loop)] == ["check", "loop"]
    loop.folder.best.parent.mkdir()
    loop.folder.best.touch()
    words = [shlex.split(command)[2:] for command in diplomacy_train.next_commands(loop)]
    assert words[1] == ["search", "start", "--kind", "neural", "--model", str(loop.folder.best)]
    assert words[2][0] == "ladder"
