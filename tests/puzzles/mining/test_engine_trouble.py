"""`puzzles mine --engine katago` and an engine that is missing, refuses, or is killed while it works."""

import json
import os
import signal
import threading
from pathlib import Path

import pytest

from cli.invoking import assert_refused, invoke
from playmill.core import files
from puzzles.katago.engines import Fake
from puzzles.mining.drawn_records import contents
from waiting import wait_for

pytestmark = pytest.mark.jit
MOVES = "".join(
    f";{'BW'[number % 2]}[{column}{row}]" for number, (column, row) in enumerate((c, r) for c in "bdfh" for r in "bdfh")
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv(files.CACHE_VARIABLE, str(tmp_path / "cache"))
    files._cache_root.cache_clear()
    yield
    files._cache_root.cache_clear()


@pytest.fixture
def games(tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.sgf").write_text(f"(;SZ[9]KM[{number}.5]{MOVES})")
    return folder


def mine(games, out, fake, **changes):
    """Mine with a fake engine that looks at every move, and keeps nothing for the next run."""
    engine = {**fake.paths, "cache_mib": 0, "in_flight": 1, **changes}
    settings = {"katago": {"engine": engine, "hunt": {"first_move": 0, "scan_every": 1}}}
    path = games.parent / "settings.yaml"
    path.write_text(json.dumps(settings))
    words = ["puzzles", "mine", games, "--engine", "katago", "--out", out, "--settings", path, "--workers", "1"]
    return invoke(words, games.parent)


def test_an_engine_killed_in_mid_run_is_started_again_and_the_files_are_the_same(games, tmp_path):
    fake = Fake(tmp_path, "slow")
    killer = threading.Thread(target=kill_after, args=(fake, 20))
    killer.start()
    ended = mine(games, tmp_path / "killed" / "puzzles.jsonl", fake)
    killer.join()
    assert (ended.code, fake.noted("start")) == (0, 2), ended.err
    assert mine(games, tmp_path / "whole" / "puzzles.jsonl", fake).code == 0
    assert fake.noted("start") == 3
    assert contents(tmp_path / "killed" / "puzzles.jsonl") == contents(tmp_path / "whole" / "puzzles.jsonl")
    assert "3 games, 48 positions" in ended.out


def kill_after(fake, queries):
    """Kill the engine when it has been asked so often."""
    wait_for(lambda: fake.noted("query") >= queries)
    [pid] = [int(line.split()[1]) for line in fake.notes.read_text().splitlines() if line.startswith("pid")]
    os.kill(pid, signal.SIGKILL)


def test_no_engine_is_one_line_with_both_ways_out(games, tmp_path):
    ended = invoke(["puzzles", "mine", games, "--engine", "katago", "--out", "p.jsonl"], tmp_path)
    assert_refused(ended, (2,))
    assert "`playmill katago install` gets one, and `--engine solver` needs none" in ended.err


def test_a_wrong_network_path_is_told_before_anything_is_written(games, tmp_path):
    ended = mine(games, tmp_path / "p.jsonl", Fake(tmp_path), network="nowhere.bin.gz")
    assert_refused(ended, (2,))
    assert "network: expected a file, but there is no nowhere.bin.gz" in ended.err
    assert not (tmp_path / "p.jsonl").exists()


def test_an_engine_that_refuses_its_configuration_is_quoted(games, tmp_path):
    ended = mine(games, tmp_path / "p.jsonl", Fake(tmp_path, "refuses"))
    assert_refused(ended, (1,))
    assert "Could not find key 'numAnalysisThreads' in config file" in ended.err
    assert str(Path("katago") / "katago.log") in ended.err
