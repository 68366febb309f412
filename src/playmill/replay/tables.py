"""The two tables of a shard, column by column: a row a sample (a decision to learn from) and a row a game.

Rows of unequal length are one flat column and a column of offsets: row i is flat[offset[i]:offset[i + 1]].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np

from playmill.core.errors import PlaymillError
from playmill.games.game import Game

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Samples:
    """One row a decision. An empty span of the policy means that there is none to learn."""

    state: Array  # uint8 [n, bytes of a record]
    policy_offset: Array  # int32 [n + 1]
    policy_action: Array  # [m], of `action_type`: in each row ascending, of the distinct legal actions those with mass
    policy_prob: Array  # float32 [m]
    targets: Array  # float32 [n, targets]: what it can teach, as `games/heads.py` has it; NaN = absent
    player: Array  # int8 [n]: who decided, by its place in the meta's `players`
    game: Array  # int32 [n]: the game's number in the run
    ply: Array  # int16 [n]

    def __len__(self) -> int:
        return len(self.state)

    def records(self, game: Game) -> Array:
        """The states as the game's kernels want them, [n]."""
        return self.state.reshape(-1).view(game.state)


@dataclass(frozen=True)
class GamesTable:
    """One row a game, with every action played, so that the rules can replay it."""

    game_seed: Array  # uint64 [g]
    game_number: Array  # int32 [g]
    game_returns: Array  # float32 [g, players]
    game_plies: Array  # int32 [g]
    action_offset: Array  # int32 [g + 1]
    actions: Array  # [k], of `action_type`


@dataclass(frozen=True)
class ShardData:
    """What one shard holds."""

    samples: Samples
    games: GamesTable

    def columns(self) -> dict[str, Array]:
        """Every column by its name in the file."""
        return {f.name: getattr(table, f.name) for table in (self.samples, self.games) for f in fields(table)}

    @classmethod
    def from_columns(cls, columns: dict[str, Array]) -> ShardData:
        """The tables again; the columns are those that `columns` gave."""
        samples, games = ({f.name: columns[f.name] for f in fields(table)} for table in (Samples, GamesTable))
        return cls(Samples(**samples), GamesTable(**games))


ACTION = "action"  # stands for the game's `action_type`
_ACTION_TYPES = (np.uint8, np.uint16)


def action_type(actions: int) -> np.dtype[Any]:
    """The smallest type that has room for action ids 0..actions - 1."""
    small = (kind for kind in _ACTION_TYPES if actions - 1 <= np.iinfo(kind).max)
    return np.dtype(next(small, np.int32))


def state_bytes(records: Array) -> Array:
    """Records [n] as a shard keeps them: uint8 [n, bytes of a record]."""
    return np.ascontiguousarray(records).view(np.uint8).reshape(len(records), records.dtype.itemsize)


# Type and shape of each column; a word is a length, equal wherever it stands.
LAYOUT: dict[str, tuple[str, tuple[str, ...]]] = {
    "state": ("uint8", ("samples", "record bytes")),
    "policy_offset": ("int32", ("samples + 1",)),
    "policy_action": (ACTION, ("policy entries",)),
    "policy_prob": ("float32", ("policy entries",)),
    "targets": ("float32", ("samples", "targets")),
    "player": ("int8", ("samples",)),
    "game": ("int32", ("samples",)),
    "ply": ("int16", ("samples",)),
    "game_seed": ("uint64", ("games",)),
    "game_number": ("int32", ("games",)),
    "game_returns": ("float32", ("games", "players")),
    "game_plies": ("int32", ("games",)),
    "action_offset": ("int32", ("games + 1",)),
    "actions": (ACTION, ("played actions",)),
}
OFFSETS = {"policy_offset": "policy_action", "action_offset": "actions"}


class HasShape(Protocol):
    """A column, or what a file's header says about one."""

    @property
    def dtype(self) -> np.dtype[Any]: ...

    @property
    def shape(self) -> tuple[int, ...]: ...


def check_shapes(where: str, columns: Mapping[str, HasShape], lengths: dict[str, int], actions: int) -> None:
    """Refuse columns whose types and shapes don't fit `LAYOUT`, the given `lengths`, so many `actions` or one another."""
    if columns.keys() != LAYOUT.keys():
        raise PlaymillError(f"{where}: columns: expected {sorted(LAYOUT)}, got {sorted(columns)}")
    known = {**lengths, "samples + 1": lengths["samples"] + 1, "games + 1": lengths["games"] + 1}
    for name, (kind, words) in LAYOUT.items():
        column, dtype = columns[name], action_type(actions) if kind == ACTION else np.dtype(kind)
        # A length that nobody gave is that of the first column that has it.
        for word, length in zip(words, column.shape, strict=False):
            known.setdefault(word, length)
        shape = tuple(known.get(word, -1) for word in words)
        if column.dtype != dtype or column.shape != shape:
            expected, got = f"{dtype} [{', '.join(words)}] = {list(shape)}", f"{column.dtype} {list(column.shape)}"
            raise PlaymillError(f"{where}: {name}: expected {expected}, got {got}")


def check_offsets(where: str, columns: Mapping[str, Array]) -> None:
    """Refuse offsets that don't rise from 0 to the end of their flat column."""
    for name, flat in OFFSETS.items():
        offsets, end = columns[name], len(columns[flat])
        if offsets[0] != 0 or offsets[-1] != end or (np.diff(offsets) < 0).any():
            raise PlaymillError(
                f"{where}: {name}: expected offsets that rise from 0 to {end}, got {offsets[0]} .. {offsets[-1]}"
            )
