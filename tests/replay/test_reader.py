"""The reader gives the samples that a plain gather gives, in flat memory."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from playmill.core.errors import PlaymillError
from playmill.games.registry import get_game
from playmill.replay import ReplayReader, SampleOrder, ShardOrigin, read_shard, write_shard
from playmill.replay import reader as reader_module
from replay.making import YATZY, make_data, write_shards

SIZES = [300, 1, 0, 129, 128, 500]


def plain_gather(paths, numbers, game=YATZY):
    """The same batch, by loading everything."""
    samples = [read_shard(path)[0].samples for path in paths]
    features = np.concatenate([s.features for s in samples])[numbers]
    targets = np.concatenate([s.targets for s in samples])[numbers]
    policies = []
    for s in samples:
        for first, end in zip(s.policy_offset, s.policy_offset[1:], strict=False):
            row = np.zeros(game.logits, np.float32)
            np.add.at(row, s.policy_action[first:end], s.policy_prob[first:end])
            policies.append((row, end > first))
    policy = np.array([policies[n][0] for n in numbers])
    return features, policy, np.array([policies[n][1] for n in numbers]), targets


def assert_equals_plain(reader, paths, numbers, game=YATZY):
    batch = reader.batch(numbers)
    found = (batch.features, batch.policy, batch.has_policy, batch.targets)
    for column, expected in zip(found, plain_gather(paths, numbers, game), strict=True):
        np.testing.assert_array_equal(column, expected)


@pytest.mark.parametrize("seed", range(5))
def test_a_batch_equals_a_plain_gather(tmp_path, seed):
    paths = write_shards(tmp_path, SIZES)
    reader = ReplayReader(paths, YATZY)
    assert len(reader) == sum(SIZES)
    rng = np.random.default_rng(seed)
    for _ in range(5):
        assert_equals_plain(reader, paths, rng.integers(0, len(reader), 200))
    assert_equals_plain(reader, paths, np.arange(len(reader)))


@pytest.mark.parametrize("chapter", [1, 2])
def test_a_pool_smaller_than_a_batch_still_answers(tmp_path, monkeypatch, chapter):
    monkeypatch.setattr(reader_module, "CHAPTER_BLOCKS", chapter)
    monkeypatch.setattr(reader_module, "MAX_BLOCK_ROWS", 16)
    paths = write_shards(tmp_path, SIZES)
    reader = ReplayReader(paths, YATZY)
    rng = np.random.default_rng(chapter)
    for _ in range(5):
        assert_equals_plain(reader, paths, rng.integers(0, len(reader), 64))


@pytest.mark.parametrize("name", ["tictactoe", "connect_four"])
def test_other_games_are_read_by_the_same_code(tmp_path, name):
    game = get_game(name)
    paths = write_shards(tmp_path, [50, 60], game)
    reader = ReplayReader(paths, game)
    assert_equals_plain(reader, paths, np.array([109, 0, 50, 49], np.int64), game)


def test_every_block_is_read_once_an_epoch(tmp_path, monkeypatch):
    monkeypatch.setattr(reader_module, "MAX_BLOCK_ROWS", 8)
    monkeypatch.setattr(reader_module, "CHAPTER_BLOCKS", 4)
    reader = ReplayReader(write_shards(tmp_path, [203, 90]), YATZY)
    order = SampleOrder(reader.block_starts, seed=1, chapter_blocks=4)
    loads = []
    monkeypatch.setattr(reader, "_load", lambda block, load=reader._load: (loads.append(block), load(block)))
    for step in range(-(-len(reader) // 10)):
        reader.batch(order.numbers(step, 10))
    blocks = len(reader.block_starts) - 1
    assert sorted(set(loads)) == list(range(blocks))
    assert len(loads) <= blocks + 4  # the last batch begins the next epoch


def test_numbers_out_of_range_are_refused(tmp_path):
    reader = ReplayReader(write_shards(tmp_path, [10]), YATZY)
    for wrong in ([-1], [10]):
        with pytest.raises(PlaymillError, match=r"expected sample numbers 0..9, got"):
            reader.batch(np.array(wrong, np.int64))
    with pytest.raises(PlaymillError, match=r"expected sample numbers int64 \[n\], got float64 \[1\]"):
        reader.batch(np.zeros(1))


def test_damage_is_found_when_a_reader_opens(tmp_path):
    path = write_shards(tmp_path, [10])[0]
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(PlaymillError, match="damaged: expected sha256"):
        ReplayReader([path], YATZY)
    with pytest.raises(PlaymillError, match="game: expected 'tictactoe', got 'yatzy'"):
        ReplayReader([path], get_game("tictactoe"))


def test_an_action_without_a_logit_is_refused(tmp_path):
    data = make_data()
    data.samples.policy_action[5] = 47
    path = write_shard(tmp_path, 0, data, ShardOrigin.of(YATZY))
    reader = ReplayReader([path], YATZY)
    for _ in range(2):  # and it stays refused
        with pytest.raises(PlaymillError, match=r"shard_000000.safetensors: sample \d+: expected policy actions 0..46"):
            reader.batch(np.arange(100))


def test_a_shard_pruned_meanwhile_is_named(tmp_path):
    path = write_shards(tmp_path, [10])[0]
    reader = ReplayReader([path], YATZY)
    path.unlink()
    with pytest.raises(PlaymillError, match=r"shard_000000.safetensors: can't be read any more .* was it pruned"):
        reader.batch(np.arange(3))


def test_shards_with_other_targets_are_refused(tmp_path):
    first = write_shards(tmp_path, [10])[0]
    origin = ShardOrigin.of(YATZY, target_names=("z",))
    other = write_shard(tmp_path, 1, make_data(10, targets=1), origin)
    with pytest.raises(
        PlaymillError, match=r"shard_000001.* target_names: expected \['z', .* as in shard_000000.* got \['z'\]"
    ):
        ReplayReader([first, other], YATZY)


def test_an_empty_reader_has_no_samples():
    assert len(ReplayReader([], YATZY)) == 0
    with pytest.raises(PlaymillError, match="expected samples to train on, got none"):
        SampleOrder(ReplayReader([], YATZY).block_starts, seed=0)


# ------------------------------------------------------------------ memory


def peak_megabytes(folder, shards, samples):
    script = Path(__file__).with_name("measuring.py")
    command = [sys.executable, script, folder, str(shards), str(samples)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


@pytest.mark.jit
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_million_positions_stay_small(tmp_path):
    assert peak_megabytes(tmp_path, 50, 20_000) < 300


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ten_million_positions_stay_small(tmp_path):
    assert peak_megabytes(tmp_path, 500, 20_000) < 300
