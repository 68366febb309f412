"""`selfplay`, `train` and `gate` take a run's whole settings and do what the run does; a folder alone repeats its games."""

import json
import shutil

import pytest
from typer.testing import CliRunner

from playmill.cli.app import app
from playmill.core.errors import UsageError
from playmill.core.events import read_events
from playmill.nets.checkpoint import load_checkpoint
from playmill.pipeline.run import open_run
from playmill.runs.folder import RunFolder, read_manifest
from playmill.runs.watcher import Nobody

pytestmark = pytest.mark.jit
CONFIG = """
game: tictactoe
seed: 5
iterations: 2
workers: 1
net: {hidden: 16, blocks: 1}
search: {puct: {budget: 4}}
selfplay: {games: 6, shard_games: 2, lanes: 2}
train: {batch_size: 8, steps_per_iteration: 3, lr: 0.01, lr_final: 0.001}
gate: {games: 4, threshold: 0.9, temperature: 0.5}
"""


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A finished run, and its file of settings."""
    root = tmp_path_factory.mktemp("configured")
    config = root / "settings.yaml"
    config.write_text(CONFIG)
    folder = RunFolder(root / "run")
    with folder.locked():
        open_run(config, folder.root, Nobody()).run()
    return config, folder


def call(*words):
    return CliRunner().invoke(app, [*map(str, words)])


def told(*words):
    result = call(*words, "--json")
    assert result.exception is None, result.exception
    return json.loads(result.stdout)


def files(folder, name):
    return {path.name: path.read_bytes() for path in sorted((folder / name).iterdir()) if path.is_file()}


def test_a_folder_of_selfplay_alone_repeats_it(done, tmp_path):
    config, _ = done
    told("selfplay", config, "--out", tmp_path / "first", "--games", 4)
    first = tmp_path / "first"
    assert {path.name for path in first.iterdir()} >= {"config.yaml", "selfplay.json", "models", "replay"}
    told("selfplay", first / "config.yaml", "--model", first / "models" / "best.pt", "--out", tmp_path / "again")
    assert len(files(first, "replay")) == 4
    assert files(first, "replay") == files(tmp_path / "again", "replay")
    assert files(first, "models") == files(tmp_path / "again", "models")
    shutil.rmtree(first / "replay")
    assert told("selfplay", first / "config.yaml", "--out", first)["played"] == 4
    assert files(first, "replay") == files(tmp_path / "again", "replay")


def test_a_folder_of_selfplay_takes_no_other_settings_and_no_other_network(done, tmp_path):
    config, folder = done
    told("selfplay", config, "--out", tmp_path / "games")
    with pytest.raises(UsageError, match=r"its games have other settings; go on with its own"):
        raise call("selfplay", config, "--out", tmp_path / "games", "--set", "search.puct.budget=5").exception
    with pytest.raises(UsageError, match=r"played by .*best\.pt, not by these weights"):
        raise call("selfplay", config, "--out", tmp_path / "games", "--model", folder.candidate).exception
    for name in ("selfplay.json", "config.yaml"):  # a kill came before them
        (tmp_path / "games" / name).unlink()
    with pytest.raises(UsageError, match=r"played by .*best\.pt, not by these weights"):
        raise call("selfplay", config, "--out", tmp_path / "games", "--model", folder.candidate).exception


def test_a_note_of_another_version_is_refused_by_name(done, tmp_path):
    config, _ = done
    told("selfplay", config, "--out", tmp_path / "games")
    note = tmp_path / "games" / "selfplay.json"
    note.write_text(note.read_text().replace('"version": 1', '"version": 7'))
    assert "selfplay.json: version: expected 1, got 7" in str(call("selfplay", config, "--out", tmp_path / "games").exception)


def test_training_by_a_runs_settings_gives_the_runs_candidate(done, tmp_path):
    config, folder = done
    manifest = read_manifest(folder)
    words = ("--replay", folder.replay, "--best", folder.best, "--out", tmp_path, "--iteration", 1)
    report = told("train", config, *words)
    assert report["weights_sha256"] == manifest.iterations[1].train.weights_sha256
    made = load_checkpoint(tmp_path / "candidate.pt").meta
    assert (made.config_hash, made.iteration) == (manifest.settings_hash, 1)
    events = list(read_events(tmp_path / "metrics.ndjson"))
    assert {event["config_hash"] for event in events} == {manifest.settings_hash}
    assert {event["run_id"] for event in events} == {tmp_path.name}


def test_a_gate_by_a_runs_settings_has_them(done):
    config, folder = done
    report = told("gate", config, "--best", folder.best, "--candidate", folder.candidate)
    assert (report["settings"]["games"], report["settings"]["threshold"], report["settings"]["temperature"]) == (4, 0.9, 0.5)
    changed = told("gate", config, "--best", folder.best, "--candidate", folder.candidate, "--set", "gate.games=6")
    assert changed["settings"]["games"] == 6
    assert told("gate", config, "--best", "random", "--candidate", folder.best)["games"] == 4


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("train", "CONFIG", "--lr", "0.1"), "--lr: the file of settings says it; change it there, or with --set train.lr="),
        (
            ("gate", "CONFIG", "--games", "8"),
            "--games: the file of settings says it; change it there, or with --set gate.games=",
        ),
        (("gate", "tictactoe", "--set", "gate.games=8"), "--set: changes a file of settings; name one in place of the game"),
        (("train", "tictactoe", "--set", "train.lr=1"), "--set: changes a file of settings; name one in place of the game"),
        (("gate", "CONFIG", "--set", "gate.temperature=-1"), "gate.temperature: expected"),
        (("gate", "tictactoe", "--search", "policy", "--temperature", "1"), "the bare policy plays its most likely action"),
    ],
)
def test_what_two_places_would_say_is_refused(done, tmp_path, words, line):
    config, folder = done
    words = [str(config) if word == "CONFIG" else word for word in words]
    ends = {
        "train": ("--replay", folder.replay, "--best", folder.best, "--out", tmp_path / "out"),
        "gate": ("--best", folder.best, "--candidate", folder.candidate),
    }
    error = call(*words, *ends[words[0]]).exception
    assert isinstance(error, UsageError)
    assert line in str(error)


def test_drawn_moves_make_other_games(done):
    config, folder = done
    words = (
        "gate",
        config,
        "--best",
        folder.best,
        "--candidate",
        folder.best,
        "--set",
        "gate.games=40",
        "--set",
        "gate.keep_seeds=true",
    )
    cold, warm = (told(*words, "--set", f"gate.temperature={heat}") for heat in (0, 5))
    assert cold["win_rate"] == 0.5
    assert warm["distinct_games"] > cold["distinct_games"]
    assert warm["seeds"] == told(*words, "--set", "gate.temperature=5", "--workers", "2")["seeds"]
