"""Shards made up for tests."""

from __future__ import annotations

import os

import numpy as np

from playmill.games.registry import get_game
from playmill.replay import TARGETS, GamesTable, Samples, ShardData, ShardOrigin, write_shard
from playmill.replay.meta import meta_path
from playmill.replay.shard import shard_path

YATZY = get_game("yatzy")
TARGET_COUNT = len(TARGETS)


def make_data(samples=100, games=3, seed=0, game=YATZY, targets=TARGET_COUNT):
    """Tables of the right shapes with random content; every fifth sample has no policy, every seventh target is absent."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 9, samples) * (np.arange(samples) % 5 != 0)
    offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    values = rng.uniform(-1, 1, (samples, targets)).astype(np.float32)
    values.reshape(-1)[::7] = np.nan
    return ShardData(
        Samples(
            features=rng.random((samples, game.feature_count), np.float32),
            policy_offset=offsets,
            policy_action=rng.integers(0, game.logits, offsets[-1]).astype(np.int32),
            policy_prob=rng.random(offsets[-1], np.float32),
            targets=values,
            game=np.sort(rng.integers(0, max(games, 1), samples)).astype(np.int32),
            ply=rng.integers(0, 99, samples).astype(np.int16),
        ),
        make_games(games, rng, game),
    )


def make_games(games, rng, game=YATZY):
    plies = rng.integers(0, 20, games)
    offsets = np.concatenate(([0], np.cumsum(plies))).astype(np.int32)
    return GamesTable(
        game_seed=rng.integers(0, 1 << 63, games).astype(np.uint64),
        game_number=np.arange(7, 7 + games, dtype=np.int32),
        game_returns=rng.uniform(-1, 1, (games, game.players)).astype(np.float32),
        game_plies=plies.astype(np.int32),
        action_offset=offsets,
        actions=rng.integers(0, game.actions, offsets[-1]).astype(np.int32),
    )


def write_shards(folder, sizes, game=YATZY):
    """One shard of each size; returns their data files."""
    return [write_shard(folder, i, make_data(n, seed=i, game=game), ShardOrigin.of(game)) for i, n in enumerate(sizes)]


def link_shards(folder, count, samples):
    """`count` shards that share one file on the disk, so that large replays cost no space."""
    first = write_shard(folder, 0, make_data(samples), ShardOrigin.of(YATZY))
    for index in range(1, count):
        os.link(first, shard_path(folder, index))
        os.link(meta_path(first), meta_path(shard_path(folder, index)))
