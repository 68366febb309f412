"""Shards come back as they were written, or are refused by name."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playmill.core.errors import PlaymillError, UsageError
from playmill.games.registry import get_game
from playmill.replay import ShardOrigin, ShardPlayer, list_shards, prepare_folder, read_meta, read_shard, write_shard
from playmill.replay.meta import meta_path, record_layout
from playmill.replay.tables import action_type
from replay.making import YATZY, make_data

PLAYER = ShardPlayer(name="best", model="ab" * 32, search={"kind": "puct", "budget": 48}, backend="ort")
ORIGIN = ShardOrigin.of(YATZY, iteration=3, seed=11, players=(PLAYER,))


@pytest.fixture
def shard(tmp_path):
    return write_shard(tmp_path, 0, make_data(), ORIGIN)


def change_meta(path, **fields):
    file = meta_path(path)
    file.write_text(json.dumps({**json.loads(file.read_text()), **fields}))


@settings(max_examples=40, deadline=None)
@given(samples=st.integers(0, 60), games=st.integers(0, 6), seed=st.integers(0, 2**32 - 1))
def test_a_shard_comes_back_bit_for_bit(tmp_path_factory, samples, games, seed):
    data = make_data(samples, games, seed)
    path = write_shard(tmp_path_factory.mktemp("replay"), 0, data, ORIGIN)
    back, meta = read_shard(path, YATZY)
    for name, column in data.columns().items():
        found = back.columns()[name]
        assert (found.dtype, found.shape, found.tobytes()) == (column.dtype, column.shape, column.tobytes())
    assert (meta.samples, meta.games, meta.first_game) == (samples, games, 7 if games else -1)
    assert (meta.iteration, meta.seed, meta.players) == (3, 11, (PLAYER,))
    assert back.samples.records(YATZY).tobytes() == data.samples.state.tobytes()


def test_equal_content_gives_equal_bytes(tmp_path):
    a, b = (write_shard(tmp_path / name, 4, make_data(), ORIGIN) for name in "ab")
    assert a.read_bytes() == b.read_bytes()
    assert meta_path(a).read_bytes() == meta_path(b).read_bytes()


def test_only_whole_shards_are_listed_and_leftovers_go(tmp_path):
    for index in (2, 0, 11):
        write_shard(tmp_path, index, make_data(), ORIGIN)
    leftovers = [tmp_path / "shard_000012.safetensors", tmp_path / ".shard_000013.safetensors.x.tmp"]
    for path in leftovers:
        path.write_bytes(b"half")
    (tmp_path / "notes.txt").write_text("mine")
    assert [path.name for path in list_shards(tmp_path)] == [f"shard_{i:06d}.safetensors" for i in (0, 2, 11)]
    assert prepare_folder(tmp_path) == 12
    assert not any(path.exists() for path in leftovers)
    assert (tmp_path / "notes.txt").exists()


def test_a_new_folder_begins_at_zero(tmp_path):
    assert prepare_folder(tmp_path / "new") == 0
    assert list_shards(tmp_path / "new") == list_shards(tmp_path / "nowhere") == []


def test_a_shard_is_never_rewritten(shard):
    with pytest.raises(PlaymillError, match=r"shard_000000.safetensors: a shard is there already"):
        write_shard(shard.parent, 0, make_data(), ORIGIN)


# ------------------------------------------------------------------ refusals


def test_torn_data_is_refused(shard):
    size = shard.stat().st_size
    shard.write_bytes(shard.read_bytes()[:-1])
    with pytest.raises(PlaymillError, match=rf"shard_000000.safetensors: torn: expected {size} bytes, got {size - 1}"):
        read_shard(shard)


def test_a_flipped_bit_is_refused(shard):
    content = bytearray(shard.read_bytes())
    content[len(content) // 2] ^= 4
    shard.write_bytes(content)
    with pytest.raises(PlaymillError, match=r"shard_000000.safetensors: damaged: expected sha256 \w{64}, got \w{64}"):
        read_shard(shard)


def test_missing_halves_are_refused(shard):
    content = shard.read_bytes()
    shard.unlink()
    with pytest.raises(PlaymillError, match=r"shard_000000.safetensors: missing, though its meta is there"):
        read_shard(shard)
    shard.write_bytes(content)
    meta_path(shard).unlink()
    with pytest.raises(PlaymillError, match=r"meta.json: can't be read .* no shard"):
        read_shard(shard)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"format": "zip"}, r"meta.json: format: expected 'playmill.replay', got 'zip'"),
        ({"version": 3}, r"meta.json: version: expected at most 2, got 3; a newer playmill wrote it"),
        ({"version": 1}, r"version: expected 2, got 1, whose rows are features .*; play the games again in a new folder"),
        ({"version": "x"}, r"meta.json: version: expected 2, got 'x'"),
        ({"game": "chess"}, r"meta.json: game: expected 'yatzy', got 'chess'"),
        ({"ruleset": "us"}, r"meta.json: ruleset: expected 'swedish_scandinavian_v1', got 'us'"),
        ({"action_space": "v0"}, r"meta.json: action_space: expected 'oracle_keepmask_v1', got 'v0'"),
        ({"actions": 46}, r"meta.json: actions: expected 47, got 46"),
        ({"state": "avail <u2 2"}, r"meta.json: state: expected 'avail <u2 2, upper \|u1 2, .*', got 'avail <u2 2'"),
        ({"record_bytes": 17}, r"meta.json: record_bytes: expected 18, got 17"),
        ({"samples": -1}, r"meta.json: samples: expected at least 0, got -1"),
        (
            {"samples": 99},
            r"safetensors: state: expected uint8 \[samples, record bytes\] = \[99, 18\], got uint8 \[100, 18\]",
        ),
        ({"colour": 1}, r"meta.json: colour: unknown key"),
    ],
)
def test_a_meta_that_does_not_fit_is_refused_by_name(shard, fields, message):
    change_meta(shard, **fields)
    with pytest.raises(PlaymillError, match=message):
        read_shard(shard, YATZY)


def test_another_games_shard_is_refused(shard):
    with pytest.raises(PlaymillError, match=r"meta.json: game: expected 'tictactoe', got 'yatzy'"):
        read_shard(shard, get_game("tictactoe"))
    assert read_meta(shard).game == "yatzy"


@pytest.mark.parametrize("text", ["", "{", "[1]"])
def test_a_meta_that_is_no_object_is_refused(shard, text):
    meta_path(shard).write_text(text)
    with pytest.raises(PlaymillError, match=r"meta.json: expected one JSON object"):
        read_shard(shard)


@pytest.mark.parametrize("of", [lambda shard: shard, meta_path], ids=["data", "meta"])
def test_a_shard_that_can_not_be_read_is_one_line(shard, of):
    of(shard).unlink()
    of(shard).symlink_to(of(shard))
    with pytest.raises(UsageError, match="can't be read \\(Too many levels of symbolic links\\)"):
        read_shard(shard)


def test_tables_that_do_not_fit_are_refused_before_anything_is_written(tmp_path):
    data = make_data()
    wide = replace(data, samples=replace(data.samples, policy_action=data.samples.policy_action.astype(np.int32)))
    with pytest.raises(PlaymillError, match=r"policy_action: expected uint8 .* got int32 \[\d+\]"):
        write_shard(tmp_path, 0, wide, ORIGIN)
    strange = replace(data, samples=replace(data.samples, player=data.samples.player + np.int8(1)))
    with pytest.raises(PlaymillError, match=r"player: expected 0\.\.0, got 1\.\.1"):
        write_shard(tmp_path, 0, strange, ORIGIN)
    offsets = data.samples.policy_offset + np.int32(1)
    shifted = replace(data, samples=replace(data.samples, policy_offset=offsets))
    with pytest.raises(PlaymillError, match=r"policy_offset: expected offsets that rise from 0 to \d+, got 1 .. \d+"):
        write_shard(tmp_path, 0, shifted, ORIGIN)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("actions", "kind"), [(1, "u1"), (256, "u1"), (257, "u2"), (65536, "u2"), (65537, "i4")])
def test_actions_take_as_few_bytes_as_will_do(actions, kind):
    assert action_type(actions) == np.dtype(kind)


@pytest.mark.parametrize(
    "fields", [[("a", "<u2", 2), ("b", "i1")], [("a", "<u2", 2), ("c", "u1")], [("a", "<u4"), ("b", "u1")]]
)
def test_another_record_has_another_layout(fields):
    assert record_layout(np.dtype([("a", "<u2", 2), ("b", "u1")])) == "a <u2 2, b |u1"
    assert record_layout(np.dtype(fields)) != "a <u2 2, b |u1"
