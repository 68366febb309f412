"""`selfplay` writes the shards that a run with the same settings would, and keeps those that are there."""

import pytest
import typer
from typer.testing import CliRunner

from playmill.cli import selfplay
from playmill.core.errors import UsageError
from playmill.pipeline.folder import Manifest, RunFolder
from playmill.replay import list_shards, read_meta

pytestmark = pytest.mark.jit
CONFIG = """
game: tictactoe
seed: 5
net: {hidden: 16, blocks: 1}
search: {puct: {budget: 4}}
selfplay: {games: 6, shard_games: 2, slots: 2}
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
    Manifest(run_id="run", game="tictactoe", **names).save(folder)
    error = run().exception
    assert isinstance(error, UsageError)
    assert "begun with other settings" in str(error)
    assert list_shards(folder.replay) == []
