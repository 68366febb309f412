"""Runs and their games, as the pages are told of them."""

import json
import os
import shutil
import time

import pytest
from starlette.testclient import TestClient

from playmill.core.errors import UsageError
from playmill.runs.view import RunView
from playmill.web.app import Offer, make_app
from playmill.web.opponents import Opponents
from playmill.web.run_shelf import RunShelf, require_runs
from playmill.web.table_room import TableRoom
from web.studio_folder import copy_runs
from web.test_api import HEADER, HOME, PORT, TOKEN

pytestmark = pytest.mark.jit


@pytest.fixture(scope="module")
def runs(smoke_run, tmp_path_factory):
    return copy_runs(smoke_run, tmp_path_factory.mktemp("studio"))


@pytest.fixture(scope="module")
def client(runs):
    return TestClient(make_app(Offer(runs=RunShelf(runs)), TOKEN, PORT), HOME, headers=HEADER)


def test_the_server_says_which_pages_it_has(client):
    assert client.get("/api/pages").json() == {"pages": ["runs"], "home": "runs"}
    assert client.get("/api/puzzles").status_code == 404


def test_the_list_has_each_run_with_its_state_and_strength_and_says_what_is_wrong_with_a_damaged_one(client, runs):
    rows = {row["name"]: row for row in client.get("/api/runs").json()["runs"]}
    assert set(rows) == {"first", "second", "torn"}
    first = rows["first"]
    assert (first["state"], first["game"], first["iterations_done"], first["iterations"]) == ("done", "yatzy", 2, 2)
    assert first["strength"]["figure"].endswith(" points")
    assert "run.json" in rows["torn"]["problem"]


def test_a_page_has_the_numbers_of_the_manifest(client, runs):
    page, manifest = client.get("/api/runs/first").json(), RunView(runs / "first").manifest
    charts = {chart["title"]: chart for chart in page["charts"]}
    gates = [(point["iteration"], point["y"], point["low"], point["high"]) for point in charts["Gates"]["points"]]
    entries = [entry.gate for entry in manifest.iterations]
    assert gates == [(i + 1, gate.win_rate, *gate.interval) for i, gate in enumerate(entries)]
    assert [point["y"] for point in charts["loss: total"]["points"]] == [e.train.losses["total"] for e in manifest.iterations]
    assert [point["games"] for point in charts["loss: total"]["points"]] == [64, 128]
    strength = charts["Strength"]
    assert all(point["low"] < point["y"] < point["high"] for point in strength["points"])
    assert strength["reference"][0] == pytest.approx(248.44, abs=0.01)
    assert [row[0] for row in page["rows"]] == ["2", "1"]
    assert len(page["columns"]) == len(page["rows"][0]) > 8


def test_events_come_once(client):
    live = client.get("/api/runs/first/live").json()
    assert [phase["state"] for phase in live["phases"]] == ["done"] * 4
    titles = [line["title"] for line in live["events"]["lines"]]
    assert titles[0] == "self-play"
    assert titles.count("gate") == 2
    lines = live["events"]["lines"]
    words = next(line["words"] for line in lines if line["title"] == "measured")
    assert "points a game" in words
    steps = [line["words"].split(",")[0] for line in lines if line["title"] == "training" and line["iteration"] == 2]
    assert steps[-1] == "step 60 of 60"  # of the iteration, not of the run
    assert "replay" not in titles  # it looked, and had nothing to remove
    # the measurement, and after it the look at the replay
    after = client.get(f"/api/runs/first/live?after={live['events']['next'] - 2}").json()["events"]
    assert (len(after["lines"]), after["next"]) == (1, live["events"]["next"])
    assert client.get(f"/api/runs/first/live?after={live['events']['next']}").json()["events"]["lines"] == []


def test_a_run_at_work_has_its_phase_under_way(client, runs):
    path = runs / "second" / "status.json"
    before = path.read_text()
    now = {"state": "running", "pid": os.getpid(), "heartbeat_ms": time.time_ns() // 1_000_000, "iteration": 2}
    status = json.loads(before) | now | {"phase": "train", "done": 30, "total": 60, "rate": 10.0, "facts": {"loss_total": 3.5}}
    path.write_text(json.dumps(status))
    live = client.get("/api/runs/second/live").json()
    path.write_text(before)
    assert live["state"] == "running"
    assert live["facts"] == {"steps/s": "10.0", "loss": "3.5000"}
    assert [phase["state"] for phase in live["phases"]] == ["open", "now", "open", "open"]
    assert {key: live["phases"][1][key] for key in ("done", "total", "left")} == {"done": 30, "total": 60, "left": 3.0}


def test_trouble_with_servers_is_told_in_words_as_it_happens(client, runs):
    before = client.get("/api/runs/second/live").json()["events"]["next"]
    head = {"event": "model_reload", "ts_ms": 1, "iteration": 1, "model": "ab" * 32, "address": "unix:///tmp/s"}
    with (runs / "second" / "logs" / "metrics.ndjson").open("a") as file:
        for told in ({"ok": True, "seconds": 0.25}, {"ok": False, "error": "no such file"}):
            file.write(json.dumps(head | told) + "\n")
    good, bad = client.get(f"/api/runs/second/live?after={before}").json()["events"]["lines"]
    assert (good["is_trouble"], "loaded in 0.2 s" in good["words"]) == (False, True)
    assert (bad["is_trouble"], "not loaded, no such file" in bad["words"]) == (True, True)


def test_where_there_is_no_run_the_first_page_is_a_table_to_play_at(tmp_path):
    tables = TableRoom(tmp_path / "games", Opponents({}, None))
    pages = [
        TestClient(make_app(Offer(RunShelf(folder), tables), TOKEN, PORT), HOME, headers=HEADER).get("/api/pages").json()
        for folder in (tmp_path, tmp_path / "missing")
    ]
    assert pages == [{"pages": ["runs", "play"], "home": "play"}] * 2


def test_an_event_that_nobody_knows_is_told_by_its_values(client, runs):
    before = client.get("/api/runs/second/live").json()["events"]["next"]
    with (runs / "second" / "logs" / "metrics.ndjson").open("a") as file:
        file.write(json.dumps({"event": "model_reload", "ts_ms": 1, "iteration": 0, "model": "abc", "ok": True}) + "\n")
    (line,) = client.get(f"/api/runs/second/live?after={before}").json()["events"]["lines"]
    assert (line["title"], line["words"]) == ("network", "model abc, ok True")


def test_a_run_that_goes_on_has_another_version(client, runs, tmp_path):
    before = client.get("/api/runs/second/live").json()["version"]
    copied = runs / "second" / "run.json"
    copied.write_bytes(copied.read_bytes())
    assert client.get("/api/runs/second/live").json()["version"] != before


def test_runs_are_compared_by_the_settings_in_which_they_differ(client, runs):
    found = client.get("/api/compare?run=first&run=second").json()
    assert [run["name"] for run in found["runs"]] == ["first", "second"]
    assert found["differences"] == []
    assert client.get("/api/compare?run=first").status_code == 422


@pytest.mark.parametrize("path", ["nothing", "%2e%2e", "torn", "notes", "first/games/shard_000000/999", "first/games/x/0"])
def test_what_is_no_run_and_no_game_is_refused_in_a_line(client, path):
    answer = client.get(f"/api/runs/{path}")
    assert answer.status_code in (404, 422, 500)
    assert "\n" not in answer.text.strip()


def test_a_recorded_game_is_played_again_with_what_the_search_thought(client):
    files = client.get("/api/runs/first/games").json()["files"]
    assert [files[0][name] for name in ("file", "iteration", "games")] == ["shard_000007", 2, 16]
    game = client.get(f"/api/runs/first/games/shard_000007/{files[0]['first'] + 3}").json()
    assert len(game["boards"]) == len(game["moves"]) + 1
    assert game["boards"][0]["dice"] != [0] * 5
    assert game["boards"][-1]["dice"] == [0] * 5
    marked = [points for _, seat, _, points in game["marks"] if seat == 0]
    bonus = 50 if game["boards"][-1]["upper"][0] >= 63 else 0
    assert len(marked) == 15
    assert sum(marked) + bonus == game["boards"][-1]["total"][0]
    decided = next(move for move in game["moves"] if move["policy"])
    assert decided["policy"][0]["policy"] >= decided["policy"][-1]["policy"] > 0


def test_a_folder_of_runs_is_one(runs, tmp_path, smoke_run):
    assert require_runs(runs).names()
    assert require_runs(tmp_path).names() == []
    for path, part in ((tmp_path / "no", "got nothing"), (smoke_run, "a run itself"), (smoke_run / "run.json", "got a file")):
        with pytest.raises(UsageError, match=part):
            require_runs(path)
    (tmp_path / "other").mkdir()
    with pytest.raises(UsageError, match=r"nothing in it has a run\.json"):
        require_runs(tmp_path)


def test_a_run_that_is_begun_later_is_found(tmp_path, smoke_run):
    shelf = require_runs(tmp_path)
    assert shelf.rows() == []
    shutil.copytree(smoke_run, tmp_path / "late")
    assert [row["name"] for row in shelf.rows()] == ["late"]
