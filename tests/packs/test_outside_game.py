"""A game outside the package, with its own head, bot and measure, goes through the ordinary commands."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from commands import runner
from packs.installing import install_example, newly_installed
from playmill.cli import arena, config, explore, measure, report, run, verify
from playmill.core.errors import UsageError
from playmill.games.heads import target_columns
from playmill.nets.checkpoint import load_checkpoint
from playmill.nets.evaluators import open_evaluator
from playmill.packs.registry import find_game
from playmill.pipeline.settings import load_settings
from playmill.replay import list_shards, read_shard
from playmill.runs.folder import find_run

SMALL = (
    "iterations=2", "workers=2", "net.hidden=16", "net.blocks=1", "net.stones_mlp.moves_width=48", "search.puct.budget=8",
    "selfplay.games=40",
    "selfplay.shard_games=20", "selfplay.lanes=20", "train.batch_size=64", "train.steps_per_iteration=100",
    "train.warmup=2", "train.lr=0.01", "train.log_steps=10",
    "gate.games=8", "measure.games=20",
)  # fmt: skip


@pytest.fixture(scope="module")
def stones(tmp_path_factory):
    """The folder of a run that was begun with the settings that `playmill config stones` prints."""
    folder = tmp_path_factory.mktemp("stones")
    with newly_installed():
        install_example("stones", folder)
        (folder / "stones.yaml").write_text(runner(config)("stones"))
        runner(run)(folder / "stones.yaml", "--out", folder / "run", *(word for one in SMALL for word in ("--set", one)))
        yield folder / "run"


def test_its_head_is_learned_from_how_many_moves_were_left(stones):
    game = find_game("stones")
    assert load_checkpoint(stones / "models" / "best.pt", game).meta.heads == ("win", "moves_left")
    path = list_shards(stones / "replay")[0]
    samples, games = (table := read_shard(path, game)[0]).samples, table.games
    column = list(target_columns(game)).index("moves_left")
    plies = games.game_plies[np.searchsorted(games.game_number, samples.game)]
    assert np.allclose(10 * samples.targets[:, column], plies - samples.ply)
    loss = find_run(stones)[1].iterations[-1].train.losses["moves_left"]
    assert loss < samples.targets[:, column].var() / 2  # which a network that always says the same could not reach


def test_its_network_kind_has_a_section_of_settings(stones):
    assert "\n  stones_mlp:\n" in runner(config)("stones")
    best = load_checkpoint(stones / "models" / "best.pt", game := find_game("stones"))
    assert best.weights["moves_hidden.weight"].shape == (48, 16)
    features, logits, values = np.tri(21, dtype=np.float32), np.empty((21, 3), np.float32), np.empty((2, 21, 2), np.float32)
    for backend, answers in zip(("torch", "ort"), values, strict=True):
        open_evaluator(stones / "models" / "best.pt", backend, game=game).evaluate(features, logits, answers)
    assert np.allclose(values[0], values[1], atol=1e-5)
    with pytest.raises(UsageError, match=r"unknown setting 'net.moves_width'; did you mean 'net.stones_mlp.moves_width'\?"):
        load_settings(stones.parent / "stones.yaml", ["net.moves_width=32"])


def test_its_measure_stands_in_manifest_and_report(stones):
    _, manifest = find_run(stones)
    for entry in manifest.iterations:
        fields = entry.measure.results["mistakes"]["best"]
        assert 0 <= fields["mistakes"] <= fields["chances"]
    runner(report)(stones)
    page = (stones / "report.html").read_text()
    assert "<h2>Mistakes</h2>" in page
    assert "of won positions given away" in page
    assert "<th>mistakes</th>" in page


def test_its_network_is_measured_by_the_ordinary_command(stones):
    best = stones / "models" / "best.pt"
    words = ("measure", "stones", "--model", best, "--model", "perfect", "--games", 20, "--simulations", 8)
    results = json.loads(runner(measure)(*words, "--json"))["results"]["mistakes"]
    assert results["perfect"]["mistakes"] == 0 < results["perfect"]["chances"]
    assert results[str(best)]["chances"] > 0
    assert "perfect: 0 of " in runner(measure)(*words)
    with pytest.raises(UsageError, match="games: expected an even number of at least 4"):
        runner(measure)("measure", "stones", "--games", 1)


def test_its_bot_can_be_played_and_its_run_verified(stones):
    best = stones / "models" / "best.pt"
    shown = runner(arena)("gate", "stones", "--candidate", best, "--best", "perfect", "--games", 8, "--simulations", 8)
    assert "against perfect" in shown
    assert "21 stones" in runner(explore)("stones", "--model", best, "--simulations", 8)
    assert "4 of 80 games, played and searched again, are the same" in runner(verify)(stones, "--games", 4)


def test_other_games_neither_see_its_head_nor_take_its_network(stones, tmp_path):
    assert "moves_left" not in target_columns(find_game("tictactoe"))
    other = tmp_path / "other.yaml"
    other.write_text("game: tictactoe\nnet: {kind: stones_mlp}\n")
    with pytest.raises(UsageError, match="stones_mlp is for stones, not for tictactoe; use conv"):
        runner(run)(other, "--out", tmp_path / "run")


def test_a_run_whose_pack_is_not_installed_names_it_and_the_way_out(stones, tmp_path):
    shutil.copytree(stones, tmp_path / "run")
    without = [place for place in sys.path if not (Path(place) / "stones").is_dir()]
    line = r"run: the run needs the pack of stones that the package stones 0 brings, and it is not installed here; install it"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", without)
        for command, words in ((report, ()), (verify, ()), (run, ("--out", tmp_path / "run"))):
            first = tmp_path / "run" / "config.yaml" if words else tmp_path / "run"
            with pytest.raises(UsageError, match=line):
                runner(command)(first, *words)
