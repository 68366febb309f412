"""Shards made up for tests."""

from __future__ import annotations

import functools
import os

import numpy as np

from playmill.games.heads import target_columns
from playmill.games.kit.samples import distinct_actions, sample_games
from playmill.games.many import encode_all
from playmill.games.registry import get_game
from playmill.replay import GamesTable, Samples, ShardData, ShardOrigin, write_shard
from playmill.replay.meta import meta_path
from playmill.replay.shard import shard_path
from playmill.replay.tables import action_type, state_bytes

YATZY = get_game("yatzy")
TARGET_COUNT = len(target_columns(YATZY))
RANDOM_GAMES = 8


@functools.cache
def positions(game, games=RANDOM_GAMES):
    """The undecided states of random games: their records, and the distinct legal actions of each."""
    found = [moment.records for moment, _ in sample_games(game, games, 1).decisions()]
    return np.concatenate(found), [distinct_actions(game, records) for records in found]


def make_data(samples=100, games=3, seed=0, game=YATZY, targets=TARGET_COUNT):
    """Random states with random policies; every fifth sample has no policy, every seventh target is absent."""
    rng = np.random.default_rng(seed)
    records, actions = positions(game)
    chosen = rng.integers(0, len(records), samples)
    policies = [_some(rng, actions[number]) if row % 5 else [] for row, number in enumerate(chosen.tolist())]
    offsets = np.concatenate(([0], np.cumsum([len(policy) for policy in policies]))).astype(np.int32)
    values = rng.uniform(-1, 1, (samples, targets)).astype(np.float32)
    values.reshape(-1)[::7] = np.nan
    return ShardData(
        Samples(
            state=state_bytes(records[chosen]),
            policy_offset=offsets,
            policy_action=np.array([action for policy in policies for action in policy], action_type(game.actions)),
            policy_prob=rng.random(offsets[-1], np.float32),
            targets=values,
            player=np.zeros(samples, np.int8),
            game=np.sort(rng.integers(0, max(games, 1), samples)).astype(np.int32),
            ply=rng.integers(0, 99, samples).astype(np.int16),
        ),
        make_games(games, rng, game),
    )


def _some(rng, actions):
    """One or more of the actions."""
    chosen = rng.random(len(actions)) < 0.5
    chosen[rng.integers(len(actions))] = True
    return [action for action, is_in in zip(actions, chosen, strict=True) if is_in]


def make_games(games, rng, game=YATZY):
    plies = rng.integers(0, 20, games)
    offsets = np.concatenate(([0], np.cumsum(plies))).astype(np.int32)
    return GamesTable(
        game_seed=rng.integers(0, 1 << 63, games).astype(np.uint64),
        game_number=np.arange(7, 7 + games, dtype=np.int32),
        game_returns=rng.uniform(-1, 1, (games, game.players)).astype(np.float32),
        game_plies=plies.astype(np.int32),
        action_offset=offsets,
        actions=rng.integers(0, game.actions, offsets[-1]).astype(action_type(game.actions)),
    )


def make_lessons(game, samples, seed, policy_of, targets_of=None, games=300):
    """Positions whose policy over their actions, and whose targets, are simple functions of their features."""
    rng = np.random.default_rng(seed)
    records, actions = positions(game, games)
    chosen = rng.integers(0, len(records), samples)
    features = np.zeros((samples, game.feature_count), np.float32)
    encode_all(game, records[chosen], features)
    legal = [actions[number] for number in chosen.tolist()]
    policies = [policy_of(row, found) for row, found in zip(features, legal, strict=True)]
    absent = np.full((samples, TARGET_COUNT), np.nan, np.float32)
    return ShardData(
        Samples(
            state=state_bytes(records[chosen]),
            policy_offset=np.concatenate(([0], np.cumsum([len(found) for found in legal]))).astype(np.int32),
            policy_action=np.array([action for found in legal for action in found], action_type(game.actions)),
            policy_prob=np.concatenate([np.empty(0), *policies]).astype(np.float32),
            targets=absent if targets_of is None else targets_of(features),
            player=np.zeros(samples, np.int8),
            game=np.zeros(samples, np.int32),
            ply=np.zeros(samples, np.int16),
        ),
        make_games(1, rng, game),
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
