"""What is trained on and kept are the newest shards."""

import pytest

from playmill.core.errors import UsageError
from playmill.replay import list_shards, newest, prepare_folder
from playmill.replay.shard import remove_shard
from replay.making import write_shards


def test_the_newest_shards_stay(tmp_path):
    paths = write_shards(tmp_path, [10] * 5)
    assert newest(paths, max_shards=2) == paths[3:]
    assert newest(paths[3:], max_shards=2) == paths[3:]
    assert newest(paths) == paths


def test_a_removed_shard_leaves_nothing_and_its_number_is_not_given_again(tmp_path):
    paths = write_shards(tmp_path, [10] * 3)
    for path in paths[:2]:
        remove_shard(path)
    assert list_shards(tmp_path) == paths[2:]
    assert len(list(tmp_path.iterdir())) == 2
    assert prepare_folder(tmp_path) == 3


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
        newest(write_shards(tmp_path, [10]), max_shards=0)
