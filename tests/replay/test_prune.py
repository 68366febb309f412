"""Pruning keeps the newest shards."""

import pytest

from playmill.core.errors import UsageError
from playmill.replay import list_shards, newest, prepare_folder, prune
from replay.making import write_shards


def test_the_newest_shards_stay_and_the_others_are_named(tmp_path):
    paths = write_shards(tmp_path, [10] * 5)
    report = prune(tmp_path, max_shards=2)
    assert (report.before, report.after) == (5, 2)
    assert report.removed == ("shard_000000.safetensors", "shard_000001.safetensors", "shard_000002.safetensors")
    assert list_shards(tmp_path) == paths[3:]
    assert len(list(tmp_path.iterdir())) == 4
    assert prepare_folder(tmp_path) == 5


def test_pruning_again_changes_nothing(tmp_path):
    write_shards(tmp_path, [10] * 3)
    prune(tmp_path, max_shards=2)
    assert prune(tmp_path, max_shards=2).removed == ()
    assert prune(tmp_path).removed == ()


@pytest.mark.parametrize(("samples", "kept"), [(100, 4), (60, 3), (59, 2), (30, 2), (29, 1), (1, 1)])
def test_samples_limit_the_window_but_the_last_shard_stays(tmp_path, samples, kept):
    paths = write_shards(tmp_path, [40, 30, 10, 20])
    assert newest(paths, max_samples=samples) == paths[4 - kept :]


def test_both_limits_hold(tmp_path):
    paths = write_shards(tmp_path, [10, 10, 10, 10])
    assert newest(paths, max_shards=3, max_samples=25) == paths[2:]
    assert newest(paths, max_shards=1, max_samples=25) == paths[3:]
    assert newest([]) == newest([], max_samples=5) == []


def test_a_limit_of_nothing_is_refused(tmp_path):
    with pytest.raises(UsageError, match="max_shards: expected a whole number above 0, got 0"):
        prune(tmp_path, max_shards=0)
