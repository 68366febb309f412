"""Nothing is overwritten by accident: a file that is there is replaced only by force, and an input never."""

from __future__ import annotations

import pytest

from cli.invoking import assert_refused, contents, invoke

WRITERS = [
    "seed-set made --count 4",
    "model-init tictactoe --out made.pt --hidden 16 --blocks 0 --kind mlp",
    "diplomacy draw start --out made",
]


@pytest.mark.parametrize("line", WRITERS)
def test_a_file_that_is_there_is_replaced_only_by_force(line, tmp_path):
    words = line.split()
    assert invoke(words, tmp_path).code == 0
    before = contents(tmp_path)
    again = invoke([*words, *(["--seed", "1"] if "draw" not in words else ["--title", "Another"])], tmp_path)
    assert_refused(again, codes=(2,))
    assert "replace it with --force" in again.err
    assert contents(tmp_path) == before
    forced = invoke([*words, "--force", *(["--seed", "1"] if "draw" not in words else ["--title", "Another"])], tmp_path)
    assert forced.code == 0, forced.err
    assert contents(tmp_path) != before


@pytest.mark.parametrize(
    "line", ["seed-set trained.pt", "model-init tictactoe --out trained.pt", "diplomacy draw start --out trained.pt"]
)
def test_a_trained_network_is_safe(line, tmp_path):
    (tmp_path / "trained.pt").write_bytes(b"weeks of work")
    assert_refused(invoke(line.split(), tmp_path), codes=(2,))
    assert (tmp_path / "trained.pt").read_bytes() == b"weeks of work"


@pytest.mark.parametrize("name", ["games.jsonl", "./games.jsonl", "link.jsonl", "same.jsonl"])
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_an_export_never_replaces_what_it_reads(name, force, tmp_path):
    (tmp_path / "games.jsonl").write_text("the games\n")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "games.jsonl")
    (tmp_path / "same.jsonl").hardlink_to(tmp_path / "games.jsonl")
    option = _out_of_export()
    refused = invoke(["diplomacy", "export", "games.jsonl", option, name, *force], tmp_path)
    assert_refused(refused, codes=(2,))
    assert "the command reads this file" in refused.err
    assert (tmp_path / "games.jsonl").read_text() == "the games\n"


def _out_of_export():
    from cli.bad_invocations import out_option

    return out_option(["diplomacy", "export"])


def test_a_gate_never_replaces_its_seeds(tmp_path):
    assert invoke(["seed-set", "seeds.json", "--count", 4], tmp_path).code == 0
    words = ["gate", "tictactoe", "--best", "random", "--candidate", "random", "--games", 4, "--seed-set", "seeds.json"]
    refused = invoke([*words, "--out", "seeds.json", "--force"], tmp_path)
    assert_refused(refused, codes=(2,))


@pytest.mark.parametrize("place", ["bench.jsonl", "folder", "/proc/nothing/here", "bench.jsonl/below"])
def test_a_bench_knows_before_it_measures_that_it_can_not_write(place, tmp_path, monkeypatch):
    monkeypatch.setattr("playmill.bench.run.run_benchmark", lambda *_: pytest.fail("it measured"))
    (tmp_path / "bench.jsonl").write_text("older figures\n")
    (tmp_path / "folder").mkdir()
    assert_refused(invoke(["bench", "start.import", "--no-peers", "--out", place], tmp_path))
    assert (tmp_path / "bench.jsonl").read_text() == "older figures\n"


def test_a_run_into_nowhere_is_not_one_into_this_folder(tmp_path):
    (tmp_path / "run.yaml").write_text("game: tictactoe\n")
    assert_refused(invoke(["run", "run.yaml", "--out", ""], tmp_path), codes=(2,))
    assert [path.name for path in tmp_path.iterdir()] == ["run.yaml"]
