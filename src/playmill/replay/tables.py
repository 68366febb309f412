"""The two tables of a shard, column by column: a row a sample (a decision to learn from) and a row a game.

Rows of unequal length are one flat column and a column of offsets: row i is flat[offset[i]:offset[i + 1]].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np

from playmill.core.errors import PlaymillError

Array = np.ndarray[Any, Any]

# What a sample can teach, seen by its mover; NaN where it can't. Points are in units of 100.
TARGETS = (
    "z",  # the outcome, -1 to 1
    "z_margin",  # tanh(score difference / scale)
    "togo_own",  # points that really came after this, the mover's
    "togo_opp",  # and the opponent's
    "q",  # the search's value of the position
    "q_togo_own",  # the search's expectation of togo_own
    "q_togo_opp",  # and of togo_opp
)


@dataclass(frozen=True)
class Samples:
    """One row a decision. An empty span of the policy means that there is none to learn."""

    features: Array  # float32 [n, features]
    policy_offset: Array  # int32 [n + 1]
    policy_action: Array  # int32 [m]
    policy_prob: Array  # float32 [m]
    targets: Array  # float32 [n, targets]: NaN = absent
    game: Array  # int32 [n]: the game's number in the run
    ply: Array  # int16 [n]
    policy_slots: Array | None = None  # int32 [m, 2]: the logits of each entry, -1 = no second; None: action a has logit a


@dataclass(frozen=True)
class GamesTable:
    """One row a game, with every action played, so that the rules can replay it."""

    game_seed: Array  # uint64 [g]
    game_number: Array  # int32 [g]
    game_returns: Array  # float32 [g, players]
    game_plies: Array  # int32 [g]
    action_offset: Array  # int32 [g + 1]
    actions: Array  # int32 [k]


@dataclass(frozen=True)
class ShardData:
    """What one shard holds."""

    samples: Samples
    games: GamesTable

    def columns(self) -> dict[str, Array]:
        """Every column by its name in the file."""
        every = {f.name: getattr(table, f.name) for table in (self.samples, self.games) for f in fields(table)}
        return {name: column for name, column in every.items() if column is not None}

    @classmethod
    def from_columns(cls, columns: dict[str, Array]) -> ShardData:
        """The tables again; the columns are those that `columns` gave."""
        samples = Samples(**{f.name: columns.get(f.name) for f in fields(Samples)})  # type: ignore[arg-type]
        return cls(samples, GamesTable(**{f.name: columns[f.name] for f in fields(GamesTable)}))


# Type and shape of each column; a word is a length, equal wherever it stands.
LAYOUT: dict[str, tuple[str, tuple[str, ...]]] = {
    "features": ("float32", ("samples", "features")),
    "policy_offset": ("int32", ("samples + 1",)),
    "policy_action": ("int32", ("policy entries",)),
    "policy_prob": ("float32", ("policy entries",)),
    "targets": ("float32", ("samples", "targets")),
    "game": ("int32", ("samples",)),
    "ply": ("int16", ("samples",)),
    "game_seed": ("uint64", ("games",)),
    "game_number": ("int32", ("games",)),
    "game_returns": ("float32", ("games", "players")),
    "game_plies": ("int32", ("games",)),
    "action_offset": ("int32", ("games + 1",)),
    "actions": ("int32", ("played actions",)),
}
# Only in shards of games whose actions have `slots`.
SLOTS_LAYOUT = {"policy_slots": ("int32", ("policy entries", "two"))}
OFFSETS = {"policy_offset": "policy_action", "action_offset": "actions"}


class HasShape(Protocol):
    """A column, or what a file's header says about one."""

    @property
    def dtype(self) -> np.dtype[Any]: ...

    @property
    def shape(self) -> tuple[int, ...]: ...


def check_shapes(where: str, columns: Mapping[str, HasShape], lengths: dict[str, int]) -> None:
    """Refuse columns whose types and shapes don't fit `LAYOUT`, the given `lengths` or one another."""
    layout = {**LAYOUT, **SLOTS_LAYOUT} if "policy_slots" in columns else LAYOUT
    if columns.keys() != layout.keys():
        raise PlaymillError(f"{where}: columns: expected {sorted(layout)}, got {sorted(columns)}")
    known = {**lengths, "samples + 1": lengths["samples"] + 1, "games + 1": lengths["games"] + 1, "two": 2}
    for name, (dtype, words) in layout.items():
        column = columns[name]
        # A length that nobody gave is that of the first column that has it.
        for word, length in zip(words, column.shape, strict=False):
            known.setdefault(word, length)
        shape = tuple(known.get(word, -1) for word in words)
        if column.dtype != np.dtype(dtype) or column.shape != shape:
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
