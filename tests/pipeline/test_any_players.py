"""`playmill run` on games of three players, of any sum, and with a network that tells win, draw and loss."""

import json
from dataclasses import replace

import numpy as np
import pytest

from commands import runner
from playmill.cli import explore, run
from playmill.core.errors import UsageError
from playmill.core.events import read_events
from playmill.games.heads import HEADS
from playmill.games.many import encode_all
from playmill.games.registry import get_game
from playmill.nets.checkpoint import load_checkpoint
from playmill.nets.evaluators import open_evaluator
from playmill.pipeline.verify import verify_run
from playmill.replay import list_shards, read_shard
from toy_games import DRAW

CONFIG = """
game: {game}
seed: 3
iterations: 2
workers: 2
net: {{hidden: 16, blocks: 1, value: {value}}}
search: {{puct: {{budget: {budget}}}}}
selfplay: {{games: 120, shard_games: 60, lanes: 30}}
train: {{batch_size: 64, steps_per_iteration: 60, warmup: 2, lr: 0.01, bootstrap: {bootstrap}}}
gate: {{games: 12, threshold: 0.0001, opening_plies: 1}}
"""

runs = runner(run)


def train(folder, game, value, budget=8, bootstrap=0.0):
    """A run of two iterations, by the ordinary command; returns its folder."""
    config, out = folder / "config.yaml", folder / "run"
    config.write_text(CONFIG.format(game=game, value=value, budget=budget, bootstrap=bootstrap))
    runs(config, "--out", out)
    assert verify_run(out, games=6).problems == []
    return out


def answers(folder, game, features):
    """What the run's best network tells of positions, [n, columns]."""
    evaluator = open_evaluator(folder / "models" / "best.pt", "torch", game=game)
    values = np.empty((len(features), evaluator.columns), np.float32)
    evaluator.evaluate_values(features, values)
    return values


def test_a_game_of_three_players_is_trained_and_gated(tmp_path):
    out, game = train(tmp_path, "toy_games:MARCH", "utilities", budget=40), get_game("toy_games:MARCH")
    data, meta = read_shard(list_shards(out / "replay")[-1], game)
    assert meta.target_names == ("z", "z_1", "z_2", "q", "q_1", "q_2")
    targets = dict(zip(meta.target_names, data.samples.targets.T, strict=True))
    for row, ply in enumerate(data.samples.ply.tolist()):
        returns = data.games.game_returns[data.samples.game[row] - meta.first_game]
        seen = [targets[name][row] for name in ("z", "z_1", "z_2")]
        assert seen == pytest.approx(np.roll(returns, -ply)), "counted from the mover"
    gate = json.loads((out / "gate_report.json").read_text())
    assert gate["games"] == 12
    # What the network tells of each player after 1, 1 is what came of it.
    records = data.samples.records(game)
    rows = (records["ply"] == 2) & (records["first"] == 1) & (records["second"] == 1)
    came = [targets[name][rows].mean() for name in ("z", "z_1", "z_2")]
    assert answers(out, game, game.new().apply(1).apply(1).features()[None])[0] == pytest.approx(came, abs=0.3)


@pytest.mark.parametrize(("value", "bootstrap"), [("utilities", 0.5), ("wdl", 0.5)])
def test_a_draw_that_costs_both_is_learned_as_a_cost_to_both(tmp_path, value, bootstrap):
    out, game = train(tmp_path, "toy_games:DUEL", value, budget=24, bootstrap=bootstrap), get_game("toy_games:DUEL")
    data, meta = read_shard(list_shards(out / "replay")[-1], game)
    targets = dict(zip(meta.target_names, data.samples.targets.T, strict=True))
    is_draw = targets["z"] == DRAW
    assert is_draw.any()
    assert (targets["z_1"][is_draw] == DRAW).all()
    # Player 0 loses unless it makes the draw, so that most games are one: both sides have learned to expect its cost.
    told = answers(out, game, game.new().features()[None])[0]
    utilities = told if value == "utilities" else [told @ [1, DRAW, -1], told @ [-1, DRAW, 1]]
    came = [targets[name][data.samples.ply == 0].mean() for name in ("z", "z_1")]
    assert max(came) < 0
    assert utilities == pytest.approx(came, abs=0.25)
    if value == "wdl":
        assert told.sum() == pytest.approx(1)
        assert told.argmax() == 1


def test_a_network_of_win_draw_and_loss_learns_and_searches(tmp_path):
    out, game = train(tmp_path, "tictactoe", "wdl", budget=24), get_game("tictactoe")
    assert load_checkpoint(out / "models" / "best.pt", game).meta.heads == ("wdl",)
    data, meta = read_shard(list_shards(out / "replay")[-1], game)
    z = data.samples.targets[:, meta.target_names.index("z")]
    features = np.empty((len(z), game.feature_count), np.float32)
    encode_all(game, data.samples.records(game), features)
    told = answers(out, game, features)
    assert told.sum(axis=1) == pytest.approx(np.ones(len(z)), abs=1e-5)
    won, lost = told[z == 1].mean(axis=0), told[z == -1].mean(axis=0)
    assert won[0] > lost[0] + 0.1
    assert lost[2] > won[2] + 0.1
    seen = json.loads(runner(explore)("tictactoe", "--model", out / "models" / "best.pt", "--json", "--actions", "0,3,1,4"))
    assert seen["actions"][0]["action"] == 2


def test_a_head_that_was_entered_in_the_table_needs_no_more_to_be_taught(tmp_path, monkeypatch):
    def decided(told):
        return np.abs(told.utilities[:, 0])

    own = {"name": "decided", "part": "decided", "weight": 2.0, "worth": lambda game, aim: np.zeros((game.players, 1))}
    monkeypatch.setitem(HEADS, "decided", replace(HEADS["margin"], outcome=lambda game: {"z_decided": decided}, **own))
    out, game = train(tmp_path, "tictactoe", "win, more_heads: decided"), get_game("tictactoe")
    assert load_checkpoint(out / "models" / "best.pt", game).meta.heads == ("win", "decided")
    data, meta = read_shard(list_shards(out / "replay")[-1], game)
    targets = dict(zip(meta.target_names, data.samples.targets.T, strict=True))
    assert (targets["z_decided"] == np.abs(targets["z"])).all()
    steps = [event for event in read_events(out / "logs" / "metrics.ndjson") if event["event"] == "train_step"]
    assert steps[-1]["loss_decided"] < steps[0]["loss_decided"]
    assert steps[0]["loss_total"] > steps[0]["loss_policy"] + steps[0]["loss_value"]


def test_a_network_that_can_not_serve_the_game_is_refused_before_anything_is_played(tmp_path):
    config = tmp_path / "config.yaml"
    config.write_text(CONFIG.format(game="toy_games:MARCH", value="win", budget=8, bootstrap=0))
    with pytest.raises(UsageError, match=r"config.yaml: net: the head 'win' .* use value: utilities; march has 3 players"):
        runs(config, "--out", tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.jit
@pytest.mark.parametrize(
    ("name", "message"), [("SPILLING_OUTCOME", "wrote more than 2 numbers"), ("HALF", "must give 2 finite numbers")]
)
def test_a_game_whose_utilities_have_the_wrong_length_is_refused_before_anything_is_played(tmp_path, name, message):
    config = tmp_path / "config.yaml"
    config.write_text(CONFIG.format(game=f"broken_games:{name}", value="win", budget=8, bootstrap=0))
    with pytest.raises(UsageError, match=rf"config.yaml: .* broken promise 'outcome fills the scores': .* {message}"):
        runs(config, "--out", tmp_path / "run")
    assert not (tmp_path / "run").exists()
