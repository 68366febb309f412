"""Replay: what self-play saw, in versioned shards on disk, and a reader that trains from more than fits in memory."""

from playmill.replay.meta import ShardMeta, ShardOrigin, ShardPlayer, read_meta
from playmill.replay.reader import ReplayBatch, ReplayReader
from playmill.replay.sampling import SampleOrder
from playmill.replay.shard import list_shards, prepare_folder, read_shard, write_shard
from playmill.replay.tables import GamesTable, Samples, ShardData
from playmill.replay.window import newest

__all__ = [
    "GamesTable",
    "ReplayBatch",
    "ReplayReader",
    "SampleOrder",
    "Samples",
    "ShardData",
    "ShardMeta",
    "ShardOrigin",
    "ShardPlayer",
    "list_shards",
    "newest",
    "prepare_folder",
    "read_meta",
    "read_shard",
    "write_shard",
]
