"""`playmill profile`: stacks with kernels by name, torch's traces, and refusals in a line."""

import json
import shutil
import sys

import pytest

from cli.invoking import assert_refused, invoke
from playmill.cli.profile import _reason
from playmill.core.extras import find_program

TINY = """
game: tictactoe
net: {kind: mlp, hidden: 16, blocks: 1}
search: {kind: puct, puct: {budget: 4}}
selfplay: {games: 8, shard_games: 8, lanes: 4}
train: {batch_size: 16, steps_per_iteration: 2}
gate: {games: 4}
"""

needs_profiler = pytest.mark.skipif(find_program("py-spy") is None, reason="py-spy is not installed")


@needs_profiler
@pytest.mark.jit
def test_a_profile_has_python_and_kernels_by_name(playmill, tmp_path):
    words = ("simulate", "connect_four", "--playouts", 3_000_000, "--seed", 7)
    ended = playmill("profile", "--out", tmp_path / "stacks.txt", "--rate", 50, *words)
    assert ended.returncode == 0, ended
    assert "playouts" in ended.stdout
    assert "py-spy>" not in ended.stdout
    stacks = (tmp_path / "stacks.txt").read_text()
    assert "kernel " in stacks
    assert "playmill/sim/" in stacks


@needs_profiler
def test_a_command_that_is_refused_leaves_no_profile(playmill, tmp_path):
    ended = playmill("profile", "--out", tmp_path / "stacks.txt", "nocommand")
    assert ended.returncode == 2
    assert "nocommand" in ended.stderr
    assert not list(tmp_path.glob("*stacks*"))


@needs_profiler
def test_a_command_that_fails_is_told_by_its_code(playmill, tmp_path):
    (tmp_path / "broken.pt").write_bytes(b"no network")
    ended = playmill("profile", "--out", tmp_path / "stacks.txt", "--rate", 20, "model-info", tmp_path / "broken.pt")
    assert ended.returncode == 1
    assert (tmp_path / "stacks.txt").stat().st_size


@pytest.mark.jit
def test_torchs_traces_are_what_chrome_reads(tmp_path):
    (tmp_path / "tiny.yaml").write_text(TINY)
    ended = invoke(["profile", "--torch", "traces", "--steps", "2", "tiny.yaml"], tmp_path)
    assert ended.code == 0, ended
    for name in ("training", "inference"):
        events = json.loads((tmp_path / "traces" / f"{name}.json").read_text())["traceEvents"]
        assert any("addmm" in str(event.get("name")) for event in events)


def test_what_cannot_be_profiled_is_refused_in_a_line(tmp_path, monkeypatch):
    assert_refused(invoke(["profile", "--out", "x.png", "games"], tmp_path), (2,))
    assert_refused(invoke(["profile", "--torch", "x", "games", "more"], tmp_path), (2,))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    ended = invoke(["profile", "games"], tmp_path)
    assert_refused(ended, (2,))
    assert "playmill[profile]" in ended.err
    assert shutil.which("py-spy") is None


def test_a_refusal_of_the_system_has_a_way_out():
    assert "ptrace_scope" in _reason(["Error: Permission Denied: Try running again with elevated permissions"])
    assert _reason(["", "something else"]) == "something else"
