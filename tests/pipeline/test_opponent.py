"""Self-play with an opponent: two players in one recorded game, each with its own network and search."""

from pathlib import Path

import numpy as np
import pytest

from commands import runner
from playmill.cli import selfplay
from playmill.core.errors import PlaymillError
from playmill.games.registry import get_game
from playmill.nets.checkpoint import save_checkpoint
from playmill.pipeline.run import open_run
from playmill.pipeline.selfplay_phase import first_network
from playmill.pipeline.settings import load_settings
from playmill.pipeline.verify import verify_run
from playmill.replay import list_shards, read_meta, read_shard
from playmill.runs.folder import RunFolder, read_manifest
from playmill.runs.watcher import Nobody

pytestmark = pytest.mark.jit
CONFIG = """
game: tictactoe
seed: 5
iterations: 2
net: {hidden: 16, blocks: 1}
search: {puct: {budget: 4}}
selfplay: {games: 12, shard_games: 4, lanes: 3, opponent: {share: 0.5, budget: 16, model: TEACHER}}
train: {batch_size: 8, steps_per_iteration: 2}
gate: {games: 4}
"""


@pytest.fixture
def config(tmp_path):
    path, teacher = tmp_path / "config.yaml", tmp_path / "teacher.pt"
    path.write_text(CONFIG.replace("TEACHER", str(teacher)))
    settings, _ = load_settings(path)
    save_checkpoint(teacher, first_network(get_game("tictactoe"), settings.model_copy(update={"seed": 6})))
    return path


def go_on(config, root):
    with RunFolder(root).locked():
        open_run(config, root, Nobody()).run()


def comes_back(root, number):
    """Whether a shard that is cut short has its bytes again once the run went on."""
    path = list_shards(root / "replay")[number]
    before = path.read_bytes()
    path.write_bytes(before[:100])
    go_on(root / "config.yaml", root)
    return path.read_bytes() == before


def test_both_players_are_named_and_each_row_says_who_decided_it(config, tmp_path):
    go_on(config, tmp_path / "run")
    met = 0
    for path in list_shards(tmp_path / "run" / "replay"):
        data, meta = read_shard(path)
        best, teacher = meta.players
        assert (best.name, teacher.name) == ("best", "opponent")
        assert best.model != teacher.model
        assert (best.search["puct"]["budget"], teacher.search["puct"]["budget"]) == (4, 16)
        for number in data.games.game_number.tolist():
            player = data.samples.player[data.samples.game == number]
            if player.any():
                met += 1
                # Tic-tac-toe's seats move in turn, and the best's seat is the game's number, odd or even.
                assert player.tolist() == [(ply + number) % 2 for ply in range(player.size)]
    assert 6 <= met <= 18  # of 24 games, a half


def test_such_games_are_searched_again_and_a_lost_shard_comes_back_without_the_teachers_file(config, tmp_path):
    root = tmp_path / "run"
    go_on(config, root)
    (tmp_path / "teacher.pt").unlink()
    report = verify_run(root, games=24)
    assert (report.problems, report.searched) == ([], 24)
    assert comes_back(root, 4)


def test_the_teachers_network_is_the_runs_own_from_the_first_games_on(config, tmp_path):
    root = tmp_path / "run"
    go_on(config, root)
    kept = read_manifest(RunFolder(root)).iterations[0].selfplay.opponent.model
    assert (root / "models" / "history" / f"{kept}.pt").exists()
    assert {read_meta(path).players[1].model for path in list_shards(root / "replay")} == {kept}


def test_an_opponent_can_be_asked_for_on_the_command_line(config, tmp_path):
    config.write_text(CONFIG.replace(", opponent: {share: 0.5, budget: 16, model: TEACHER}", ""))
    words = [
        "--set",
        "selfplay.opponent.share=1",
        "--set",
        f"selfplay.opponent.model={tmp_path / 'teacher.pt'}",
    ]
    said = runner(selfplay)(config, "--out", tmp_path / "run", *words)
    data, meta = read_shard(list_shards(tmp_path / "run" / "replay")[0])
    assert all(player.model[:8] in said for player in meta.players)
    assert np.bincount(data.samples.player).min() > 5


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("teacher.pt", "nobody.pt", "nobody.pt: no such checkpoint"),
        (
            "search: {puct: {budget: 4}}",
            "search: {kind: one_ply}",
            "selfplay.opponent.budget: a search of the kind one_ply",
        ),
        ("share: 0.5", "share: 1.5", "selfplay.opponent.share: expected at most 1"),
    ],
)
def test_an_opponent_that_cannot_play_is_refused_before_a_folder_is_made(config, tmp_path, old, new, words):
    config.write_text(config.read_text().replace(old, new))
    with pytest.raises(PlaymillError, match=words):
        runner(selfplay)(config, "--out", tmp_path / "run")
    assert not Path(tmp_path / "run").exists()
