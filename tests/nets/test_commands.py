"""`playmill model-init` and `model-info`: what they print, and one line for what goes wrong."""

import sys

import pytest

from commands import runner
from playmill.cli import nets
from playmill.core.errors import UsageError
from playmill.games.registry import get_game
from playmill.nets.checkpoint import load_checkpoint
from playmill.nets.meta import CheckpointError

run = runner(nets)


def test_model_init_writes_a_checkpoint_and_says_how_large_it_is(tmp_path):
    out = tmp_path / "models" / "best.pt"
    line = run("model-init", "yatzy", "--out", out, "--hidden", 16, "--blocks", 1, "--margin", "--togo")
    assert line == f"{46 * 16 + 2 * 17 * 16 + 17 * (47 + 4)} parameters in {out}\n"
    checkpoint = load_checkpoint(out, get_game("yatzy"))
    assert checkpoint.meta.heads == ("win", "margin", "togo_own", "togo_opp")
    assert (checkpoint.meta.parent, checkpoint.meta.train_step) == (None, 0)


def test_boards_get_a_board_net_unless_told_otherwise(tmp_path):
    run("model-init", "connect_four", "--out", tmp_path / "a.pt", "--channels", 8)
    run("model-init", "connect_four", "--out", tmp_path / "b.pt", "--kind", "mlp", "--hidden", 16)
    assert load_checkpoint(tmp_path / "a.pt").spec.kind == "conv"
    assert load_checkpoint(tmp_path / "b.pt").spec.kind == "mlp"


def test_the_same_seed_writes_the_same_file(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        run("model-init", "tictactoe", "--out", tmp_path / f"{name}.pt", "--seed", seed, "--channels", 8)
    a, b, c = ((tmp_path / f"{name}.pt").read_bytes() for name in "abc")
    assert a == b
    assert a != c


def test_model_info_prints_a_line_for_every_fact(tmp_path):
    run("model-init", "yatzy", "--out", tmp_path / "best.pt", "--hidden", 16)
    lines = dict(line.split(": ", 1) for line in run("model-info", tmp_path / "best.pt").splitlines())
    assert lines["game"] == "yatzy"
    assert lines["ruleset"] == "swedish_scandinavian_v1"
    assert lines["hidden"] == "16"
    assert lines["heads"] == "win"
    assert lines["parent"] == "-"


def test_wrong_settings_and_files_are_one_line(tmp_path):
    with pytest.raises(UsageError, match=r"net.hidden: expected at least 16, got 0"):
        run("model-init", "yatzy", "--out", tmp_path / "a.pt", "--hidden", 0)
    with pytest.raises(CheckpointError, match="no such checkpoint"):
        run("model-info", tmp_path / "a.pt")


def test_without_torch_the_way_out_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    way_out = r"a network needs torch, which is not installed; pip install -c constraints.txt 'playmill\[nets\]'"
    with pytest.raises(UsageError, match=way_out):
        run("model-info", tmp_path / "a.pt")
