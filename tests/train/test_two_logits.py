"""Games whose actions stand on two logits: stored with their logit ids, and learned through the sums."""

import numpy as np
import pytest
import torch

from playmill.games.conformance import check_game
from playmill.games.kit.promises import PROMISES
from playmill.nets.checkpoint import load_checkpoint, make_checkpoint, save_checkpoint
from playmill.nets.evaluators import open_evaluator
from playmill.nets.model import build_net
from playmill.nets.spec import NetSpec
from playmill.replay import ReplayBatch, ReplayReader, ShardOrigin, list_shards, read_shard, write_shard
from playmill.search.settings import SearchSettings
from playmill.selfplay.generate import SelfPlay
from playmill.selfplay.plan import plan_iteration
from playmill.selfplay.settings import SelfPlaySettings
from playmill.selfplay.shards import Learner
from playmill.train.feed import TensorBatch
from playmill.train.losses import action_logits, policy_loss
from playmill.train.plan import TrainJob
from playmill.train.settings import TrainSettings
from playmill.train.targets import HeadTargets
from playmill.train.trainer import train
from replay.making import make_lessons
from train.lessons import train_and_stop
from two_logit_game import COLUMNS, CROSSINGS, PASS, ROWS

SPEC = NetSpec(kind="mlp", hidden=32, blocks=1)
SEARCH = SearchSettings.model_validate({"kind": "puct", "puct": {"budget": 24}})
SETTINGS = SelfPlaySettings(games=96, shard_games=48, lanes=16)

pytestmark = pytest.mark.jit


def logit_ids_of(action):
    return [ROWS + COLUMNS, -1] if action == PASS else [action // COLUMNS, ROWS + action % COLUMNS]


def ids_of(action):
    return [logit if logit >= 0 else CROSSINGS.logits for logit in logit_ids_of(action)]


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


def test_shards_hold_the_actions_with_mass_alone(played):
    first, second = ([path.read_bytes() for path in sorted((played / f"replay_{w}").iterdir())] for w in (1, 2))
    assert first == second
    samples = read_shard(list_shards(played / "replay_1")[0], CROSSINGS)[0].samples
    assert (samples.policy_prob > 0).all()
    for row, record in enumerate(samples.records(CROSSINGS)):
        span = slice(samples.policy_offset[row], samples.policy_offset[row + 1])
        free = [*(cell for cell in range(ROWS * COLUMNS) if not record["taken"] >> cell & 1), PASS]
        assert set(samples.policy_action[span].tolist()) <= set(free)
        assert samples.policy_prob[span].sum() == pytest.approx(1)


def test_the_reader_gives_every_legal_action_its_logit_ids(played):
    paths = list_shards(played / "replay_1")
    reader = ReplayReader(paths, CROSSINGS)
    batch = reader.batch(np.random.default_rng(0).integers(0, len(reader), 200))
    for features, policy, bias, ids in zip(batch.features, batch.policy, batch.bias, batch.logit_ids, strict=True):
        free = [*np.flatnonzero(features[: ROWS * COLUMNS] == 0).tolist(), PASS]
        assert ids[: len(free)].tolist() == [ids_of(action) for action in free]
        assert policy[: len(free)].sum() == pytest.approx(1)
        assert not policy[len(free) :].any()
        assert (ids[len(free) :] == CROSSINGS.logits).all()
        assert bias.tolist() == [0.0] * len(free) + [-1e9] * (CROSSINGS.max_legal - len(free))


@pytest.mark.parametrize("seed", range(5))
def test_the_loss_agrees_with_its_plain_twin(seed):
    rng = np.random.default_rng(seed)
    logits = torch.from_numpy(rng.normal(size=(6, 8)).astype(np.float32)).requires_grad_()
    batch, expected, rows = ReplayBatch.room(CROSSINGS, 6, 1, make=np.zeros), 0.0, logits.detach().double().numpy()
    batch = batch._replace(logit_ids=np.full(batch.logit_ids.shape, 8))
    for row in range(5):  # the last row has no policy
        count = rng.integers(1, 6)
        pairs = np.stack([rng.integers(0, 8, count), rng.integers(0, 9, count)], axis=1)
        batch.logit_ids[row, :count], batch.bias[row, count:] = pairs, -1e9
        batch.policy[row, :count], batch.has_policy[row] = rng.dirichlet(np.ones(count)), True
        sums = [rows[row, i] + (rows[row, j] if j < 8 else 0.0) for i, j in pairs]
        expected -= batch.policy[row, :count] @ (sums - np.log(np.exp(sums).sum()))
    found = TensorBatch.of(batch, HeadTargets(CROSSINGS, ("win",), ("z",), 0.0), keep_shape=True)
    loss = policy_loss(action_logits(logits, found), found.policy, found.policy_count)
    assert loss.item() == pytest.approx(expected / 5, rel=1e-5)
    loss.backward()
    assert torch.isfinite(logits.grad).all()
    assert (logits.grad[5] == 0).all()


RULE = 3 * np.random.default_rng(1).normal(size=(CROSSINGS.feature_count, CROSSINGS.logits))


def share(features, actions):
    """A share among sums of logits that a simple rule gives."""
    logits = (features - 0.5) @ RULE
    weights = np.exp([sum(logits[logit] for logit in logit_ids_of(action) if logit >= 0) for action in actions])
    return weights / weights.sum()


def test_training_learns_policies_through_their_logit_ids(played, tmp_path):
    data = make_lessons(CROSSINGS, 2000, 1, share)
    spans = np.split(data.samples.policy_prob, data.samples.policy_offset[1:-1])
    entropy = np.mean([-(p * np.log(np.maximum(p, 1e-30))).sum() for p in spans])
    shards = [write_shard(tmp_path, 0, data, ShardOrigin.of(CROSSINGS))]
    settings = TrainSettings(batch_size=128, lr=3e-3, warmup=5, autosave_steps=400, log_steps=20)
    losses = []
    for steps in (20, 400):
        job = TrainJob(CROSSINGS, settings, played / "best.pt", tmp_path / f"{steps}.pt", shards, steps=steps)
        losses.append(train(job).losses["loss_policy"])
    assert entropy < losses[1] < entropy + 0.1 * (losses[0] - entropy)


def test_training_on_two_logits_resumes_to_the_same_bits(played, tmp_path):
    settings = TrainSettings(batch_size=64, warmup=5, autosave_steps=20, log_steps=20)
    one, two = (
        TrainJob(CROSSINGS, settings, played / "best.pt", tmp_path / f"{name}.pt", list_shards(played / "replay_1"), steps=60)
        for name in ("left_alone", "stopped")
    )
    train_and_stop(two, 47)
    assert train(one).weights_sha256 == train(two).weights_sha256
    assert load_checkpoint(two.candidate).meta.logits == ROWS + COLUMNS + 1
