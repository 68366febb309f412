"""Warming up: kernels are compiled by small commands in other processes, and whatever fails is told."""

from __future__ import annotations

from subprocess import CompletedProcess

import pytest

from playmill.cli import warmup
from playmill.core.errors import PlaymillError

pytestmark = pytest.mark.jit


@pytest.fixture
def areas(monkeypatch, tmp_path):
    monkeypatch.setenv("PLAYMILL_CACHE_DIR", str(tmp_path / "cache"))
    steps = {"fine": [("perft", "tictactoe", "--plies", "1")], "bad": [("perft", "ludo", "--plies", "1")]}
    monkeypatch.setattr(warmup, "AREAS", steps)
    return steps


def test_what_an_area_compiles_is_on_disk_afterwards(areas, tmp_path, capsys):
    warmup.warmup(["fine"], workers=1)
    assert list((tmp_path / "cache" / "kernels" / "playmill.games.tictactoe").iterdir())
    said = capsys.readouterr()
    assert said.out.startswith("warm: 1 small commands in ")
    assert said.err == "1 of 1: playmill perft tictactoe --plies 1\n"


def test_a_command_that_fails_is_told_in_its_own_words(areas):
    with pytest.raises(PlaymillError, match=r"`playmill perft ludo --plies 1` failed: unknown game 'ludo'"):
        warmup.warmup(["bad", "fine"], workers=1)


def test_a_command_that_heard_ctrl_c_first_is_no_failure(areas, monkeypatch):
    monkeypatch.setattr(warmup.subprocess, "run", lambda command, **_: CompletedProcess(command, 130, "", "interrupted"))
    with pytest.raises(KeyboardInterrupt):
        warmup.warmup(["bad", "fine"], workers=2)


def test_an_unknown_area_names_the_nearest():
    with pytest.raises(PlaymillError, match=r"unknown area 'orcale'; did you mean 'oracle'\?"):
        warmup.warmup(["orcale"])
