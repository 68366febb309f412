"""A small data set that can be learned, and jobs on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from playmill.games.heads import target_columns
from playmill.games.registry import get_game
from playmill.nets.checkpoint import make_checkpoint, save_checkpoint
from playmill.nets.model import build_net
from playmill.nets.spec import NetSpec
from playmill.replay import ShardOrigin, list_shards, prepare_folder, write_shard
from playmill.train.plan import TrainJob
from playmill.train.settings import TrainSettings
from playmill.train.trainer import train
from replay import making

GAME = get_game("tictactoe")
SPEC = NetSpec(hidden=32, blocks=1, margin=True, togo=True)
SETTINGS = TrainSettings(batch_size=64, warmup=5, lr=3e-3, autosave_steps=10, log_steps=8)


RULE = np.random.default_rng(99).normal(size=(GAME.feature_count, GAME.logits + len(target_columns(GAME))))


def make_lessons(samples, seed):
    """Positions whose policy and values are simple functions of their features."""
    return making.make_lessons(GAME, samples, seed, best_action, targets)


def best_action(features, actions):
    answers = (features - 0.5) @ RULE[:, actions]
    return (answers == answers.max()).astype(np.float32)


def targets(features):
    found = np.tanh((features - 0.5) @ RULE[:, GAME.logits :]).astype(np.float32)
    found[::4, 1] = np.nan
    return found


def set_up(folder: Path, shards: int = 3, samples: int = 300) -> TrainJob:
    """A folder with replay and a best network, and a job that trains on all of it for 40 steps."""
    replay, best = folder / "replay", folder / "best.pt"
    first = prepare_folder(replay)
    for index in range(first, first + shards):
        write_shard(replay, index, make_lessons(samples, index), ShardOrigin.of(GAME))
    if not best.exists():
        save_checkpoint(best, make_checkpoint(GAME, SPEC, build_net(GAME, SPEC, seed=1), train_step=7))
    return TrainJob(GAME, SETTINGS, best, folder / "candidate.pt", list_shards(replay), seed=3, iteration=1, steps=40)


def with_settings(job: TrainJob, **fields) -> TrainJob:
    return replace(job, settings=SETTINGS.model_copy(update=fields))


class Stopped(Exception):
    """Stands for a kill: nothing is written after it."""


def train_and_stop(job: TrainJob, last: int, events=None) -> None:
    """Train until step `last` is made, and no further."""

    def watch(step, **_facts):
        if step == last:
            raise Stopped

    with pytest.raises(Stopped):
        train(job, events, progress=watch)
