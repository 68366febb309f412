"""The reader gives the samples that a plain gather gives, in flat memory."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from playmill.core.errors import PlaymillError
from playmill.games.kit.samples import distinct_actions
from playmill.games.one import logit_ids_one
from playmill.games.registry import get_game
from playmill.games.state import State
from playmill.replay import ReplayBatch, ReplayReader, SampleOrder, ShardOrigin, read_shard, write_shard
from playmill.replay import reader as reader_module
from replay.making import YATZY, make_data, write_shards
from two_logit_game import CROSSINGS

SIZES = [300, 1, 0, 129, 128, 500]


def plain_rows(path, game):
    """What a network learns from each sample of a shard, by the Python face alone."""
    samples = read_shard(path)[0].samples
    for row in range(len(samples)):
        records = samples.records(game)[row : row + 1].copy()
        state = State(game, records, 0, 0)
        span = slice(samples.policy_offset[row], samples.policy_offset[row + 1])
        policy = dict(zip(samples.policy_action[span].tolist(), samples.policy_prob[span].tolist(), strict=True))
        yield state.features().ravel(), *plain_policy(game, records, policy), bool(policy), samples.targets[row]


def plain_policy(game, records, policy):
    """A row's policy, its bias and its logit ids."""
    actions = distinct_actions(game, records) if policy else []
    has_ids = "logit_ids" in game.kernels
    width = game.max_legal if has_ids else game.logits
    mass, bias, ids = [0.0] * width, [-1e9 if policy else 0.0] * width, [[game.logits] * 2 for _ in range(width)]
    for k, action in enumerate(actions):
        entry = k if has_ids else action
        mass[entry], bias[entry] = policy.get(action, 0.0), 0.0
        ids[entry] = [logit if logit >= 0 else game.logits for logit in logit_ids_one(game, records, action)]
    return mass, bias, ids if has_ids else np.empty((0, 2))


def plain_gather(paths, numbers, game=YATZY):
    """The same batch, by loading everything."""
    rows = [row for path in paths for row in plain_rows(path, game)]
    features, *others = (np.array(column) for column in zip(*(rows[n] for n in numbers), strict=True))
    return ReplayBatch(features, np.empty((0, game.feature_count)), *others)


def assert_equals_plain(reader, paths, numbers, game=YATZY):
    batch, expected = reader.batch(numbers), plain_gather(paths, numbers, game)
    for column, found in zip(expected, batch, strict=True):
        np.testing.assert_array_equal(found, column.astype(found.dtype))


@pytest.mark.parametrize("seed", range(2))
def test_a_batch_equals_a_plain_gather(tmp_path, seed):
    paths = write_shards(tmp_path, SIZES)
    reader = ReplayReader(paths, YATZY)
    assert len(reader) == sum(SIZES)
    rng = np.random.default_rng(seed)
    for _ in range(3):
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


@pytest.mark.parametrize("game", [get_game("tictactoe"), get_game("connect_four"), CROSSINGS], ids=lambda game: game.name)
def test_other_games_are_read_by_the_same_code(tmp_path, game):
    paths = write_shards(tmp_path, [50, 60], game)
    reader = ReplayReader(paths, game)
    assert_equals_plain(reader, paths, np.array([109, 0, 50, 49], np.int64), game)


@pytest.mark.parametrize("game", [YATZY, get_game("connect_four"), CROSSINGS], ids=lambda game: game.name)
def test_a_batch_is_the_same_for_any_number_of_threads_and_whatever_its_room_held(tmp_path, game, monkeypatch):
    monkeypatch.setattr(reader_module, "LEAST_ROWS", 1)
    paths = write_shards(tmp_path, [50, 60], game)
    numbers = np.random.default_rng(0).permutation(110)
    symmetries = numbers % game.symmetries
    expected = ReplayReader(paths, game).batch(numbers, symmetries)
    for threads in (2, 5):
        reader = ReplayReader(paths, game, threads)
        room = reader.room(110, make=lambda shape, dtype: np.full(shape, 7, dtype))
        for found, column in zip(reader.batch(numbers, symmetries, room), expected, strict=True):
            np.testing.assert_array_equal(found, column)


def test_halves_are_the_features_rounded_as_torch_rounds_them(tmp_path):
    reader = ReplayReader(write_shards(tmp_path, [50]), YATZY, threads=2)
    wide, narrow = (reader.batch(np.arange(50), room=reader.room(50, is_halved)) for is_halved in (False, True))
    rounded = torch.from_numpy(wide.features).bfloat16()
    assert narrow.features.size == 0
    assert torch.equal(torch.from_numpy(narrow.halves).view(torch.bfloat16), rounded)
    assert (rounded.float().numpy() != wide.features).any()
    np.testing.assert_array_equal(narrow.policy, wide.policy)


FOUR = get_game("connect_four")


def four_rows(features, policy, bias):
    """A row of connect four as people see it: the two planes, and the policy by column, None for a full one."""
    return features.reshape(FOUR.features), [float(p) if b == 0 else None for p, b in zip(policy, bias, strict=True)]


def test_under_a_symmetry_board_and_policy_are_mirrored(tmp_path):
    reader = ReplayReader(write_shards(tmp_path, [60], FOUR), FOUR)
    numbers, symmetries = np.arange(60), np.arange(60) % 2
    plain, mixed = reader.batch(numbers), reader.batch(numbers, symmetries)
    for row, number in enumerate(symmetries.tolist()):
        (planes, columns), (image, names) = (four_rows(b.features[row], b.policy[row], b.bias[row]) for b in (plain, mixed))
        np.testing.assert_array_equal(image, planes[:, :, ::-1] if number else planes)
        assert names == (columns[::-1] if number else columns)
    np.testing.assert_array_equal(mixed.targets, plain.targets)
    assert (mixed.features != plain.features).any()


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


def reverse(entries):
    entries[:] = entries[::-1].copy()


@pytest.mark.parametrize("change", [lambda entries: entries.fill(31), reverse])
def test_a_policy_that_is_not_over_the_legal_actions_in_order_is_refused(tmp_path, change):
    data = make_data()
    offsets = data.samples.policy_offset
    row = np.flatnonzero(np.diff(offsets) > 1)[0]
    change(data.samples.policy_action[offsets[row] : offsets[row + 1]])
    reader = ReplayReader([write_shard(tmp_path, 0, data, ShardOrigin.of(YATZY))], YATZY)
    for _ in range(2):  # and it stays refused
        with pytest.raises(PlaymillError, match=rf"shard_000000.safetensors: sample {row}: expected a policy over legal"):
            reader.batch(np.arange(100))


def test_a_policy_of_too_many_actions_is_refused(tmp_path):
    data = make_data(10)
    entries = len(data.samples.policy_action)
    data.samples.policy_offset[1:] = [*range(1, 10), entries]
    reader = ReplayReader([write_shard(tmp_path, 0, data, ShardOrigin.of(YATZY))], YATZY)
    with pytest.raises(PlaymillError, match=rf"sample 9: expected a policy of 0..46 actions, got {entries - 9}"):
        reader.batch(np.arange(1))


def test_states_of_another_layout_are_refused(tmp_path, monkeypatch):
    path = write_shards(tmp_path, [10])[0]
    fields = YATZY.state.descr
    monkeypatch.setattr(YATZY, "state", np.dtype((np.record, [*fields[:-1], ("round", "u1")])))
    with pytest.raises(PlaymillError, match=r"state: expected '.*, round \|u1', got '.*, turn \|u1'"):
        ReplayReader([path], YATZY)


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
