"""`verify` passes what a run wrote, and names whatever was changed afterwards."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from playmill.cli import verify as command
from playmill.pipeline.verify import verify_run
from playmill.replay import ShardOrigin, read_shard, write_shard
from playmill.replay.meta import meta_path
from playmill.runs.folder import RunFolder, read_manifest
from playmill.runs.verification import choose_games

pytestmark = pytest.mark.jit
SHARD = "replay/shard_000002.safetensors"


@pytest.fixture
def run_copy(smoke_run, tmp_path):
    return shutil.copytree(smoke_run, tmp_path / "run")


def rewrite(run, change):
    """Change columns of SHARD and write it anew, with checksums that fit."""
    path = run / SHARD
    data, meta = read_shard(path)
    columns = data.columns()
    change(columns)
    meta_path(path).unlink()
    origin = ShardOrigin(**meta.model_dump(include=set(ShardOrigin.model_fields)))
    write_shard(path.parent, 2, type(data).from_columns(columns), origin)
    folder = RunFolder(run)
    manifest = read_manifest(folder)
    manifest.enter(folder, path, meta_path(path))
    manifest.save(folder)


def test_a_run_as_it_was_written_is_whole(smoke_run):
    report = verify_run(smoke_run, games=10, seed=4)
    assert report.problems == []
    assert (report.shards, report.games, report.replayed, report.searched) == (8, 128, 10, 10)


def test_one_flipped_bit_is_named(run_copy):
    path = run_copy / SHARD
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    problems = verify_run(run_copy, games=0).problems
    assert [problem.file for problem in problems] == [SHARD]
    assert "changed: expected sha256" in problems[0].what


@pytest.mark.parametrize("column", ["state", "targets", "policy_prob"])
def test_a_sample_that_was_not_played_is_named_though_its_checksum_fits(run_copy, column):
    def change(columns):
        columns[column].reshape(-1).view(np.uint8)[0] ^= 1

    rewrite(run_copy, change)
    (problem,) = verify_run(run_copy, games=128).problems
    assert (problem.file, problem.game) == (SHARD, 32)
    assert f"searched again, {column} differs" in problem.what


def test_returns_are_those_of_the_rules(run_copy):
    def change(columns):
        columns["game_returns"][3] = -columns["game_returns"][3]

    rewrite(run_copy, change)
    problems = verify_run(run_copy, games=128).problems
    assert {problem.game for problem in problems} == {35}
    assert "game_returns: expected" in problems[0].what


def test_a_missing_shard_and_a_missing_network_are_named(run_copy):
    meta_path(run_copy / SHARD).unlink()
    networks = [path.name for path in (run_copy / "models" / "history").glob("*.pt")]
    for name in networks:
        (run_copy / "models" / "history" / name).unlink()
    problems = verify_run(run_copy, games=7).problems
    missing = [problem.file for problem in problems if problem.what == "missing"]
    assert sorted(missing) == sorted([*(f"models/history/{name}" for name in networks), str(meta_path(Path(SHARD)))])
    unsearched = [problem for problem in problems if problem.what != "missing"]
    assert all("no such checkpoint" in problem.what for problem in unsearched)
    assert len(unsearched) == 7


def test_the_command_exits_with_1_and_counts(run_copy):
    app = typer.Typer()
    command.register(app)
    (run_copy / SHARD).write_bytes(b"")
    result = CliRunner().invoke(app, [str(run_copy), "--games", "2", "--json"])
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert (report["shards"], report["is_whole"], len(report["problems"])) == (7, False, 1)
    assert report["files"] > 2 * 8


@pytest.mark.parametrize(("counts", "games"), [([16] * 8, 32), ([16] * 8, 3), ([4, 4], 100), ([5], 2), ([], 3)])
def test_games_are_spread_over_the_shards(counts, games):
    chosen = choose_games(counts, games, seed=9)
    sizes = [len(rows) for rows in chosen]
    assert sum(sizes) == min(games, sum(counts))
    assert not sizes or max(sizes) - min(sizes) <= 1
    assert all(
        len(set(rows)) == len(rows) and all(0 <= row < n for row in rows) for rows, n in zip(chosen, counts, strict=True)
    )
