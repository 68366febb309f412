"""`playmill tune`, `doctor`: what is measured, what is kept, and what is written."""

import json

import pytest

from cli.invoking import assert_refused, invoke
from playmill.bench import tuning
from playmill.bench.inventory import take_inventory
from playmill.bench.tuning import Tuned, Tuner, bottleneck, steady_ratio
from playmill.bench.tuning_games import Variant
from playmill.pipeline.checks import check_run
from playmill.pipeline.settings import load_settings

TINY = """
# A comment that people wrote.
game: tictactoe
net: {kind: mlp, hidden: 16, blocks: 1}
search: {kind: puct, puct: {budget: 4}}
selfplay: {games: 16, shard_games: 8, lanes: 4}
train: {batch_size: 16, steps_per_iteration: 2}
gate: {games: 4}
"""


@pytest.fixture
def config(tmp_path):
    (tmp_path / "tiny.yaml").write_text(TINY)
    return tmp_path / "tiny.yaml"


@pytest.mark.jit
def test_tune_writes_settings_that_a_run_takes_and_that_are_at_least_as_fast(config):
    ended = invoke(["tune", config, "--seconds", "4", "--json"], config.parent)
    assert ended.code == 0, ended
    told = json.loads(ended.out)
    assert told["ratio"] >= 1.0
    settings, text = load_settings(config.with_suffix(".tuned.yaml"))
    assert text.startswith("# ")
    assert "Bottleneck: " in text
    for change in told["changes"]:
        key, _, value = change.partition("=")
        found = settings
        for name in key.split("."):
            found = getattr(found, name)
        assert str(found) == value
    assert settings.search == load_settings(config)[0].search
    assert_refused(invoke(["tune", config, "--seconds", "4"], config.parent), (2,))


def tuner(config, told=None):
    settings, _, game = check_run(config)
    return Tuner(settings, game, 1.0, (told if told is not None else []).append)


def test_what_is_not_clearly_faster_stays(config, monkeypatch):
    made = tuner(config)
    ways = [Variant(lanes, "ort", 1) for lanes in (1, 4, 16)]
    monkeypatch.setattr(Tuner, "_games", lambda self, way: way)
    monkeypatch.setattr(tuning, "_rates", lambda works, seconds: {way: {1: 90, 4: 100, 16: 102}[way.lanes] for way in works})
    assert made._choose("lanes", ways).lanes == 4
    monkeypatch.setattr(tuning, "_rates", lambda works, seconds: {way: {1: 90, 4: 100, 16: 104}[way.lanes] for way in works})
    assert made._choose("lanes", ways).lanes == 16


def test_one_lucky_turn_is_not_clearly_faster():
    assert steady_ratio([1.05, 1.06, 1.04, 0.99]) == pytest.approx(1.045)
    assert steady_ratio([1.5, 1.4, 0.95, 0.9]) == 1.0
    assert steady_ratio([0.9, 0.95, 0.8]) == 0.9


def test_threads_are_left_alone_on_a_busy_machine(config, monkeypatch):
    class Starved:
        cores_used = 0.3

    told = []
    monkeypatch.setattr(Tuner, "_games", lambda self, way: Starved())
    monkeypatch.setattr(tuning, "_rates", lambda works, seconds: {})
    assert tuner(config, told)._with_workers(Variant(4, "ort", 1)).workers == 1
    assert "quiet machine" in told[0]


def test_the_bottleneck_is_named_in_words():
    way = Variant(4, "ort", 1)
    tuned = Tuned(way, way, 1.0, 10.0, 10.0, 1, 1, 5.0, 5.0, network_share=0.9, batch_rows=64, selfplay_share=0.8)
    assert "network answers for 90%" in bottleneck(tuned)
    assert "rules and trees take 80%" in bottleneck(Tuned(**{**vars(tuned), "network_share": 0.2}))
    assert "training takes about 75%" in bottleneck(Tuned(**{**vars(tuned), "selfplay_share": 0.25}))


def test_the_doctor_names_everything_and_how_to_get_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("playmill.bench.inventory.is_installed", lambda package: package != "zmq")
    found = {finding.name: finding for finding in take_inventory()}
    assert {"cores", "instruction sets", "memory", "CUDA", "nets", "KataGo", "PostgreSQL", "browser", "Prometheus"} <= set(
        found
    )
    assert found["serve"].remedy == "pip install -c constraints.txt 'playmill[serve]'"
    assert found["serve"].found == "without zmq"
    assert "chromium" in found["browser"].remedy
    assert all(finding.remedy is None for finding in found.values() if finding.is_there)


def test_the_doctors_json_has_the_same_findings(tmp_path):
    told = json.loads(invoke(["doctor", "--json"], tmp_path).out)["findings"]
    assert [row["name"] for row in told] == [finding.name for finding in take_inventory()]
    assert "cores" in invoke(["doctor"], tmp_path).out
