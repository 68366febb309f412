"""Where systems of this kind go wrong: gates, kings that die, dice, draws that cost both, seeds.

Each docstring says which defect was put back by hand to see the test fail.
"""

import shutil
from pathlib import Path

import numpy as np
import pytest

from commands import runner
from exchange_positions import at, number, play
from playmill.arena.entrants import find_bot
from playmill.arena.gate import gate_seeds, run_gate
from playmill.arena.standing import scores_of
from playmill.cli import run
from playmill.core.evaluation import LocalEvaluator
from playmill.games.exchange.move_text import move_text, read_move
from playmill.games.exchange.rules import EXCHANGE
from playmill.nets.checkpoint import load_checkpoint
from playmill.nets.pretrained import model_path
from playmill.packs.registry import find_game, find_pack
from playmill.pipeline import phases
from playmill.pipeline.settings import load_settings
from playmill.play.bots import RandomBot
from playmill.replay.meta import ShardOrigin
from playmill.runs.entries import TrainEntry
from playmill.runs.folder import RunFolder, read_manifest
from playmill.search.decisions import finish
from playmill.search.lockstep import PuctSearch
from playmill.search.one_ply import OnePlySearch
from playmill.search.one_ply_settings import OnePlySettings
from playmill.search.settings import PuctSettings
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.shards import games_of_run, play_shard

DRAW = -0.5
TINY = Path(__file__).parents[3] / "configs" / "exchange_tiny.yaml"
SETTINGS = SelfPlaySettings(lanes=40, games=40)


class Opinion(LocalEvaluator):
    """Sure of one thing in all positions: what the one to move, and the other, will get."""

    heads = ("utilities",)
    columns = 2

    def __init__(self, own, other):
        self.row = [own, other]

    def evaluate(self, features, logits, values):
        logits[:] = 0
        self.evaluate_values(features, values)

    def evaluate_values(self, features, values):
        values[:] = self.row


def make(kind, evaluator, budget=400):
    if kind == "one_ply":
        return OnePlySearch(EXCHANGE, OnePlySettings(), evaluator, 1)
    return PuctSearch(EXCHANGE, PuctSettings(budget=budget, selection=kind), evaluator, 1)


def look(search, state):
    records = np.array([state.record], EXCHANGE.state)
    return finish(search.search(np.arange(1), records, np.array([9], np.uint64), False))


def value_of(found, state, text):
    return float(found.values[0, found.actions[0].tolist().index(read_move(state, text))])


def attack_on(state, square):
    """The text of the move by which the queen hits a square from where it stands."""
    texts = [move_text(action) for action in state.legal_actions]
    hits = [
        text
        for text in texts
        if text.startswith("d5") and text.endswith(square) and play(state, text).record.piece[number("d5")]
    ]
    return min(hits, key=len)


@pytest.mark.parametrize("kind", ["one_ply", "puct", "gumbel"])
def test_a_king_that_dies_is_a_win_whatever_the_network_thinks(kind):
    """Put back and seen to fail: a tree, or one ply, that never asks whether the game is over."""
    # A queen hits for 3 and a die, and the king has 4 left; the network gives the one to move everything.
    state = at("8/8/8/3Q1k(4)2/8/8/8/K7 w")
    found = look(make(kind, Opinion(0.9, -0.9)), state)
    best = int(found.policy[0].argmax())
    after = play(state, move_text(found.actions[0, best]))
    assert (after.is_over, after.returns) == (True, (1.0, -1.0))
    assert found.values[0, best] == 1.0
    assert found.value[0, 0] > 0.5  # without it everything is worth -0.9
    assert found.value[0, 1] < -0.5


def test_all_faces_of_the_die_count_in_one_ply():
    """Put back and seen to fail: children that are never taken for the end."""
    # Of six left, the king dies with the faces 3 to 6; after the others Black is to move, and has all but lost.
    state = at("8/8/8/3Q1k(6)2/8/8/8/K7 w")
    found = look(make("one_ply", Opinion(-0.9, 0.9)), state)
    assert value_of(found, state, attack_on(state, "f5")) == pytest.approx(4 / 6 * 1 + 2 / 6 * 0.9)
    assert found.value[0] == pytest.approx([4 / 6 * 1 + 2 / 6 * 0.9, -4 / 6 * 1 - 2 / 6 * 0.9])


def test_a_tree_keeps_a_child_for_each_face_of_the_die():
    """Put back and seen to fail: an edge that keeps its first child; one chance word for all events of a search."""
    state = at("8/8/8/3Q1k2/8/8/8/K7 w")
    search = make("puct", Opinion(-0.9, 0.9), budget=4000)
    found = look(search, state)
    action, trees = read_move(state, attack_on(state, "f5")), search.trees
    root = trees.nodes[0, 0]
    choices = trees.choices[0, root.first_choice : root.first_choice + root.choice_count]
    edge = int(choices["edge"][choices["action"] == action][0])
    nodes = trees.nodes[0, : trees.cursors[0].nodes]
    children = np.flatnonzero(nodes["parent"] == edge)
    assert found.visits[0, found.actions[0].tolist().index(action)] > 30
    left = {int(trees.states[0, child]["hp"][number("f5")]) for child in children}
    assert left == {25 - 3 - die for die in range(1, 7)}


@pytest.mark.parametrize("kind", ["one_ply", "puct", "gumbel"])
def test_a_draw_costs_both_in_values_and_backups(kind):
    """Put back and seen to fail: a draw that the rules make +0.5 for Black."""
    # The last turn: whatever Black plays, the game is drawn.
    state = at("k7/8/8/8/8/8/8/K6R b 00 299 0 -")
    found = look(make(kind, Opinion(-1.0, 1.0)), state)
    assert all(play(state, move_text(action)).returns == (DRAW, DRAW) for action in state.legal_actions)
    known = found.values[0, : found.count[0]]
    assert known[np.isfinite(known)].tolist() == [DRAW] * np.isfinite(known).sum()
    if kind == "one_ply":
        assert found.value[0].tolist() == [DRAW, DRAW]
    else:  # the root's own evaluation counts as one simulation
        assert found.value[0] == pytest.approx([DRAW, DRAW], abs=2 / 400)


@pytest.mark.parametrize("kind", ["one_ply", "puct", "gumbel"])
def test_a_third_repetition_is_seen_as_the_game_sees_it(kind):
    # Black can have the first position for the second or for the third time.
    first = ["g1f3", "g8f6", "f3g1"]
    twice, thrice = play(EXCHANGE.new(0), *first), play(EXCHANGE.new(0), *first, "f6g8", *first)
    seen = [value_of(look(make(kind, Opinion(0.9, -0.9)), state), state, "f6g8") for state in (twice, thrice)]
    assert seen[0] != DRAW
    assert seen[1] == DRAW


@pytest.mark.parametrize(("names", "promotes"), [(("greedy", "random"), True), (("random", "greedy"), False)])
def test_a_gate_can_promote(names, promotes):
    """Put back and seen to fail: a threshold in per cent beside a win rate that is a share; wins counted of twice the games."""
    bots = find_pack("exchange").bots
    candidate, best = (find_bot(name, EXCHANGE, bots=bots) for name in names)
    settings = load_settings(TINY)[0].gate
    report = run_gate(EXCHANGE, candidate, best, settings, gate_seeds(settings, 4))
    assert (report.games, report.promote) == (50, promotes)


@pytest.mark.jit
def test_what_beats_the_best_of_a_run_becomes_its_best(tmp_path, monkeypatch):
    """Put back and seen to fail: a gate between the best and itself; a promotion that leaves the best where it was."""
    game, strong = find_game("exchange"), model_path("exchange-tiny")  # with what its pack brings, such as the network's head
    weights = load_checkpoint(strong, game).meta.weights_sha256

    def train(job, metrics, watcher):
        shutil.copyfile(strong, job.candidate)
        names = tuple(path.name for path in job.shards)
        return TrainEntry(
            steps=0, samples=0, snapshot=names, snapshot_hash="", weights_sha256=weights, samples_s=0, losses={"total": 0.0}
        )

    monkeypatch.setattr(phases, "train_candidate", train)
    settings = ("search.kind=one_ply", "backend=ort", "selfplay.bootstrap.games=2", "gate.games=4", "measure.games=0")
    words = [word for setting in settings for word in ("--set", setting)]
    runner(run)("exchange", "--preset", "tiny", "--iterations", "1", *words, "--out", tmp_path / "run")
    folder = RunFolder(tmp_path / "run")
    manifest = read_manifest(folder)
    assert (manifest.iterations[0].gate.wins, manifest.iterations[0].gate.promote) == (4, True)
    assert manifest.best == load_checkpoint(folder.best, game).meta.weights_sha256 == weights


def test_a_draw_is_half_a_win_in_a_gate():
    """Put back and seen to fail: a draw scores its utility, so that a better network with many draws never passes."""
    returns, first = np.array([[1.0, -1.0], [DRAW, DRAW], [-1.0, 1.0]]), np.array([[True, False]] * 3)
    assert scores_of(returns, first).tolist() == [1.0, 0.5, 0.0]
    assert scores_of(returns, ~first).tolist() == [0.0, 0.5, 1.0]


def shard(seed):
    return play_shard(EXCHANGE, [RandomBot(EXCHANGE)], SETTINGS, games_of_run(EXCHANGE, SETTINGS, seed, 0, 40), 40)


@pytest.fixture(scope="module")
def games():
    return shard(3)


def test_a_draw_costs_both_in_what_is_learned(games):
    """Put back and seen to fail: likewise."""
    names = ShardOrigin.of(EXCHANGE).target_names
    own, other = (games.samples.targets[:, names.index(name)] for name in ("z", "z_1"))
    returns = games.games.game_returns
    is_drawn = (returns == DRAW).all(axis=1)
    assert 0 < is_drawn.sum() < len(returns)
    rows = is_drawn[games.samples.game]
    assert (own[rows] == DRAW).all()
    assert (other[rows] == DRAW).all()
    assert (own[~rows] == -other[~rows]).all()
    assert set(own[~rows]) == {-1.0, 1.0}


def test_seeds_reach_the_dice_and_the_same_seed_gives_the_same_bytes(games):
    """Put back and seen to fail: one seed for all games, none for a run, none for the dice of a state."""
    again, other = shard(3), shard(4)
    assert len(set(games.games.game_seed.tolist())) == len(games.games.game_seed) == 40
    for name, column in games.columns().items():
        assert column.tobytes() == again.columns()[name].tobytes()
    assert games.games.actions[:100].tolist() != other.games.actions[:100].tolist()
    # The same moves in another episode: another die.
    left = {int(at_seed(seed).record.hp[number("f5")]) for seed in range(40)}
    assert left == {25 - 3 - die for die in range(1, 7)}


def at_seed(seed):
    state = at("8/8/8/3Q1k2/8/8/8/K7 w")
    return state.reseeded(seed).apply(read_move(state, attack_on(state, "f5")))
