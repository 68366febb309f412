"""`selfplay` writes the shards that a run with the same settings would, and keeps those that are there."""

import shutil

import pytest
import typer
from typer.testing import CliRunner

from playmill.cli import selfplay
from playmill.core.errors import PlaymillError, UsageError
from playmill.games.registry import get_game
from playmill.nets.checkpoint import save_checkpoint
from playmill.pipeline.run import open_run
from playmill.pipeline.selfplay_phase import first_network
from playmill.pipeline.settings import load_settings
from playmill.pipeline.verify import verify_run
from playmill.replay import list_shards, read_meta
from playmill.runs.folder import Manifest, RunFolder, read_manifest
from playmill.runs.marks import Mark
from playmill.runs.watcher import Nobody

pytestmark = pytest.mark.jit
CONFIG = """
game: tictactoe
seed: 5
net: {hidden: 16, blocks: 1}
search: {puct: {budget: 4}}
selfplay: {games: 6, shard_games: 2, lanes: 2}
train: {batch_size: 8, steps_per_iteration: 2}
gate: {games: 4}
"""


@pytest.fixture
def run(tmp_path):
    app = typer.Typer()
    selfplay.register(app)
    config = tmp_path / "config.yaml"
    config.write_text(CONFIG)
    return lambda *words: CliRunner().invoke(app, [str(config), "--out", str(tmp_path / "run"), *words])


def test_missing_shards_are_played_and_others_kept(run, tmp_path):
    assert "6 games" in run().stdout
    shards = list_shards(tmp_path / "run" / "replay")
    assert [read_meta(path).first_game for path in shards] == [0, 2, 4]
    before = [(path.stat().st_ino, path.read_bytes()) for path in shards]
    shards[1].with_suffix(".meta.json").unlink()
    assert "2 games" in run().stdout
    after = [(path.stat().st_ino, path.read_bytes()) for path in shards]
    assert [content for _, content in after] == [content for _, content in before]
    assert (after[0], after[2]) == (before[0], before[2])
    assert "all 6 games had been played before" in run().stdout


def test_a_later_iteration_has_games_of_its_own(run, tmp_path):
    run("--iteration", "2", "--games", "4")
    metas = [read_meta(path) for path in list_shards(tmp_path / "run" / "replay")]
    assert [(meta.iteration, meta.first_game) for meta in metas] == [(2, 8), (2, 10)]


def test_a_run_with_other_settings_is_left_alone(run, tmp_path):
    folder = RunFolder(tmp_path / "run")
    folder.root.mkdir()
    names = {"ruleset": "", "action_space": "", "feature_schema": 1, "seed": 5, "settings_hash": "another"}
    files = {"config.yaml": Mark.of_text("")}
    Manifest(run_id="run", game="tictactoe", files=files, **names).save(folder)
    error = run().exception
    assert isinstance(error, UsageError)
    assert "begun with other settings" in str(error)
    assert list_shards(folder.replay) == []


def test_a_run_counts_the_shards_that_are_played_into_it(run, tmp_path):
    folder = RunFolder(tmp_path / "run")
    with folder.locked():
        open_run(tmp_path / "config.yaml", folder.root, Nobody())
    assert "6 games" in run().stdout
    manifest = read_manifest(folder)
    assert len([name for name in manifest.files if name.startswith("replay/")]) == 6
    assert manifest.best == read_meta(list_shards(folder.replay)[0]).players[0].model
    assert "all 6 games had been played before" in run().stdout
    with folder.locked():
        open_run(tmp_path / "config.yaml", folder.root, Nobody()).run()
    assert read_manifest(folder).iterations[0].selfplay.played == 0
    assert verify_run(folder.root, games=6).problems == []


def test_shards_of_other_games_are_not_kept(run, tmp_path):
    run()
    error = run("--model", str(other_network(tmp_path))).exception
    assert isinstance(error, UsageError)
    assert "models/best.pt, not by these weights" in str(error)
    forget_origin(tmp_path / "run")
    error = run("--model", str(other_network(tmp_path))).exception
    assert isinstance(error, PlaymillError)
    assert "shard_000000.meta.json: players[0].model: expected" in str(error)
    forget_origin(tmp_path / "run")
    path = list_shards(tmp_path / "run" / "replay")[1]
    meta = path.with_suffix(".meta.json")
    meta.write_text(meta.read_text().replace('"first_game": 2', '"first_game": 3'))
    assert "shard_000001.meta.json: first_game: expected 2, got 3; remove the shard" in str(run().exception)


def forget_origin(folder):
    """Leave only the shards."""
    for name in ("selfplay.json", "config.yaml"):
        (folder / name).unlink()
    shutil.rmtree(folder / "models")


def other_network(folder):
    path = folder / "other.pt"
    settings, _ = load_settings(folder / "config.yaml")
    save_checkpoint(path, first_network(get_game("tictactoe"), settings.model_copy(update={"seed": 6})))
    return path


def test_a_run_that_lost_its_manifest_takes_no_games(run, tmp_path):
    folder = RunFolder(tmp_path / "run")
    with folder.locked():
        open_run(tmp_path / "config.yaml", folder.root, Nobody()).run()
    folder.manifest.unlink()
    assert "there is no run.json to say what" in str(run().exception)
