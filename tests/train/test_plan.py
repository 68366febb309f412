"""Plans: what decides the steps, and which shards an iteration trains on."""

import math

import pytest

from playmill.core.errors import PlaymillError, UsageError
from playmill.replay import list_shards
from playmill.replay.shard import remove_shard
from playmill.train.plan import take_snapshot
from playmill.train.settings import TrainSettings, make_settings
from playmill.train.trainer import train
from train.lessons import SETTINGS, set_up, train_and_stop


@pytest.mark.parametrize(
    ("asked", "per_iteration", "epochs", "expected"),
    [
        (7, 20, 3, (7, "steps")),
        (None, 20, 3, (20, "steps_per_iteration")),
        (None, None, 3, (33, "epochs")),
        (None, None, 1, (11, "epochs")),
    ],
)
def test_steps_asked_for_come_before_settings_and_those_before_epochs(asked, per_iteration, epochs, expected):
    settings = TrainSettings(batch_size=100, steps_per_iteration=per_iteration, epochs=epochs)
    assert settings.steps_for(1001, asked) == expected


def test_the_learning_rate_warms_up():
    settings = TrainSettings(lr=1.0, warmup=4)
    assert [settings.lr_at(step, 1000) for step in range(6)] == [0.25, 0.5, 0.75, 1.0, 1.0, 1.0]
    assert TrainSettings(lr=1.0, warmup=0).lr_at(0, 1000) == 1.0


def test_the_learning_rate_falls_to_its_end_share():
    settings = TrainSettings(lr=1.0, warmup=0, lr_end=0.2)
    assert [settings.lr_at(step, 5) for step in range(5)] == pytest.approx([1.0, 0.8, 0.6, 0.4, 0.2])


def test_the_learning_rate_can_fall_by_half_a_wave():
    settings = TrainSettings(lr=1.0, warmup=0, lr_end=0.2, lr_fall="cosine")
    slow = 0.4 * (1 - math.sqrt(0.5))
    assert [settings.lr_at(step, 5) for step in range(5)] == pytest.approx([1.0, 1 - slow, 0.6, 0.2 + slow, 0.2])
    assert settings.lr_at(0, 1) == 1.0


def test_the_learning_rate_falls_over_a_run_by_equal_factors():
    settings = TrainSettings(lr=1.0, lr_final=0.01)
    assert [settings.in_iteration(i, 5).lr for i in (0, 2, 4, 9)] == pytest.approx([1.0, 0.1, 0.01, 0.01])
    assert TrainSettings(lr=1.0).in_iteration(3, 5).lr == 1.0
    assert settings.in_iteration(0, 1).lr == 1.0


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"batch_size": 0}, r"train.batch_size: expected at least 1, got 0"),
        ({"learning_rate": 1}, r"train.learning_rate: unknown key"),
        ({"bootstrap": 1.5}, r"train.bootstrap: expected at most 1, got 1.5"),
    ],
)
def test_wrong_settings_are_named(fields, message):
    with pytest.raises(UsageError, match=message):
        make_settings(fields)


def test_the_window_takes_the_newest_shards(tmp_path):
    job = set_up(tmp_path, shards=4)
    window = SETTINGS.model_copy(update={"window_shards": 2})
    assert take_snapshot(tmp_path / "replay", window, job.candidate, 1) == job.shards[2:]


def test_an_interrupted_iteration_keeps_its_shards(tmp_path):
    job = set_up(tmp_path)
    train_and_stop(job, 15)
    set_up(tmp_path, shards=2)
    replay = tmp_path / "replay"
    assert take_snapshot(replay, SETTINGS, job.candidate, 1) == job.shards
    assert take_snapshot(replay, SETTINGS, job.candidate, 2) == list_shards(replay)
    train(job)
    assert take_snapshot(replay, SETTINGS, job.candidate, 1) == list_shards(replay)


def test_a_shard_gone_from_the_snapshot_is_named(tmp_path):
    job = set_up(tmp_path)
    train_and_stop(job, 15)
    for path in job.shards[:2]:
        remove_shard(path)
    with pytest.raises(PlaymillError, match=r"shard_000000.safetensors: .*candidate.pt was begun with it, but it is gone"):
        take_snapshot(tmp_path / "replay", SETTINGS, job.candidate, 1)


def test_an_empty_folder_is_an_error(tmp_path):
    with pytest.raises(PlaymillError, match="nowhere: expected replay shards to train on, got none; play some games first"):
        take_snapshot(tmp_path / "nowhere", SETTINGS, tmp_path / "candidate.pt", 1)
