"""Games whose actions stand on two logits: stored with their slots, and learned through the sums."""

import numpy as np
import pytest
import torch

from playmill.core.errors import PlaymillError
from playmill.games.conformance import check_game
from playmill.games.kit.promises import PROMISES
from playmill.games.registry import get_game
from playmill.nets.checkpoint import load_checkpoint, make_checkpoint, save_checkpoint
from playmill.nets.evaluators import open_evaluator
from playmill.nets.model import build_net
from playmill.nets.spec import NetSpec
from playmill.replay import TARGETS, ReplayReader, Samples, ShardData, ShardOrigin, list_shards, read_shard, write_shard
from playmill.search.settings import SearchSettings
from playmill.selfplay.generate import SelfPlay
from playmill.selfplay.plan import plan_iteration
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.shards import Learner
from playmill.train.losses import action_logits, policy_loss
from playmill.train.plan import TrainJob
from playmill.train.settings import TrainSettings
from playmill.train.trainer import train
from replay.making import make_games, write_shards
from slot_game import COLUMNS, CROSSINGS, PASS, ROWS
from train.lessons import train_and_stop

SPEC = NetSpec(kind="mlp", hidden=32, blocks=1)
SEARCH = SearchSettings.model_validate({"kind": "puct", "puct": {"budget": 24}})
SETTINGS = SelfPlaySettings(games=96, shard_games=48, lanes=16)

pytestmark = pytest.mark.jit


def slots_of(action):
    return [ROWS + COLUMNS, -1] if action == PASS else [action // COLUMNS, ROWS + action % COLUMNS]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with a new network and the games that it played."""
    folder = tmp_path_factory.mktemp("crossings")
    save_checkpoint(folder / "best.pt", make_checkpoint(CROSSINGS, SPEC, build_net(CROSSINGS, SPEC, 1)))
    evaluator = open_evaluator(folder / "best.pt", "torch", game=CROSSINGS)
    for workers in (1, 2):
        replay = folder / f"replay_{workers}"
        replay.mkdir()
        makers = [Learner(CROSSINGS, SETTINGS, SEARCH, evaluator.clone)]
        player = SelfPlay(CROSSINGS, SETTINGS, makers, replay, 5, ShardOrigin.of(CROSSINGS))
        player.run(plan_iteration(SETTINGS, 0), workers)
    return folder


def test_the_game_keeps_the_contract():
    names = [name for name in PROMISES if "golden" not in name]
    assert check_game(CROSSINGS, promises=names).states > 100


def test_every_entry_of_a_policy_has_its_slots_and_all_actions_are_there(played):
    first, second = ([path.read_bytes() for path in sorted((played / f"replay_{w}").iterdir())] for w in (1, 2))
    assert first == second
    samples = read_shard(list_shards(played / "replay_1")[0], CROSSINGS)[0].samples
    assert samples.policy_slots.tolist() == [slots_of(action) for action in samples.policy_action]
    for row in range(len(samples.features)):
        span = slice(samples.policy_offset[row], samples.policy_offset[row + 1])
        taken = samples.features[row, : ROWS * COLUMNS]
        assert samples.policy_action[span].tolist() == [*np.flatnonzero(taken == 0).tolist(), PASS]
        assert samples.policy_prob[span].sum() == pytest.approx(1)


def test_the_reader_gives_each_row_its_entries(played):
    paths = list_shards(played / "replay_1")
    reader = ReplayReader(paths, CROSSINGS)
    numbers = np.random.default_rng(0).integers(0, len(reader), 200)
    batch = reader.batch(numbers)
    shards = [read_shard(path, CROSSINGS)[0].samples for path in paths]
    for number, policy, slots in zip(numbers, batch.policy, batch.slots, strict=True):
        shard, row = (shards[0], number) if number < len(shards[0].features) else (shards[1], number - len(shards[0].features))
        span = slice(shard.policy_offset[row], shard.policy_offset[row + 1])
        count = span.stop - span.start
        assert policy[:count].tolist() == shard.policy_prob[span].tolist()
        assert slots[:count].tolist() == shard.policy_slots[span].tolist()
        assert not policy[count:].any()
        assert (slots[count:] == -1).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_loss_agrees_with_its_plain_twin(seed):
    rng = np.random.default_rng(seed)
    logits = torch.from_numpy(rng.normal(size=(6, 8)).astype(np.float32)).requires_grad_()
    slots, policy, expected, rows = np.full((6, 5, 2), -1), np.zeros((6, 5), np.float32), 0.0, logits.detach().double().numpy()
    for row in range(5):  # the last row has no policy
        count = rng.integers(1, 6)
        slots[row, :count] = np.stack([rng.integers(0, 8, count), rng.integers(-1, 8, count)], axis=1)
        policy[row, :count] = rng.dirichlet(np.ones(count))
        sums = [rows[row, i] + (rows[row, j] if j >= 0 else 0.0) for i, j in slots[row, :count]]
        expected -= policy[row, :count] @ (sums - np.log(np.exp(sums).sum()))
    found = policy_loss(action_logits(logits, torch.from_numpy(slots)), torch.from_numpy(policy), torch.tensor(5))
    assert found.item() == pytest.approx(expected / 5, rel=1e-5)
    found.backward()
    assert torch.isfinite(logits.grad).all()
    assert (logits.grad[5] == 0).all()


def lessons(samples):
    """Positions whose policy is a share among sums of logits that a simple rule gives; and its mean entropy."""
    rng = np.random.default_rng(1)
    features = rng.random((samples, CROSSINGS.feature_count), np.float32)
    logits = 3 * (features - 0.5) @ rng.normal(size=(CROSSINGS.feature_count, CROSSINGS.logits))
    actions = [np.flatnonzero(rng.random(CROSSINGS.actions) < 0.7) for _ in range(samples)]
    actions = [found if found.size else np.array([PASS]) for found in actions]
    policies = [_share(logits[row], found) for row, found in enumerate(actions)]
    flat = np.concatenate(actions).astype(np.int32)
    data = ShardData(
        Samples(
            features=features,
            policy_offset=np.concatenate(([0], np.cumsum([len(found) for found in actions]))).astype(np.int32),
            policy_action=flat,
            policy_prob=np.concatenate(policies).astype(np.float32),
            targets=np.full((samples, len(TARGETS)), np.nan, np.float32),
            game=np.zeros(samples, np.int32),
            ply=np.zeros(samples, np.int16),
            policy_slots=np.array([slots_of(action) for action in flat], np.int32),
        ),
        make_games(1, rng, CROSSINGS),
    )
    return data, np.mean([-(p * np.log(p)).sum() for p in policies])


def _share(logits, actions):
    weights = np.exp([sum(logits[slot] for slot in slots_of(action) if slot >= 0) for action in actions])
    return weights / weights.sum()


def test_training_learns_policies_through_their_slots(played, tmp_path):
    data, entropy = lessons(2000)
    shards = [write_shard(tmp_path, 0, data, ShardOrigin.of(CROSSINGS))]
    settings = TrainSettings(batch_size=128, lr=3e-3, warmup=5, autosave_steps=400, log_steps=20)
    losses = []
    for steps in (20, 400):
        job = TrainJob(CROSSINGS, settings, played / "best.pt", tmp_path / f"{steps}.pt", shards, steps=steps)
        losses.append(train(job).losses["loss_policy"])
    assert entropy < losses[1] < entropy + 0.1 * (losses[0] - entropy)


def test_training_on_slots_resumes_to_the_same_bits(played, tmp_path):
    settings = TrainSettings(batch_size=64, warmup=5, autosave_steps=20, log_steps=20)
    one, two = (
        TrainJob(CROSSINGS, settings, played / "best.pt", tmp_path / f"{name}.pt", list_shards(played / "replay_1"), steps=60)
        for name in ("left_alone", "stopped")
    )
    train_and_stop(two, 47)
    assert train(one).weights_sha256 == train(two).weights_sha256
    assert load_checkpoint(two.candidate).meta.logits == ROWS + COLUMNS + 1


def test_shards_without_slots_are_refused_for_a_game_that_has_them(tmp_path, played):
    plain = write_shards(tmp_path / "plain", [10], CROSSINGS)
    with pytest.raises(PlaymillError, match="policy_slots: crossings has shards with them, got none"):
        ReplayReader(plain, CROSSINGS)
    data, _ = read_shard(list_shards(played / "replay_1")[0], CROSSINGS)
    game = get_game("tictactoe")
    columns = {**data.columns(), "features": np.zeros((len(data.samples.features), game.feature_count), np.float32)}
    other = write_shard(tmp_path / "other", 0, type(data).from_columns(columns), ShardOrigin.of(game))
    with pytest.raises(PlaymillError, match="policy_slots: tictactoe has shards without them, got some"):
        ReplayReader([other], game)


def test_slots_that_make_no_sense_are_refused(tmp_path, played):
    data, _ = read_shard(list_shards(played / "replay_1")[0], CROSSINGS)
    columns = data.columns()
    columns["policy_slots"] = columns["policy_slots"].copy()
    columns["policy_slots"][3, 1] = 99
    path = write_shard(tmp_path, 0, type(data).from_columns(columns), ShardOrigin.of(CROSSINGS))
    with pytest.raises(PlaymillError, match=r"sample 0: expected policy slots 0\.\.7, got others"):
        ReplayReader([path], CROSSINGS).batch(np.arange(4))
